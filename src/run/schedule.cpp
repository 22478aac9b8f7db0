// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tessera/analysis/time_averages.hpp>
#include <tessera/core/error.hpp>
#include <utility>

#include "options/text.hpp"

namespace tessera::program {
namespace {

constexpr double most =
    1e10;  ///< largest number of rows; a run "until stopped", with a stopping time that is never reached, has fewer

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double rounding = 1e-9;  // 3 x 0.7 is slightly less than 2.1 in floating point; the end is a single time

}  // namespace

double RecordTimes::at(std::int64_t number, double end) const {
  if (!list.empty())
    return static_cast<std::size_t>(number) < list.size() ? list[static_cast<std::size_t>(number)] : never;
  if (number == 0) return at_start || every > 0 ? 0 : never;
  if (!(every > 0)) return never;
  const double time = static_cast<double>(number) * every;
  return std::abs(time - end) < rounding * every ? end : time;
}

double RecordTimes::after(double from, double end) const {
  if (!list.empty())
    return 1 + static_cast<double>(std::ranges::count_if(list, [&](double t) { return t > from && t < end; }));
  if (!(every > 0)) return at_start && from < 0 && end > 0 ? 2 : 1;
  const double first = from < 0 ? 0 : std::floor(from / every) + 1;
  return 1 + std::max(0.0, std::ceil(end / every - rounding) - first);
}

double short_times(std::int64_t number) {
  const std::int64_t third = number % 3;
  return std::strtod((std::to_string(third * third + 1) + "e" + std::to_string(number / 3 - 30)).c_str(), nullptr);
}

double thousandth_of(double end) {
  std::int64_t number = 0;
  while (short_times(number + 1) <= std::min(end, 1e300) / 1000 * (1 + rounding)) ++number;
  return short_times(number);
}

void check(const Schedule& schedule, double end) {
  for (const auto& [key, every] :
       {std::pair{"--measure-every ", schedule.measure_every}, {"--field-every ", schedule.field_every}}) {
    if (!(every >= 0 && std::isfinite(every)))
      throw InputError(key + write_value(every) + ": must be a finite time, 0 or more");
    if (every > 0 && std::isfinite(end) && end / every > most)
      throw InputError(key + write_value(every) + ": would give " + short_number(end / every) + " rows until time " +
                       short_number(end) + "; use at least " + short_number(end / most));
  }
}

void read_value(const std::string& text, AverageFrom& value) {
  value = text == "auto" ? AverageFrom(0, true) : AverageFrom();
  if (text != "auto") read_value(text, value.time);
}

std::string write_value(const AverageFrom& value) { return value.is_chosen ? "auto" : write_value(value.time); }

void check_averages(const Schedule& schedule, double end, int replicas) {
  // At most half of the measurements are left out where the run chooses the time.
  const double from = schedule.average_from.is_chosen && std::isfinite(end) ? end / 2 : schedule.average_from.time;
  if (from == never) return;
  const std::string option = "--average-from " + write_value(schedule.average_from) + ": ";
  if (!(from >= 0)) throw InputError(option + "must be a time, 0 or more, auto, or inf for no averages");
  if (from >= end) throw InputError(option + "must be before the end of the run, at time " + write_value(end));
  constexpr double enough = analysis::TimeAverages::fewest_samples;
  const double count = schedule.measure_work > 0 ? never : schedule.measurements().after(from, end);
  if (count * replicas >= enough) return;
  throw InputError(option + "leaves " + counted(static_cast<long long>(count), "measurement") + " of " +
                   counted(replicas, "replica") + (schedule.average_from.is_chosen ? " in the second half" : "") +
                   ", but an average needs at least " + write_value(int(enough)) +
                   " of all replicas together; measure more often or run longer");
}

double fraction_done(const SimulationInterface& simulation) {
  return std::clamp(
      std::max(simulation.time() / simulation.stopping_time(), simulation.work() / simulation.stopping_work()), 0.0,
      1.0);
}

void check_progress(const Schedule& schedule, std::int64_t records, double fraction_done) {
  constexpr std::int64_t few = 100000;
  if (records < few || static_cast<double>(records) <= most * fraction_done) return;
  std::string options;
  if (schedule.measure_every > 0) options = "--measure-every " + write_value(schedule.measure_every);
  if (schedule.measure_work > 0) options = "--measure-every-events";
  if (schedule.field_every > 0)
    options += (options.empty() ? "" : ", ") + ("--field-every " + write_value(schedule.field_every));
  throw RunError(options + ": after " + std::to_string(records) + " rows only the fraction " +
                 short_number(fraction_done) + " of the run is done; use longer intervals");
}

}  // namespace tessera::program
