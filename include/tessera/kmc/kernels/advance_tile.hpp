// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/kokkos_ext/lanes.hpp>
#include <tessera/core/kokkos_ext/team_scratch.hpp>
#include <tessera/kmc/kernels/checksums.hpp>
#include <tessera/kmc/kernels/lone_window.hpp>
#include <tessera/kmc/kernels/team_window.hpp>
#include <tessera/kmc/kernels/tile_report.hpp>
#include <tessera/kmc/state.hpp>
#include <type_traits>

namespace tessera::kmc {

/// Algorithm 2 for one tile: the window of tile and halo is read to team scratch and advanced by the waiting-time
/// method subject to fixed outermost cells; what it has changed in the central tile goes to the back buffer.
///
/// A team of several lanes performs several events at once, and spreads over its lanes the redraws of all cells that
/// they concern (TeamWindow); if that turns out to have mixed up their order it does it again in a slower one. A tile
/// reads the front buffers of the tiles around it and writes its own back buffer alone, so that teams do not race.
template <class ExecutionSpace, Model M>
struct AdvanceTile {
  using MemorySpace = typename ExecutionSpace::memory_space;
  static constexpr bool alone = lanes_per_tile<ExecutionSpace> == 1;
  using Window = std::conditional_t<alone, LoneWindow<MemorySpace, M>, TeamWindow<MemorySpace, M>>;

  State<MemorySpace, M> state;
  M model;
  int lazy_below;          ///< with fewer events than this in a window, generators are read when they are needed
  EventOrder first_order;  ///< of a team of several lanes
  bool sparingly;          ///< it writes changed cells alone, and not the whole of a tile that has changed

  /// Runs a tile of a replica from time `begin` to `end` in the team's `scratch`; writes State::written, its checksums
  /// to `result`, and returns the report in lane 0. With `skip` it is as if there were no events.
  template <class Team>
  KOKKOS_FUNCTION TileReport run(const Team& team, char* scratch, int replica, int tile, int halo, double begin,
                                 double end, std::uint64_t* result, bool skip = false) const {
    Window window(team, scratch, state, halo, replica, tile, begin, end, lazy_below, skip);
    EventOrder order = first_order;
    for (int runs = 1;; ++runs) {
      TileReport report;
      Sums sums;
      report.runs = runs;
      if (!window.load(team, order)) {
        for (int k = team.team_rank(); k < checksums<M>; k += team.team_size()) result[k] = 0;
        if (team.team_rank() == 0) {
          state.written(std::int64_t{replica} * state.geometry.tiles() + tile) = State<MemorySpace, M>::nothing;
        }
        return report;
      }
      simulate(team, window, sums, report);
      if (report.too_long) return report;
      if (window.in_order(team)) {
        report.touched = window.any(team, report.touched);
        window.store(team, report.touched, sparingly);
        sync_team(team);
        unite<M, alone>(team, sums, report, window.room(), result);
        return report;
      }
      order = order == EventOrder::local ? EventOrder::slices : EventOrder::one_by_one;
    }
  }

 private:
  using Sums = Checksums<M, alone>;
  static constexpr int concerned = 1 + M::neighbours;  ///< cells that an event redraws

  /// Performs the events before the end of the step, or until there are too many. A lane redraws one of the cells that
  /// an event concerns, for all events alike: the cell itself (k = 0) or its neighbour k - 1. A lone lane redraws them
  /// all, one after the other.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void simulate(const Team& team, Window& window, Sums& sums, TileReport& report) const {
    const int events_at_once = alone ? 1 : team.team_size() / concerned;
    const int first_event = alone ? 0 : team.team_rank() / concerned;
    const int first_k = alone ? 0 : team.team_rank() % concerned, end_k = alone ? concerned : first_k + 1;
    const bool idle = first_event >= events_at_once;  // one of the lanes that are left over
    const int most = most_events(window.inner_cells());
    int performed = 0;
    for (int count = window.fire(team, model); count > 0; count = window.fire(team, model)) {
      performed += count;
      report.too_long = performed > most;
      if (report.too_long) return;
      for (int event = idle ? count : first_event; event < count; event += events_at_once) {
        const int cell = window.cell(event);
        const double now = window.time(event);
        const int y = window.row(cell), x = cell - y * window.side;
        for (int k = first_k; k < end_k; ++k) {
          const int dx = k == 0 ? 0 : neighbour_dx(k - 1), dy = k == 0 ? 0 : neighbour_dy(k - 1);
          if (window.live(x + dx, y + dy)) window.redraw(team, model, now, x + dx, y + dy);
          record_event<M, alone>(window, sums, report, x, y, dx, dy, k, now, window.states[cell]);
        }
      }
      window.end_round(team);
    }
  }
};

}  // namespace tessera::kmc
