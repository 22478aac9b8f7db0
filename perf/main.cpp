// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
// Benchmarks of every method on every execution space of this Kokkos, and of the sequential methods.
#include <benchmark/benchmark.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <iostream>
#include <iterator>
#include <sstream>
#include <tessera/core/error.hpp>
#include <vector>

#include "context.hpp"
#include "methods.hpp"
#include "options.hpp"
#include "run.hpp"
#include "spaces.hpp"

namespace {

using namespace tessera::perf;

/// google-benchmark's JSON without the name of the host.
class Json : public benchmark::JSONReporter {
 public:
  bool ReportContext(const Context& context) override {
    std::ostream& out = GetOutputStream();
    std::stringstream text;
    SetOutputStream(&text);
    const bool go_on = JSONReporter::ReportContext(context);
    SetOutputStream(&out);
    for (std::string line; std::getline(text, line);)
      if (line.find("\"host_name\":") == std::string::npos) out << line << (text.eof() ? "" : "\n");
    return go_on;
  }
};

/// Cases of the methods in the options, in a fixed order.
std::vector<Case> cases_of(const Options& options, const std::vector<Space>& spaces) {
  std::vector<Case> cases;
  const std::pair<const char*, decltype(&kmc_method)> all[] = {
      {"program", program_method}, {"kpz", kpz_method}, {"disks", disks_method}, {"kmc", kmc_method}};
  for (const auto& [name, method] : all)
    if (std::ranges::find(options.methods, name) != options.methods.end())
      std::ranges::move(method(options, spaces), std::back_inserter(cases));
  return cases;
}

int measure(const Options& options, int argc, char** argv) {
  const std::vector<Space> all_spaces = spaces();
  Run run(options, cases_of(options, all_spaces));
  run.register_cases();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  for (const auto& [name, value] : describe_run(options, all_spaces)) benchmark::AddCustomContext(name, value);
  Json json;
  benchmark::RunSpecifiedBenchmarks(nullptr, options.json_in_file ? &json : nullptr);
  benchmark::Shutdown();
  return options.only_list || run.succeeded() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::vector<std::string> words(argv + 1, argv + argc);
    const Options options = read_options(words);
    if (options.help) {
      std::cout << help_text();
      return 0;
    }
    std::vector<char*> rest{argv[0]};
    for (std::string& word : words) rest.push_back(word.data());
    int count = static_cast<int>(rest.size());
    rest.push_back(nullptr);
    const Kokkos::ScopeGuard kokkos(count, rest.data());
    return measure(options, count, rest.data());
  } catch (const tessera::InputError& error) {
    std::cerr << "tessera_perf: " << error.what() << '\n';
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "tessera_perf: " << error.what() << '\n';
    return 1;
  }
}
