// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/kokkos_ext/lanes.hpp>
#include <tessera/core/kokkos_ext/team_scratch.hpp>
#include <tessera/kmc/kernels/checksums.hpp>
#include <tessera/kmc/kernels/single_lane_window.hpp>
#include <tessera/kmc/kernels/team_window.hpp>
#include <tessera/kmc/kernels/tile_report.hpp>
#include <tessera/kmc/state/state.hpp>
#include <type_traits>

namespace tessera::kmc {

/// Window type for the teams of a backend. `streams_in_level0`: streams are in level-0 scratch memory, for teams of
/// several lanes.
template <class ExecutionSpace, Model M, bool whole, bool streams_in_level0>
using WindowOf = std::conditional_t<lanes_per_tile<ExecutionSpace> == 1,
                                    SingleLaneWindow<typename ExecutionSpace::memory_space, M, whole>,
                                    TeamWindow<typename ExecutionSpace::memory_space, M, whole, streams_in_level0>>;

/// Performs all events of a loaded window before the end of the step, and returns their number. Stops if it exceeds
/// most_events(): the step is too long. `record`: see perform() of the windows.
template <class Window, class Team, Model M, class Record>
KOKKOS_FORCEINLINE_FUNCTION int perform_all(Window& window, const Team& team, const M& model, const Record& record) {
  const int most = most_events(window);
  int performed = 0;
  for (int count = window.fire(team); count > 0; count = window.fire(team)) {
    performed += count;
    if (performed > most) break;
    window.perform(team, model, count, record);
  }
  return performed;
}

/// Algorithm 2 for one tile. The window of tile and halo is read to the scratch memory of a team, and advanced by the
/// waiting-time method with a fixed boundary. Changed cells of the central tile are written to the back buffer.
///
/// A team of several lanes performs several events at once, and distributes the redraws of the affected cells over its
/// lanes (TeamWindow). If events turn out to be out of order, it repeats the run in a slower order. A tile reads only
/// front buffers, and writes only its own back buffer, so that teams do not race.
template <class ExecutionSpace, Model M>
struct AdvanceTile {
  using MemorySpace = typename ExecutionSpace::memory_space;
  static constexpr bool single_lane = lanes_per_tile<ExecutionSpace> == 1;

  State<MemorySpace, M> state;
  M model;
  EventOrder first_order = EventOrder::local;  ///< for a team of several lanes

  /// Runs a tile of a replica from time `begin` to `end`. Writes its checksums to `result`, and returns the report in
  /// lane 0; counts events in State::counted. `skip`: runs no events, for a step that will be rejected. `halo_counts`:
  /// whether events in the halo must be in order, too, instead of being compared with other tiles.
  template <bool streams_in_level0, class Team>
  KOKKOS_FUNCTION TileReport<M> run(const Team& team, const TileScratch& scratch, int replica, int tile, int halo,
                                    double begin, double end, std::uint64_t* result, bool skip = false,
                                    bool halo_counts = true) const {
    WindowOf<ExecutionSpace, M, false, streams_in_level0> window(team, scratch, state, halo, replica, tile, begin, end,
                                                                 skip);
    EventOrder order = first_order;
    for (int runs = 1;; ++runs) {
      TileReport<M> report;
      Checksums<M, single_lane> sums(window.common());
      report.runs = runs;
      if (!window.load(team, model, order, halo_counts)) {
        for (int k = team.team_rank(); k < checksums<M>; k += team.team_size()) result[k] = 0;
        window.store(team, false);
        return report;
      }
      const int performed =
          perform_all(window, team, model, [&](int x, int y, int dx, int dy, int k, double now, std::int64_t next) {
            record_event<M, single_lane>(window, sums, report, x, y, dx, dy, k, now, next);
          });
      report.too_long = performed > most_events(window);
      if (report.too_long) return report;
      if (window.in_order()) {
        report.touched = window.any(team, report.touched || report.events > 0);
        window.store(team, report.touched);
        sync_team(team);
        reduce_checksums<M, single_lane>(team, sums, report, window.room(), result);
        return report;
      }
      order = window.next_order();
    }
  }
};

}  // namespace tessera::kmc
