// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

#include "method.hpp"

namespace tessera::perf {

/// What was measured of a case: medians over the repetitions.
struct Result {
  Case what;
  std::string left_out;  ///< why there is nothing else; empty: measured
  bool failed = false;   ///< left out because of an error
  int repetitions = 0;
  double rate = 0, least = 0, most = 0;        ///< in the case's unit
  std::vector<Figure> figures;                 ///< that its method has
  double over_serial = 0, over_reference = 0;  ///< multiple of that rate; 0: not measured

  bool measured() const { return left_out.empty(); }
  bool has(const std::string& figure) const;
  /// A figure by its name in JSON; 0 if there is none.
  double figure(const std::string& name) const;
};

class Results {
 public:
  void add(const Case& c, const Repetition& repetition);
  void leave_out(const Case& c, const std::string& why, bool failed);
  /// Works the medians and speedups out, once all cases are there.
  void conclude();

  /// One result for each case, in the order of the run.
  const std::vector<Result>& all() const { return results_; }
  /// The result of a case with that name; null if it was not measured.
  const Result* find(const std::string& name) const;

 private:
  struct Repetitions {
    Case what;
    std::vector<Repetition> of;
    std::string left_out;
    bool failed = false;
  };
  std::vector<Repetitions> cases_;
  std::vector<Result> results_;
};

}  // namespace tessera::perf
