// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "schedule.hpp"

#include <cmath>
#include <string>
#include <tessera/core/error.hpp>
#include <utility>

#include "progress.hpp"
#include "value_text.hpp"

namespace tessera::program {
namespace {

constexpr double most =
    1e10;  ///< times to record; a goal far beyond the time that there is, "until stopped", has fewer

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
