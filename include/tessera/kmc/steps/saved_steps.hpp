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

/// Writes the step states. `stopping_events`: the number of events to which the ceilings refer; a run to another number
/// ignores them.
inline void save_steps(io::CheckpointWriter& archive, const std::vector<StepState>& steps, const char* time_unit,
                       std::uint64_t stopping_events) {
  const auto each = [&]<class T>(const char* name, const char* unit, T StepState::*member) {
    std::vector<T> values;
    for (const StepState& s : steps) values.push_back(s.*member);
    archive.array(name, std::span<const T>(values), {values.size()}, unit);
  };
  each("time", time_unit, &StepState::time);
  each("events", "", &StepState::events);
  each("step", time_unit, &StepState::step);
  each("accepted", "", &StepState::accepted);
  each("rejected", "", &StepState::rejected);
  each("repaired", "", &StepState::repaired);
  each("overshot", "", &StepState::overshot);
  each("finished", "", &StepState::finished);
  each("wide_halo", "", &StepState::wide);
  each("ceiling", time_unit, &StepState::ceiling);
  const std::uint64_t ceiling_of[] = {stopping_events};
  archive.array("ceiling_of_event", std::span<const std::uint64_t>(ceiling_of), {1}, "");
}

/// Writes the origins of the replicas' times, and their windows.
template <Model M>
void save_origins(io::CheckpointWriter& archive, const M& model, const std::vector<Origin>& origins) {
  std::vector<double> times, ends;
  std::vector<std::int64_t> windows;
  for (const Origin& one : origins) {
    times.push_back(one.time);
    windows.push_back(one.window);
    ends.push_back(end_of_window(model, one.window));
  }
  archive.array("origin", std::span<const double>(times), {times.size()}, time_unit_of(model));
  if constexpr (!ChangesInTime<M>) return;
  archive.array("window", std::span<const std::int64_t>(windows), {times.size()}, "");
  archive.array("window_end", std::span<const double>(ends), {times.size()}, time_unit_of(model));
}

/// Whether the windows of an archive are those of another version, for which waiting times are drawn anew.
template <Model M>
bool has_other_windows([[maybe_unused]] const io::CheckpointReader& archive, [[maybe_unused]] const M& model) {
  if constexpr (ChangesInTime<M>) return std::isfinite(model.window_end(0)) && !archive.has("window_end");
  return false;
}

/// Reads the origins of `times`, for a model with the rates `first` in window 0. `redraw`: the rates are not those of
/// the archive; origins and times are then chosen anew. Throws InputError if a value is impossible.
template <Model M>
std::vector<Origin> load_origins(const io::CheckpointReader& archive, const RateWindow<M>& first,
                                 std::vector<double>& times, bool redraw) {
  std::vector<double> origins(times.size()), ends(times.size());
  std::vector<std::int64_t> windows(times.size());
  archive.array("origin", std::span(origins), {times.size()});
  if constexpr (ChangesInTime<M>) {
    archive.array("window", std::span(windows), {times.size()});
    if (archive.has("window_end")) archive.array("window_end", std::span(ends), {times.size()});
  }
  std::vector<Origin> all;
  RateWindow<M> its = first;
  for (std::size_t r = 0; r < times.size(); ++r) {
    Origin& one = all.emplace_back(Origin{origins[r], 0});
    const double total = one.total(times[r]);
    if (!(one.time >= 0 && std::isfinite(total))) refuse_loaded("origin", "it must be finite and not negative");
    double end = first.end;  // it belongs to this window and to the next one
    if constexpr (ChangesInTime<M>)
      while (end <= total && (redraw || one.window < windows[r])) end = first.model.window_end(++one.window);
    if (!redraw && (one.window != windows[r] || end < total)) refuse_loaded("window", "it must be that of the time");
    if (!redraw) continue;
    if (its.number != one.window) its = its.at(one.window);
    one.time = floor_to_multiple(total, its.epoch);
    times[r] = one.relative(total);
  }
  return all;
}

