// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <benchmark/benchmark.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "method.hpp"
#include "options.hpp"
#include "results.hpp"
#include "time_budget.hpp"

namespace tessera::perf {

/// A run of google-benchmark over the cases of the methods. google-benchmark calls a benchmark anew for each
/// repetition; the system lives on from one to the next.
class Run {
 public:
  /// The methods share the options' budget, which `since_start` counts from: each has an even part of what is left.
  Run(const Options& options, const std::vector<Method>& methods, const Stopwatch& since_start);

  /// Tells google-benchmark of the cases; call once, before benchmark::Initialize.
  void register_cases();
  /// Measures the selected cases and reports them as google-benchmark's options say.
  const Results& measure();

 private:
  struct Selected {
    const Method* method;
    int cases;
  };

  void repeat(const Method& method, const Case& c, int repetitions, benchmark::State& state);
  void begin(const Method& method, const Case& c, int repetitions);
  int repetitions_of(const Case& c, int selected) const;
  void add_speedups(benchmark::BenchmarkReporter::Run& run);

  const Options& options_;
  const std::vector<Method>& methods_;
  const Stopwatch& since_start_;
  std::vector<Selected> to_come_;  ///< methods of which no case has begun
  const Method* present_ = nullptr;
  std::optional<TimeBudget> budget_;  ///< of the present method
  std::string measured_, left_out_;   ///< names of the present case, and of the last one that was left out
  std::unique_ptr<Measurement> measurement_;
  Results results_;
};

}  // namespace tessera::perf
