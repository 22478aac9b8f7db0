// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace tessera::program {

/// The time after which measurements are averaged; infinity: none are. Or the run chooses the time, by
/// analysis::TimeAverages::settled_after().
struct AverageFrom {
  AverageFrom(double after = std::numeric_limits<double>::infinity(), bool chooses = false)  // NOLINT
      : time(after), is_chosen(chooses) {}
  double time;
  bool is_chosen;
};
void read_value(const std::string& text, AverageFrom& value);
std::string write_value(const AverageFrom& value);

/// Times of recording, in simulated time. Observables are recorded at 0, measure_every, 2 measure_every, ... and at the
/// end; fields likewise, but not at 0 if field_every is 0. 0: no times in between. If measure_times is not empty,
/// observables are recorded at these increasing times instead. If measure_work is not 0, measure_every is the first
/// of the short_times() in which the simulation does so much work.
struct Schedule {
  double measure_every = 0;
  double field_every = 0;
  std::vector<double> measure_times = {};
  AverageFrom average_from = {};
  double measure_work = 0;
  bool fields = true;  ///< false: no fields, not even at the end
};

/// The increasing times 1e-30, 2e-30, 5e-30, 1e-29, ...
double short_times(std::int64_t number);

/// Throws InputError unless the times are finite and a run to the time `goal`, which may be infinite, records at most
/// 1e10 rows.
void check(const Schedule& schedule, double goal);

/// Throws InputError if averages are required and a run of `replicas` replicas to the time `goal` has too few
/// measurements for their errors. Not checked if the goal is infinite.
void check_averages(const Schedule& schedule, double goal, int replicas);

/// Throws RunError if a run would record more than 1e10 rows, extrapolated from the completed fraction after `records`
/// rows. This covers runs with a goal in work, which check() cannot.
void check_progress(const Schedule& schedule, std::int64_t records, double fraction_done);

}  // namespace tessera::program
