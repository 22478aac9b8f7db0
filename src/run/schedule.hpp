// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <tessera/simulation/simulation_interface.hpp>
#include <vector>

namespace tessera::program {

/// The time after which measurements are averaged, infinity: none; or chosen by the Averager.
struct AverageFrom {
  AverageFrom(double after = std::numeric_limits<double>::infinity(), bool chooses = false)  // NOLINT
      : time(after), is_chosen(chooses) {}
  double time;
  bool is_chosen;
};
void read_value(const std::string& text, AverageFrom& value);
std::string write_value(const AverageFrom& value);

/// Times at which a run records something: 0, every, 2 every, ..., or those of an increasing list if it is not empty.
struct RecordTimes {
  double every = 0;  ///< 0: no time after 0
  std::vector<double> list = {};
  bool at_start = true;  ///< false: not even 0 if `every` is 0

  /// Time `number` in a run to the time `end`, which may be infinite; infinity if there are fewer.
  double at(std::int64_t number, double end) const;
  /// The number of times in a run after `from` and until its end, which is one of them.
  double after(double from, double end) const;
  double until(double end) const { return after(-1, end); }
};

/// What a run records, in simulated time: observables at measurements() and fields at field_times(), and both at the
/// end. If measure_work is not 0, measure_every is the first of the short_times() in which so much work is done; a
/// longer one if the rate of the work falls, and before follows_until a shorter one if it rises.
struct Schedule {
  double measure_every = 0;
  double field_every = 0;
  std::vector<double> measure_times = {};  ///< not empty: instead of multiples of measure_every
  AverageFrom average_from = {};
  double measure_work = 0;
  double follows_until = 0;
  bool fields = true;  ///< false: no fields, not even at the end

  RecordTimes measurements() const { return {measure_every, measure_times}; }
  RecordTimes field_times() const { return {field_every, {}, false}; }
};

/// The largest of the short_times() of which there are at least 1000 in `end`, and at most 2500.
double thousandth_of(double end);

/// The increasing times 1e-30, 2e-30, 5e-30, 1e-29, ...
double short_times(std::int64_t number);

/// Throws InputError unless the times are finite and a run to the time `end` (or infinity) records at most 1e10 rows.
void check(const Schedule& schedule, double end);

/// Throws InputError if averages are required and a run of `replicas` replicas to the time `end` has too few
/// measurements for their errors. Not checked if this time is infinite.
void check_averages(const Schedule& schedule, double end, int replicas);

/// Completed part of a simulation, 0 to 1.
double fraction_done(const SimulationInterface& simulation);

/// Throws RunError if a run would record more than 1e10 rows, extrapolated from the completed fraction after `records`
/// rows. This covers runs that end after an amount of work, which check() cannot.
void check_progress(const Schedule& schedule, std::int64_t records, double fraction_done);

}  // namespace tessera::program
