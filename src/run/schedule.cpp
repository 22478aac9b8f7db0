// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <tessera/analysis/block_averages.hpp>
#include <tessera/core/error.hpp>
#include <utility>

#include "options/number_text.hpp"
#include "options/value_text.hpp"

namespace tessera::program {
namespace {

constexpr double most =
    1e10;  ///< times to record; a goal far beyond the time that there is, "until stopped", has fewer

/// Measurements after `from` in a run to `goal`, with the one at the end.
double measurements_after(double from, double goal, const Schedule& schedule) {
  const auto& times = schedule.measure_times;
  if (!times.empty())
    return 1 + static_cast<double>(std::ranges::count_if(times, [&](double t) { return t > from && t < goal; }));
  const double every = schedule.measure_every;
  return every > 0 ? std::max(1.0, std::ceil(goal / every) - std::floor(from / every)) : 1;
}

}  // namespace

void check(const Schedule& schedule, double goal) {
  for (const auto& [key, every] :
       {std::pair{"--measure-every ", schedule.measure_every}, {"--field-every ", schedule.field_every}}) {
    if (!(every >= 0 && std::isfinite(every)))
      throw InputError(key + write_value(every) + ": must be a time, 0 or more");
    if (every > 0 && std::isfinite(goal) && goal / every > most) {
      throw InputError(key + write_value(every) + ": that would be " + short_number(goal / every) + " times to " +
                       short_number(goal) + "; must be " + short_number(goal / most) + " or more");
    }
  }
}

void check_averages(const Schedule& schedule, double goal, int replicas) {
  const double from = schedule.average_from;
  if (from == std::numeric_limits<double>::infinity()) return;
  const std::string option = "--average-from " + write_value(from) + ": ";
  if (!(from >= 0)) throw InputError(option + "must be a time, 0 or more, or inf for no averages");
  if (from >= goal) throw InputError(option + "the run ends before, at time " + write_value(goal));
  constexpr double enough = analysis::BlockAverages::enough;
  const double count = measurements_after(from, goal, schedule);
  if (count * replicas >= enough) return;
  throw InputError(option + "there would be " + counted(static_cast<long long>(count), "measurement") + " of " +
                   counted(replicas, "replica") + " after it; an average takes " + write_value(int(enough)) +
                   " or more of all replicas together: measure more often, or run longer");
}

void check_progress(const Schedule& schedule, std::int64_t records, double fraction_done) {
  constexpr std::int64_t few = 100000;
  if (records < few || static_cast<double>(records) <= most * fraction_done) return;
  std::string options;
  if (schedule.measure_every > 0) options = "--measure-every " + write_value(schedule.measure_every);
  if (schedule.field_every > 0)
    options += (options.empty() ? "" : ", ") + ("--field-every " + write_value(schedule.field_every));
  throw RunError(options + ": after " + std::to_string(records) + " of these times only " +
                 short_number(fraction_done) + " of the run is done; it needs longer ones to come to an end");
}

}  // namespace tessera::program
