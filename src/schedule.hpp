// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <vector>

namespace tessera::program {

/// When to record, in simulated time: observables at 0, measure_every, 2 measure_every, ... and at the end, fields
/// likewise but not at 0 when field_every is 0. 0: no times in between. Observables at measure_times instead, if there
/// are any; they increase.
struct Schedule {
  double measure_every = 0;
  double field_every = 0;
  std::vector<double> measure_times = {};
};

/// Throws InputError unless the times are finite and a run to the time `goal`, which may be infinite, would record at
/// most 1e10 times.
void check(const Schedule& schedule, double goal);

/// Throws RunError if a run would record more than 1e10 times, to judge by the fraction of it that is
/// done after so many `records`: what check() cannot know of a run whose goal is no time.
void check_progress(const Schedule& schedule, std::int64_t records, double fraction_done);

}  // namespace tessera::program
