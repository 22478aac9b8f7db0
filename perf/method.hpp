// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "time_budget.hpp"

namespace tessera::perf {

/// What a method counts, and what its rate is called.
struct Unit {
  const char* text;     ///< as in "attempts/ns"
  const char* counter;  ///< as in "attempts_per_ns", the name in JSON
  double per_second;    ///< rate in this unit of one item a second
};

/// A further figure of a case.
struct Figure {
  const char* name;     ///< in JSON
  const char* heading;  ///< of its column
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
  std::string name;  ///< as in "kmc/tile/repair/Cuda/phi:0/n:4096"
  Unit unit;
  int repetitions;        ///< unless the options give a number
  std::string on_serial;  ///< name of the case that does the same on the Serial space
  std::string reference;  ///< name of the case that does the same by the sequential reference
  double target;          ///< least rate, in the unit, that was stated for it on an H200; 0 if none

  /// Makes it ready for so many repetitions. Throws DoesNotFit if they would take too long.
  std::function<std::unique_ptr<Measurement>(TimeBudget&, int repetitions)> begin;
};

class Results;
struct Machine;
struct Verdict;

/// The cases of a method, and the targets that are no case's own.
struct Method {
  std::string name;
  std::vector<Case> cases;
  std::function<std::vector<Verdict>(const Results&, const Machine&)> verdicts;
};

}  // namespace tessera::perf
