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

/// What happened in one repetition.
struct Repetition {
  double seconds;
  double items;  ///< that the rate counts: events, attempts, trial moves
  std::vector<Figure> figures;
};

/// A case that is being measured: its system, ready for the first repetition.
class Measurement {
 public:
  virtual ~Measurement() = default;
  /// The device is idle when it returns.
  virtual Repetition repeat() = 0;
};

/// One thing to measure.
struct Case {
  std::string name;   ///< as in "kmc/tile/repair/Cuda/phi:0/n:4096"
  const char* rate;   ///< name of the counter of the rate, as in "attempts_per_ns"
  double per_second;  ///< rate in this unit of one item a second
  int repetitions;    ///< unless the options give a number
  /// Prepares so many repetitions. Throws DoesNotFit if they would take too long.
  std::function<std::unique_ptr<Measurement>(const TimeLimit&, int repetitions)> begin;
};

}  // namespace tessera::perf
