// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

namespace tessera::perf {

/// Kokkos' names of the execution spaces at hand, slowest first. Kokkos need not be initialised.
std::vector<std::string> space_names();

/// Whether the GPU is the one that targets were stated for. Kokkos is initialised.
bool is_h200();

/// Prints what was asked for beside what was measured.
class TargetReport {
 public:
  /// `applies`: the target was stated for this machine.
  void at_least(const std::string& what, double target, double measured, bool applies) {
    line(what, target, measured, measured >= target, applies);
  }
  void at_most(const std::string& what, double target, double measured, bool applies) {
    line(what, target, measured, measured <= target, applies);
  }
  /// All that applies is met.
  bool all_met() const { return all_met_; }

 private:
  void line(const std::string& what, double target, double measured, bool met, bool applies);

  bool all_met_ = true;
};

/// The value of `word` if it is `name`=VALUE; else null.
const char* option_value(const std::string& word, const std::string& name);

}  // namespace tessera::perf
