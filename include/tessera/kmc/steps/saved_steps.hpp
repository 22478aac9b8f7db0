// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <tessera/core/observable.hpp>
#include <tessera/io/checkpoint.hpp>
#include <tessera/kmc/model.hpp>
#include <tessera/kmc/state/loaded.hpp>
#include <tessera/kmc/steps/step_state.hpp>
#include <vector>

/// Step states of the replicas in an archive, one array per quantity with one value per replica.
namespace tessera::kmc {

/// Writes the step states. `event_goal`: the number of events to which the ceilings refer; a run with another goal
/// ignores them.
inline void save_steps(io::CheckpointWriter& archive, const std::vector<StepState>& steps, const char* time_unit,
                       std::uint64_t event_goal) {
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
  each("unresolved", "", &StepState::unresolved);
  each("overshot", "", &StepState::overshot);
  each("finished", "", &StepState::finished);
  each("wide_halo", "", &StepState::wide);
  each("ceiling", time_unit, &StepState::ceiling);
  const std::uint64_t goal[] = {event_goal};
  archive.array("ceiling_of_event", std::span<const std::uint64_t>(goal), {1}, "");
}

/// Reads the times of the last events of replicas at these times; the latter where further events are possible.
inline std::vector<double> load_absorbed(const io::CheckpointReader& archive, const std::vector<double>& times) {
  std::vector<double> at(times.size());
  archive.array("absorbed_at", std::span(at), {at.size()});
  check_each("absorbed_at", at, "it must not be negative", [](double time) { return time >= 0; });
  for (std::size_t r = 0; r < at.size(); ++r) at[r] = std::min(at[r], times[r]);
  return at;
}

/// Reads the step states for runs that end at event number `event_goal`. Returns whether the archive has steps;
/// archives of the sequential waiting-time method do not. Throws InputError if a value is impossible.
inline bool load_steps(const io::CheckpointReader& archive, std::vector<StepState>& steps, std::uint64_t event_goal) {
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
  const std::vector<double> last = load_absorbed(archive, each("time", &StepState::last_event));
  for (std::size_t r = 0; r < last.size(); ++r) steps[r].last_event = last[r];
  count("events", &StepState::events);
  count("unresolved", &StepState::unresolved);
  if (!archive.has("step") && !archive.has("ceiling")) return false;
  check_each("step", each("step", &StepState::step), "it must not be negative", [](double step) { return step >= 0; });
  count("accepted", &StepState::accepted);
  count("rejected", &StepState::rejected);
  count("repaired", &StepState::repaired);
  flag("overshot", &StepState::overshot);
  flag("finished", &StepState::finished);
  flag("wide_halo", &StepState::wide);
  std::uint64_t goal[1];
  archive.array("ceiling_of_event", std::span<std::uint64_t>(goal), {1});
  check_each("ceiling", each("ceiling", &StepState::ceiling), "it must be positive",
             [](double time) { return time > 0; });
  for (StepState& s : steps)
    if (goal[0] != event_goal || !(s.ceiling > s.time)) s.ceiling = StepState{}.ceiling;
  return true;
}

/// Resets what depends on the rates.
inline void forget_rates(std::vector<StepState>& steps) {
  for (StepState& s : steps) {
    s.overshot = 0;
    s.ceiling = StepState{}.ceiling;
  }
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
