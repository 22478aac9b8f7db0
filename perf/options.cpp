// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "options.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <tessera/core/error.hpp>
#include <vector>

namespace tessera::perf {
namespace {

struct Option {
  std::string name;  ///< ends with '=' where a value follows
  std::function<void(const std::string&)> take;
};

double number(const std::string& name, const std::string& text, double least) {
  std::size_t used = 0;
  double value = 0;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used == 0 || used != text.size() || !(value >= least))
    throw InputError(name + text + ": must be a number, at least " + std::to_string(least));
  return value;
}

bool starts_with(const std::string& text, const std::string& start) { return text.rfind(start, 0) == 0; }

}  // namespace

Options read_options(int& argc, char** argv) {
  Options options;
  std::string file, file_format = "json";
  const auto real = [](const std::string& name, double& to, double least) {
    return Option{name, [&to, name, least](const std::string& text) { to = number(name, text, least); }};
  };
  const auto whole = [](const std::string& name, int& to, double least) {
    return Option{name,
                  [&to, name, least](const std::string& text) { to = static_cast<int>(number(name, text, least)); }};
  };
  const auto flag = [](const std::string& name, bool& to) {
    return Option{name, [&to](const std::string&) { to = true; }};
  };

  // The preset first: what is given beside it counts.
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (!starts_with(word, "--preset=")) continue;
    if (word != "--preset=h200") throw InputError(word + ": the only preset is h200");
    options.preset_h200 = true;
    options.budget = 100;
    options.relax = 30;
    options.window = 0.2;
  }
  const std::vector<Option> known{
      flag("--help", options.help),
      {"--preset=", [](const std::string&) {}},
      real("--budget=", options.budget, 1),
      real("--relax=", options.relax, 0),
      real("--window=", options.window, 0.001),
      whole("--repetitions=", options.repetitions, 1),
      whole("--settle=", options.settle, 0),
      whole("--tile=", options.tile, 0),
      whole("--halo=", options.halo, 0),
      whole("--repair-halo=", options.repair_halo, 0),
      real("--repair-fraction=", options.repair_fraction, 0),
      {"--summary=", [&](const std::string& text) { options.summary = text; }},
      flag("--check-targets", options.check_targets),
      flag("--strict", options.strict),
  };
  const std::vector<Option> shared{
      {"--benchmark_filter=", [&](const std::string& text) { options.filter = text; }},
      {"--benchmark_list_tests", [&](const std::string&) { options.only_list = true; }},
      {"--benchmark_list_tests=", [&](const std::string& text) { options.only_list = text == "true" || text == "1"; }},
      {"--benchmark_format=", [&](const std::string& text) { options.format = text; }},
      {"--benchmark_out=", [&](const std::string& text) { file = text; }},
      {"--benchmark_out_format=", [&](const std::string& text) { file_format = text; }},
  };

  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto matches = [&](const Option& o) {
      return o.name.back() == '=' ? starts_with(word, o.name) : word == o.name;
    };
    const auto own = std::find_if(known.begin(), known.end(), matches);
    if (own != known.end()) {
      own->take(word.substr(own->name.size()));
      continue;
    }
    if (!starts_with(word, "--benchmark_") && !starts_with(word, "--kokkos-") && !starts_with(word, "--v="))
      throw InputError(word + ": no option of tessera_perf; see --help");
    for (const Option& o : shared)
      if (matches(o)) o.take(word.substr(o.name.size()));
    argv[kept++] = argv[i];
  }
  argc = kept;
  argv[argc] = nullptr;
  options.json_in_file = !file.empty() && file_format == "json";
  const auto ends_with = [&](const std::string& end) {
    return options.summary.size() > end.size() &&
           options.summary.compare(options.summary.size() - end.size(), end.size(), end) == 0;
  };
  if (!options.summary.empty() && !ends_with(".md") && !ends_with(".json"))
    throw InputError("--summary=" + options.summary + ": must end with .md or .json");
  return options;
}

const char* help_text() {
  return "tessera_perf [options]: exact kinetic Monte Carlo on every execution space of this Kokkos, in true events/s\n"
         "  --preset=h200           what the targets ask for, in 100 s on an H200 with 16 cores\n"
         "  --budget=SECONDS        for the whole run [120; preset 100]; cases that do not fit are left out\n"
         "  --relax=EVENTS          per site, from flat to the surface that is measured [50; preset 30]\n"
         "  --window=SECONDS        of a repetition, at most [0.3; preset 0.2]\n"
         "  --repetitions=N         of a case, at most [5]\n"
         "  --settle=STEPS          before the first repetition [60]\n"
         "  --tile=N --halo=N --repair-halo=N --repair-fraction=F\n"
         "                          of the tile method [the defaults of the space]\n"
         "  --summary=FILE          write the table of results to FILE.md or FILE.json\n"
         "  --check-targets         compare with the project's targets\n"
         "  --strict                exit with status 1 if one of them is missed\n"
         "and those of google-benchmark, such as\n"
         "  --benchmark_list_tests  --benchmark_filter=REGEX  --benchmark_out=FILE.json  --benchmark_format=json\n"
         "and of Kokkos, such as --kokkos-num-threads=N, --kokkos-device-id=N.\n"
         "Names are like kmc/tile/repair/Cuda/phi:0/n:4096, kmc/bkl/phi:1/n:1024, .../n:64/replicas:256.\n";
}

}  // namespace tessera::perf
