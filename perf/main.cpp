// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
// Every method on every execution space of the Kokkos at hand, beside the sequential methods.
#include <benchmark/benchmark.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <fstream>
#include <iostream>
#include <regex>
#include <tessera/core/error.hpp>
#include <vector>

#include "context.hpp"
#include "methods.hpp"
#include "options.hpp"
#include "run.hpp"
#include "spaces.hpp"
#include "summary.hpp"
#include "targets.hpp"

namespace {

using namespace tessera::perf;

/// Writes the tables and says whether all went well.
bool conclude(const Options& options, const std::vector<Space>& spaces, const std::vector<Method>& methods,
              const Context& context, const Results& results) {
  Machine machine{spaces.back().device, spaces.back().name, 0};
  for (const Space& space : spaces)
    if (space.name == "OpenMP") machine.threads = space.threads;
  std::vector<Verdict> verdicts;
  if (options.check_targets || options.strict) verdicts = check_targets(methods, results, machine);

  const std::vector<Result>& all = results.all();
  if (all.empty()) {
    std::cerr << "nothing was measured\n";
    return false;
  }
  std::cerr << '\n';
  write_markdown(std::cerr, context, all, verdicts);
  if (!options.summary.empty()) {
    std::ofstream file(options.summary);
    const bool markdown = options.summary.back() == 'd';
    (markdown ? write_markdown : write_json)(file, context, all, verdicts);
    file.close();
    if (!file) throw tessera::RunError("--summary=" + options.summary + ": cannot be written");
  }
  const bool missed =
      std::any_of(verdicts.begin(), verdicts.end(), [](const Verdict& v) { return v.applies && !v.met(); });
  const bool failed = std::any_of(all.begin(), all.end(), [](const Result& r) { return r.failed; });
  const bool measured = std::any_of(all.begin(), all.end(), [](const Result& r) { return r.measured(); });
  return measured && !failed && !(options.strict && missed);
}

int measure(const Options& options, const Stopwatch& since_start, int argc, char** argv) {
  const std::vector<Space> all_spaces = spaces();
  const std::vector<Method> wanted = methods(options, all_spaces);
  Run run(options, wanted, since_start);
  run.register_cases();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const Context context = describe_run(options, all_spaces);
  for (const auto& [name, value] : context) benchmark::AddCustomContext(name, value);
  const Results& results = run.measure();
  benchmark::Shutdown();
  if (options.only_list) return 0;
  return conclude(options, all_spaces, wanted, context, results) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const Stopwatch since_start;
  try {
    const Options options = read_options(argc, argv);
    if (options.help) {
      std::cout << help_text();
      return 0;
    }
    const Kokkos::ScopeGuard kokkos(argc, argv);
    return measure(options, since_start, argc, argv);
  } catch (const tessera::InputError& error) {
    std::cerr << "tessera_perf: " << error.what() << '\n';
    return 2;
  } catch (const std::regex_error&) {
    std::cerr << "tessera_perf: --benchmark_filter: is no regular expression\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "tessera_perf: " << error.what() << '\n';
    return 1;
  }
}
