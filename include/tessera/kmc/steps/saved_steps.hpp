// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tessera/core/observable.hpp>
#include <tessera/io/checkpoint.hpp>
#include <tessera/kmc/model.hpp>
#include <tessera/kmc/state/clock.hpp>
#include <tessera/kmc/state/loaded.hpp>
#include <tessera/kmc/steps/step_state.hpp>
#include <vector>

/// Step states of the replicas in an archive, one array per quantity with one value per replica.
namespace tessera::kmc {

/// Calls each(name, unit, member, what is possible, whether a value is) for the entries of step states.
template <class Each>
void each_entry_of_steps(const char* time_unit, const Each& each) {
  const char *const count = "it must be less than 2^62", *const flag = "it must be 0 or 1";
  const auto is_count = [](std::uint64_t value) { return value >> 62 == 0; };
  const auto is_flag = [](std::int32_t value) { return value == 0 || value == 1; };
  each("step", time_unit, &StepState::step, "it must not be negative", [](double step) { return step >= 0; });
  each("accepted", "", &StepState::accepted, count, is_count);
  each("rejected", "", &StepState::rejected, count, is_count);
  each("repaired", "", &StepState::repaired, count, is_count);
  each("overshot", "", &StepState::overshot, flag, is_flag);
  each("finished", "", &StepState::finished, flag, is_flag);
  each("wide_halo", "", &StepState::wide, flag, is_flag);
  each("ceiling", time_unit, &StepState::ceiling, "it must be positive", [](double time) { return time > 0; });
}

/// Writes the step states apart from times and numbers of events. `stopping_events`: the number of events to which the
/// ceilings refer; a run to another number ignores them.
inline void save_steps(io::CheckpointWriter& archive, const std::vector<StepState>& steps, const char* time_unit,
                       std::uint64_t stopping_events) {
  each_entry_of_steps(time_unit, [&]<class T>(const char* name, const char* unit, T StepState::*member, auto...) {
    std::vector<T> values;
    for (const StepState& s : steps) values.push_back(s.*member);
    archive.array(name, values, {values.size()}, unit);
  });
  archive.array("ceiling_of_event", std::vector{stopping_events}, {1}, "");
}

/// Writes the clocks of the replicas, the numbers of events, and the times of the last events, `absorbed`.
template <Model M>
void save_progress(io::CheckpointWriter& archive, const M& model, const Trajectory<M>& at,
                   const std::vector<double>& absorbed) {
  const std::size_t replicas = at.times.size();
  const char* const unit = time_unit_of(model);
  std::vector<double> origins, ends;
  std::vector<std::int64_t> windows;
  for (const Origin& one : at.origins) {
    origins.push_back(one.time);
    windows.push_back(one.window);
    ends.push_back(end_of_window(model, one.window));
  }
  archive.array("time", at.times, {replicas}, unit);
  archive.array("events", at.events, {replicas}, "");
  archive.array("origin", origins, {replicas}, unit);
  if constexpr (ChangesInTime<M>) {
    archive.array("window", windows, {replicas}, "");
    archive.array("window_end", ends, {replicas}, unit);
  }
  archive.array("absorbed_at", absorbed, {replicas}, unit);
  if (!at.counted.empty()) archive.array("counted_events", at.counted, {replicas, at.counted.size() / replicas}, "");
}

/// Reads what save_progress() writes, for `replicas` replicas and `counted` numbers of events of groups, of a model
/// with the rates `first` in window 0. `redraw`: the rates are not those of the archive, and origins and times are
/// chosen anew; set if the windows of the archive are those of another version. Throws InputError if a value is
/// impossible.
template <Model M>
Trajectory<M> load_progress(const io::CheckpointReader& archive, const RateWindow<M>& first, std::size_t replicas,
                            std::size_t counted, bool& redraw) {
  Trajectory<M> read;
  std::vector<double> origins(replicas), ends(replicas);
  std::vector<std::int64_t> windows(replicas);
  const auto each = [&](const char* name, auto& values) {
    values.resize(replicas);
    archive.array(name, std::span(values), {replicas});
  };
  each("time", read.times);
  check_each("time", read.times, "it must be finite and not negative",
             [](double time) { return time >= 0 && std::isfinite(time); });
  each("events", read.events);
  check_loaded_counts("events", read.events);
  each("origin", origins);
  if constexpr (ChangesInTime<M>) {
    if (archive.has("window")) each("window", windows);  // else the rates were constant
    if (archive.has("window_end")) each("window_end", ends);
    redraw = redraw || (std::isfinite(first.end) && !archive.has("window_end"));
  }
  RateWindow<M> its = first;
  for (std::size_t r = 0; r < replicas; ++r) {
    Origin& one = read.origins.emplace_back(Origin{origins[r], 0});
    const double total = one.total(read.times[r]);
    if (!(one.time >= 0 && std::isfinite(total))) refuse_loaded("origin", "it must be finite and not negative");
    double end = first.end;  // it belongs to this window and to the next one
    if constexpr (ChangesInTime<M>)
      while (end <= total && (redraw || one.window < windows[r])) end = first.model.window_end(++one.window);
    if (!redraw && (one.window != windows[r] || end < total)) refuse_loaded("window", "it must be that of the time");
    if (!redraw) continue;
    if (its.number != one.window) its = its.at(one.window);
    one.time = floor_to_multiple(total, its.epoch);
    read.times[r] = one.relative(total);
  }
  each("absorbed_at", read.last_events);  // infinite where further events are possible
  check_each("absorbed_at", read.last_events, "it must not be negative", [](double time) { return time >= 0; });
  for (std::size_t r = 0; r < replicas; ++r)
    read.last_events[r] = std::min(read.origins[r].relative(read.last_events[r]), read.times[r]);
  read.counted.resize(counted);
  if (counted > 0) archive.array("counted_events", std::span(read.counted), {replicas, counted / replicas});
  check_loaded_counts("counted_events", read.counted);
  return read;
}

/// Reads what save_steps() writes, for runs that end at event number `stopping_events`. Returns whether the archive has
/// steps; archives of the sequential waiting-time method do not. Throws InputError if a value is impossible.
inline bool load_steps(const io::CheckpointReader& archive, std::vector<StepState>& steps,
                       std::uint64_t stopping_events) {
  if (!archive.has("step") && !archive.has("ceiling")) return false;
  each_entry_of_steps(
      "", [&]<class T>(const char* name, const char*, T StepState::*member, const char* what, const auto& possible) {
        std::vector<T> values(steps.size());
        archive.array(name, values, {values.size()});
        check_each(name, values, what, possible);
        for (std::size_t r = 0; r < values.size(); ++r) steps[r].*member = values[r];
      });
  std::uint64_t ceiling_of[1];
  archive.array("ceiling_of_event", std::span<std::uint64_t>(ceiling_of), {1});
  for (StepState& s : steps)
    if (ceiling_of[0] != stopping_events || !(s.ceiling > s.time)) s.ceiling = StepState{}.ceiling;
  return true;
}

/// Appends the numbers of events of all replicas, and the events that the model counts, to the observables.
template <Model M>
void measure_events(std::vector<Observable>& observables, const M& model, const std::vector<std::uint64_t>& events,
                    const std::vector<std::uint64_t>& counted) {
  const std::size_t replicas = events.size();
  observables.push_back({"events", "", {events.begin(), events.end()}});
  for (const CountedEvents& one : counted_events_of(model)) {
    Observable& its = observables.emplace_back(Observable{one.name, "", std::vector<double>(replicas)});
    for (std::size_t r = 0; r < replicas; ++r)
      for (const auto& [group, weight] : one.weights)
        its.values[r] +=
            weight * static_cast<double>(counted[r * counted.size() / replicas + static_cast<std::size_t>(group)]);
  }
}

}  // namespace tessera::kmc
