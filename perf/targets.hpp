// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

#include "results.hpp"

namespace tessera::perf {

/// The machine of a run, as far as targets ask for it.
struct Machine {
  std::string device;   ///< of the fastest space
  std::string fastest;  ///< space
  int threads;          ///< of OpenMP; 0 without
};

/// A target beside what was measured.
struct Verdict {
  std::string what, unit;
  double target, measured;
  bool at_most;  ///< the figure is to be at most the target, not at least
  bool applies;  ///< it was stated for such a machine
  bool met() const { return at_most ? measured <= target : measured >= target; }
};

/// The targets for which something was measured.
std::vector<Verdict> check_targets(const std::vector<Result>& results, const Machine& machine);

/// The target for events/s that was stated for this case on an H200; 0 if none.
double target_rate(const Case& c);

}  // namespace tessera::perf
