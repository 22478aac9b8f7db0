// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "method.hpp"
#include "options.hpp"

namespace tessera::perf {

/// Cases as benchmarks of google-benchmark, which calls a benchmark again for each repetition. The system persists from
/// one repetition to the next.
class Run {
 public:
  Run(const Options& options, std::vector<Case> cases) : options_(options), cases_(std::move(cases)) {}

  /// Registers the cases; call once.
  void register_cases();
  /// Whether a case was measured and none failed; a case that exceeded its time limit is not a failure.
  bool succeeded() const { return measured_ && !failed_; }

 private:
  void repeat(const Case& c, benchmark::State& state);
  int repetitions_of(const Case& c) const;
  TimeLimit limit_of_a_case() const;

  const Options& options_;
  Stopwatch since_start_;
  std::vector<Case> cases_;
  std::string present_, left_out_;  ///< names of the case of the present system, and of the last one left out
  std::unique_ptr<Measurement> measurement_;
  bool measured_ = false, failed_ = false;
};

}  // namespace tessera::perf
