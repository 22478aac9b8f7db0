// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace tessera::program {

/// When to record, in simulated time: observables at 0, measure_every, 2 measure_every, ... and at the end, fields
/// likewise but not at 0 when field_every is 0. 0: no times in between. Observables at measure_times instead, if there
/// are any; they increase.
struct Schedule {
  double measure_every = 0;
  double field_every = 0;
  std::vector<double> measure_times = {};
  double average_from = std::numeric_limits<double>::infinity();  ///< means are over the measurements after this time
  bool fields = true;                                             ///< false: there are none, not even at the end
};

/// Throws InputError unless the times are finite and a run to the time `goal`, which may be infinite, would record at
/// most 1e10 times.
void check(const Schedule& schedule, double goal);

/// Throws InputError unless measurements of so many replicas in a run to the time `goal` are enough for errors of their
/// averages, if they are to be averaged; of a run whose goal is no time that is not known.
void check_averages(const Schedule& schedule, double goal, int replicas);

/// Throws RunError if a run would record more than 1e10 times, to judge by the fraction of it that is
/// done after so many `records`: what check() cannot know of a run whose goal is no time.
void check_progress(const Schedule& schedule, std::int64_t records, double fraction_done);

}  // namespace tessera::program
