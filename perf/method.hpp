// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "time_limit.hpp"

namespace tessera::perf {

/// A counter of google-benchmark.
struct Figure {
  const char* name;
  double value;
};

/// Result of one repetition.
struct Repetition {
  double seconds;
  double items;  ///< items of the rate: events, attempts, trial moves
  std::vector<Figure> figures;
};

/// Measurement of a case: its system, ready for the first repetition.
class Measurement {
 public:
  virtual ~Measurement() = default;
  /// Runs one repetition. The device is idle on return.
  virtual Repetition repeat() = 0;
};

/// A case to measure.
struct Case {
  std::string name;   ///< as in "kmc/tile/repair/Cuda/phi:0/n:4096"
  const char* rate;   ///< name of the counter of the rate, as in "attempts_per_ns"
  double per_second;  ///< one item per second in the unit of the counter
  int repetitions;    ///< default number of repetitions
  /// Prepares the repetitions. Throws DoesNotFit if they would take too long.
  std::function<std::unique_ptr<Measurement>(const TimeLimit&, int repetitions)> begin;
};

}  // namespace tessera::perf
