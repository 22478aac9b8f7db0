// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <benchmark/benchmark.h>

#include <Kokkos_Core.hpp>
#include <cstdio>
#include <string>
#include <vector>

#include "target_report.hpp"

namespace tessera::perf {

/// The main function of a program of benchmarks: reads the options, measures the cases, and prints the targets.
///
/// read_option(word) is false for a word that is google-benchmark's; make_cases() gives the cases, each with name(),
/// once Kokkos is initialised; measure(state, a case) measures one; check(report, cases) reports the targets, and is
/// true if anything was measured. Exit status: 0; 1 if nothing was measured or, if `targets_count` says so afterwards,
/// a target missed; 2 for a wrong option.
template <class ReadOption, class MakeCases, class Measure, class Check>
int run_cases(int argc, char* argv[], const char* help, const bool& targets_count, const ReadOption& read_option,
              const MakeCases& make_cases, const Measure& measure, const Check& check) {
  std::vector<char*> rest;
  for (int i = 0; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--help") {
      std::fputs(help, stdout);
      return 0;
    }
    if (!read_option(word)) rest.push_back(argv[i]);
  }
  int count = static_cast<int>(rest.size());
  benchmark::Initialize(&count, rest.data());
  if (benchmark::ReportUnrecognizedArguments(count, rest.data())) return 2;
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const auto cases = make_cases();
  for (const auto& c : cases)
    benchmark::RegisterBenchmark(c.name().c_str(), [c, &measure](benchmark::State& state) { measure(state, c); })
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  TargetReport report;
  if (!check(report, cases)) return 1;
  return targets_count && !report.all_met() ? 1 : 0;
}

}  // namespace tessera::perf
