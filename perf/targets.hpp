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

  bool is_h200() const { return device.find("H200") != std::string::npos; }
};

/// A target beside what was measured.
struct Verdict {
  std::string what, unit;
  double target, measured;
  bool at_most;  ///< the figure is to be at most the target, not at least
  bool applies;  ///< it was stated for such a machine
  bool met() const { return at_most ? measured <= target : measured >= target; }
};

/// The targets for which something was measured: those of the cases, and then those of the methods.
std::vector<Verdict> check_targets(const std::vector<Method>& methods, const Results& results, const Machine& machine);

}  // namespace tessera::perf
