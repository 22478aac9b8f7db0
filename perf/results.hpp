// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

#include "cases.hpp"
#include "measurement.hpp"

namespace tessera::perf {

/// What was measured of a case: medians over the repetitions. What a method does not have is 0.
struct Result {
  Case what;
  std::string left_out;  ///< why there is nothing else; empty: measured
  bool failed = false;   ///< left out because of an error
  int repetitions = 0;
  double events_per_second = 0;
  double least_events_per_second = 0, most_events_per_second = 0;
  double events_per_site_and_step = 0;
  double steps_per_second = 0;  ///< of a replica
  double repaired_percent = 0;  ///< of the tiles, in a step
  double rejected_percent = 0;  ///< of the steps
  double bytes_per_site = 0;
  double over_serial = 0, over_bkl = 0;  ///< speed, as a multiple of that at the same phi and n; 0: not measured
};

/// What one repetition says.
Result result_of(const Case& c, const Window& window, std::size_t bytes, double tiles);

/// What several repetitions of a case say together.
Result median_of(const std::vector<Result>& repetitions);

class Results {
 public:
  void add(const Result& repetition);
  void leave_out(const Case& c, const std::string& why, bool failed);
  /// One result for each case, in the order of the run, with the speedups.
  std::vector<Result> all() const;

 private:
  std::vector<std::vector<Result>> cases_;
};

/// The result of a case with that name; null if it was not measured.
const Result* find(const std::vector<Result>& results, const std::string& name);

}  // namespace tessera::perf
