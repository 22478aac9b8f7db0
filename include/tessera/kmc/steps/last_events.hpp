// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tessera/core/host_array.hpp>
#include <tessera/kmc/steps/clocks.hpp>
#include <tessera/kmc/steps/tile_steps.hpp>
#include <tessera/parallel/distribution.hpp>
#include <vector>

namespace tessera::kmc {

/// Marks replicas that may be absorbed: of a thousand cells of the lattice, or of a rank's block, none has an event.
template <class ExecutionSpace, Model M>
void look_for_events(const TileSteps<ExecutionSpace, M>& steps) {
  const auto s = steps.steps;
  const auto state = steps.work_.state;
  Kokkos::parallel_for(
      "tessera::kmc::look_for_events", Kokkos::RangePolicy<ExecutionSpace>(steps.space_, 0, state.geometry.replicas),
      KOKKOS_LAMBDA(int replica) {
        const Geometry& g = state.geometry;
        const std::int64_t looks = g.sites() < 1021 ? g.sites() : 1021;
        bool found = s(replica).absorbed != 0;
        for (std::int64_t i = 0; i < looks && !found; ++i) {
          const auto site = static_cast<int>(i * g.sites() / looks), row = site / g.nx;
          found = g.owns(row / g.tile * g.tiles_x + (site - row * g.nx) / g.tile) &&
                  state.times(state.index(replica, site)) < StepRules::never;
        }
        if (!found) s(replica).absorbed = -1;
      });
}

/// Collective. Copies the step states to `now`. Finds the replicas in which no event is possible any more, at these
/// rates; if ends(replica), they have finished. Sets the time of each replica that has come to its end since the states
/// `now` to that of its last event, or to the end of the advance if that is finite.
template <class ExecutionSpace, Model M, class Ends>
void find_last_events(const TileSteps<ExecutionSpace, M>& steps, const parallel::Distribution& distribution,
                      const Ends& ends, std::vector<StepState>& now) {
  const std::vector<StepState> before = now;
  look_for_events(steps);
  copy_and_wait(steps.space_, host_array(now), steps.steps);
  std::vector<std::int64_t> marks;
  for (const StepState& its : now) marks.push_back(its.absorbed);
  distribution.ranks.min(std::span(marks));
  const bool is_marked = std::ranges::any_of(marks, [](std::int64_t mark) { return mark < 0; });
  bool any = is_marked;
  for (std::size_t r = 0; r < now.size(); ++r) any |= now[r].finished != before[r].finished;
  if (!any) return;
  if (!distribution.is_serial()) steps.fill_ghosts();
  std::vector<double> earliest(now.size(), 0), last(now.size(), 0);
  if (is_marked) earliest = earliest_times(steps, distribution);
  for (std::size_t r = 0; r < now.size(); ++r)
    if (marks[r] < 0 || now[r].finished != before[r].finished) last[r] = steps.last_event(static_cast<int>(r), now[r]);
  distribution.ranks.max(std::span(last));
  for (std::size_t r = 0; r < now.size(); ++r) {
    StepState& its = now[r];
    its.absorbed = marks[r] > 0 || (marks[r] < 0 && earliest[r] == StepRules::never) ? 1 : 0;
    if (its.absorbed && !before[r].absorbed) its.step = its.active = 0;
    if (its.absorbed && ends(r)) its.finished = 1;
    if (!before[r].active || !(its.finished || its.absorbed)) continue;
    its.time = its.last_event = last[r];
    steps.rules_.aim(its);
  }
  copy_and_wait(steps.space_, steps.steps, host_array(now));
}

}  // namespace tessera::kmc