/// Reads the times of the last events of replicas at these times; the latter where further events are possible.
inline std::vector<double> load_absorbed(const io::CheckpointReader& archive, const std::vector<Origin>& origins,
                                         const std::vector<double>& times) {
  std::vector<double> at(times.size());
  archive.array("absorbed_at", std::span(at), {at.size()});
  check_each("absorbed_at", at, "it must not be negative", [](double time) { return time >= 0; });
  for (std::size_t r = 0; r < at.size(); ++r) at[r] = std::min(origins[r].relative(at[r]), times[r]);
  return at;
}

/// Reads the step states for runs that end at event number `stopping_events`. Returns whether the archive has steps;
/// archives of the sequential waiting-time method do not. Throws InputError if a value is impossible.
inline bool load_steps(const io::CheckpointReader& archive, std::vector<StepState>& steps,
                       std::uint64_t stopping_events) {
  const auto each = [&]<class T>(const char* name, T StepState::*member) {
    std::vector<T> values(steps.size());
    archive.array(name, std::span<T>(values), {values.size()});
    for (std::size_t r = 0; r < values.size(); ++r) steps[r].*member = values[r];
    return values;
  };
  const auto count = [&](const char* name, std::uint64_t StepState::*member) {
    check_loaded_counts(name, each(name, member));
  };
  const auto flag = [&](const char* name, std::int32_t StepState::*member) {
    check_each(name, each(name, member), "it must be 0 or 1",
               [](std::int32_t value) { return value == 0 || value == 1; });
  };
  steps.assign(steps.size(), StepState{});
  check_loaded_times(each("time", &StepState::time));
  count("events", &StepState::events);
  if (!archive.has("step") && !archive.has("ceiling")) return false;
  check_each("step", each("step", &StepState::step), "it must not be negative", [](double step) { return step >= 0; });
  count("accepted", &StepState::accepted);
  count("rejected", &StepState::rejected);
  count("repaired", &StepState::repaired);
  flag("overshot", &StepState::overshot);
  flag("finished", &StepState::finished);
  flag("wide_halo", &StepState::wide);
  std::uint64_t ceiling_of[1];
  archive.array("ceiling_of_event", std::span<std::uint64_t>(ceiling_of), {1});
  check_each("ceiling", each("ceiling", &StepState::ceiling), "it must be positive",
             [](double time) { return time > 0; });
  for (StepState& s : steps)
    if (ceiling_of[0] != stopping_events || !(s.ceiling > s.time)) s.ceiling = StepState{}.ceiling;
  return true;
}

/// Writes the events of each group and replica, [replicas][groups], if the model counts groups.
inline void save_counted(io::CheckpointWriter& archive, const std::vector<std::uint64_t>& counted,
                         std::size_t replicas) {
  if (!counted.empty()) archive.array("counted_events", std::span(counted), {replicas, counted.size() / replicas}, "");
}
/// Reads them.
inline void load_counted(const io::CheckpointReader& archive, std::vector<std::uint64_t>& counted,
                         std::size_t replicas) {
  if (counted.empty()) return;
  archive.array("counted_events", std::span(counted), {replicas, counted.size() / replicas});
  check_loaded_counts("counted_events", counted);
}

/// Appends the counted events of the model to the observables.
template <Model M>
void measure_counted(std::vector<Observable>& observables, const M& model, const std::vector<std::uint64_t>& counted,
                     std::size_t replicas) {
  for (const CountedEvents& one : counted_events_of(model)) {
    Observable& its = observables.emplace_back(Observable{one.name, "", std::vector<double>(replicas)});
    for (std::size_t r = 0; r < replicas; ++r)
      for (const auto& [group, weight] : one.weights)
        its.values[r] +=
            weight * static_cast<double>(counted[r * counted.size() / replicas + static_cast<std::size_t>(group)]);
  }
}

}  // namespace tessera::kmc
