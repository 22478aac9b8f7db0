// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "options.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <sstream>
#include <string>
#include <tessera/core/error.hpp>
#include <vector>

namespace tessera::perf {
namespace {

struct Option {
  std::string name;                              ///< ends with '=' if a value follows
  std::function<void(const std::string&)> take;  ///< reads the text after the name
};

std::string text_of(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

double number(const std::string& name, const std::string& text, double least) {
  std::size_t used = 0;
  double value = 0;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used == 0 || used != text.size() || !(value >= least))
    throw InputError(name + text + ": must be a number, at least " + text_of(least));
  return value;
}

std::vector<std::string> read_methods(const std::string& text) {
  std::vector<std::string> methods;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    if (word != "kmc" && word != "kpz" && word != "disks" && word != "program")
      throw InputError("--method=" + text + ": must be a list of kmc, kpz, disks, program");
    methods.push_back(word);
  }
  if (methods.empty()) throw InputError("--method=: must be a list of kmc, kpz, disks, program");
  return methods;
}

void read_thread_cell(const std::string& text, KpzOptions& options) {
  int used = 0;
  const int read = std::sscanf(text.c_str(), "%d,%d%n", &options.thread_cell_x, &options.thread_cell_y, &used);
  if (read != 2 || used != static_cast<int>(text.size()) || options.thread_cell_x < 1 || options.thread_cell_y < 1)
    throw InputError("--thread-cell=" + text + ": must be two whole numbers, as in 2,2");
}

}  // namespace

Options read_options(std::vector<std::string>& words) {
  Options options;
  std::string file, file_format = "json";
  const auto real = [](const std::string& name, double& to, double least) {
    return Option{name, [&to, name, least](const std::string& text) { to = number(name, text, least); }};
  };
  const auto whole = [](const std::string& name, int& to, double least) {
    return Option{name,
                  [&to, name, least](const std::string& text) { to = static_cast<int>(number(name, text, least)); }};
  };

  // The preset first: other options have precedence.
  for (const std::string& word : words) {
    if (!word.starts_with("--preset=")) continue;
    if (word != "--preset=h200") throw InputError(word + ": the only valid preset is h200");
    options.preset_h200 = true;
    options.limit = 60;
    options.kmc.relax = 30;
    options.window = 0.2;
  }
  const std::vector<Option> known{
      {"--help", [&](const std::string&) { options.help = true; }},
      {"--preset=", [](const std::string&) {}},
      {"--method=", [&](const std::string& text) { options.methods = read_methods(text); }},
      real("--limit=", options.limit, 0.1),
      real("--budget=", options.budget, 0.1),
      real("--relax=", options.kmc.relax, 0),
      whole("--settle=", options.kmc.settle, 0),
      whole("--tile=", options.kmc.tile, 0),
      whole("--halo=", options.kmc.halo, 0),
      whole("--repair-halo=", options.kmc.repair_halo, 0),
      real("--repair-fraction=", options.kmc.repair_fraction, 0),
      whole("--kpz-domain=", options.kpz.domain, 0),
      {"--program=", [&](const std::string& text) { options.program = text; }},
      {"--thread-cell=", [&](const std::string& text) { read_thread_cell(text, options.kpz); }},
  };
  const std::string min_time = "--benchmark_min_time=";
  const std::vector<Option> shared{
      {min_time,  // 0.2 or 0.2s
       [&](const std::string& text) {
         options.window = number(min_time, text.ends_with('s') ? text.substr(0, text.size() - 1) : text, 0.001);
       }},
      whole("--benchmark_repetitions=", options.repetitions, 1),
      {"--benchmark_list_tests", [&](const std::string&) { options.only_list = true; }},
      {"--benchmark_list_tests=", [&](const std::string& text) { options.only_list = text == "true" || text == "1"; }},
      {"--benchmark_out=", [&](const std::string& text) { file = text; }},
      {"--benchmark_out_format=", [&](const std::string& text) { file_format = text; }},
  };

  std::vector<std::string> kept{"--benchmark_display_aggregates_only=true"};
  for (const std::string& word : words) {
    const auto matches = [&](const Option& o) {
      return o.name.back() == '=' ? word.starts_with(o.name) : word == o.name;
    };
    if (const auto own = std::ranges::find_if(known, matches); own != known.end()) {
      own->take(word.substr(own->name.size()));
      continue;
    }
    if (!word.starts_with("--benchmark_") && !word.starts_with("--kokkos-") && !word.starts_with("--v="))
      throw InputError(word + ": unknown option of tessera_perf; see --help");
    if (const auto o = std::ranges::find_if(shared, matches); o != shared.end()) o->take(word.substr(o->name.size()));
    if (!word.starts_with(min_time)) kept.push_back(word);  // each repetition is one iteration to google-benchmark
  }
  words = kept;
  options.json_in_file = !file.empty() && file_format == "json";
  return options;
}

const char* help_text() {
  return R"(tessera_perf [options]: benchmarks of every method on every execution space, and of the sequential methods

What to measure
  --method=LIST            methods: kmc, kpz, disks, or program for whole runs, such as kmc,disks [all]
  --benchmark_filter=REGEX cases, by names such as kmc/tile/repair/Cuda/phi:0/n:4096, kmc/bkl/hopping/E:1/n:1024,
                           disks/Serial/N:253^2, kpz/DTrDB/Cuda/L:65536; --benchmark_list_tests lists them
  --preset=h200            the cases of the targets
How
  --limit=SECONDS          limit of a case; a case that would take longer is left out [10; preset 60]
  --budget=SECONDS         limit of the run; cases that would end later are left out [600]
  --benchmark_min_time=SECONDS
                           duration of a repetition of kmc and kpz [0.3; preset 0.2]
  --benchmark_repetitions=N
                           repetitions of a case [kmc 5, kpz 7, disks 11 on a GPU and 5 on CPUs, program 3]
Output
  --benchmark_out=FILE.json  file of all repetitions, for perf/summary.py and perf/compare.py
Methods (defaults depend on the space)
  --relax=EVENTS           kmc: events per site before the measurement [50; preset 30]
  --settle=STEPS           kmc: steps before the first repetition [60]
  --tile=N --halo=N --repair-halo=N --repair-fraction=F
                           kmc: as for tessera kmc
  --kpz-domain=N           kpz: --domain of tessera kpz
  --thread-cell=LX,LY      kpz: as for tessera kpz [1,1]
  --program=FILE           program: the program to run [the one built with tessera_perf]
Other options are those of google-benchmark and of Kokkos, such as --kokkos-num-threads=N, --kokkos-device-id=N.
)";
}

}  // namespace tessera::perf
