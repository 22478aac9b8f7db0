// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/kokkos_ext/team_scratch.hpp>
#include <tessera/kmc/kernels/advance_tile.hpp>
#include <tessera/kmc/state/state.hpp>
#include <tessera/kmc/state/waiting_times.hpp>
#include <tessera/kmc/steps/step_state.hpp>

namespace tessera::kmc {

/// Steps of a replica whose periodic lattice is a single tile without halo. A team does not depend on other teams: only
/// the order of its events is checked, nothing is repaired, and the team itself decides and continues. Shorter steps
/// have fewer events out of order; a step with any is rejected like an inconsistent one.
template <class ExecutionSpace, Model M>
struct AdvanceReplica {
  using MemorySpace = typename ExecutionSpace::memory_space;
  using Window = WindowOf<ExecutionSpace, M, true, false>;

  State<MemorySpace, M> state;
  M model;
  StepRules rules;
  EventOrder first_order = EventOrder::local;  ///< for a team of several lanes

  /// Makes up to `steps` steps of an active replica, and none after `share` events. Lane 0 calls record(i, line) for
  /// each step, also for those that are not made. The events of each group in accepted steps are added to `counted`.
  template <class Team, class Record>
  KOKKOS_FUNCTION void run(const Team& team, const TileScratch& scratch, int replica, int steps, double share,
                           StepState& s, std::uint64_t* counted, const Record& record) const {
    const std::uint64_t events_before = s.events;
    int i = 0;
    double last = s.last_event;
    for (; i < steps && s.active && static_cast<double>(s.events - events_before) < share; ++i) {
      Window window(team, scratch, state, 0, replica, 0, s.time, s.target, false);
      double last_of_step = 0;
      bool any = false;
      StepReport report = advance(team, window, first_order, last_of_step, any);
      std::uint32_t repeats = 0;
      if constexpr (Concerned<M>::reach > 1)  // their events are out of order more often
        for (; report.inconsistent != 0 && window.next_order() == EventOrder::in_parts; ++repeats)
          report = advance(team, window, EventOrder::in_parts, last_of_step, any);
      report.repeats = repeats;
      // A step with few events, or the shortest step, is repeated in sequential order instead of rejected.
      if (report.inconsistent != 0 && (report.events <= few || s.target <= next_time(s.time)))
        report = advance(team, window, EventOrder::one_by_one, last_of_step, any);
      StepRecord line{s.time, s.target - s.time, 0, report.too_long ? 0 : report.events, 0};
      rules.decide(s, report);
      line.accepted = s.accept;
      if (s.accept) window.store(team, RejectsEvents<M> ? any : report.events > 0);
      if (s.accept && last_of_step > last) last = last_of_step;
      rules.aim(s);
      if (i + 1 == steps || !s.active || static_cast<double>(s.events - events_before) >= share)
        s.last_event = window.latest(team, last);
      if (team.team_rank() == 0) record(i, line);
      if (line.accepted != 0 && line.events != 0)
        state.visit_counted(team, replica, [&](int group, std::uint32_t count) { counted[group] += count; });
      sync_team(team);
    }
    for (; i < steps && team.team_rank() == 0; ++i) record(i, StepRecord{0, 0, 0, 0, -1});
  }

 private:
  static constexpr std::uint64_t few = 16;

  /// Returns the same report in all lanes. `last`: time of the last event of this lane; 0: none; `any`: whether cells
  /// have changed or drawn new waiting times.
  template <class Team>
  KOKKOS_FUNCTION StepReport advance(const Team& team, Window& window, EventOrder order, double& last,
                                     bool& any) const {
    StepReport report;
    last = 0;
    any = false;
    if (!window.load(team, model, order, true)) return report;
    std::uint64_t rejected = 0;
    const int performed = perform_all(window, team, model, [&](int, int, int, int, int k, double now, std::int64_t) {
      last = k == 0 && now > last ? now : last;
      rejected += k == rejected_event ? 1 : 0;
    });
    any = performed > 0;
    report.too_long = performed > most_events(window) ? 1 : 0;
    report.inconsistent = window.in_order() ? 0 : 1;
    report.events = static_cast<std::uint64_t>(performed) - (rejects() ? window.total(team, rejected) : 0);
    return report;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool rejects() const {
    if constexpr (RejectsEvents<M>) return model.rejects();
    return false;
  }
};

}  // namespace tessera::kmc
