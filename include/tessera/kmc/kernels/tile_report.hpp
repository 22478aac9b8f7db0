// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/kokkos_ext/team_scratch.hpp>
#include <tessera/kmc/kernels/checksums.hpp>
#include <tessera/kmc/kernels/lane_share.hpp>
#include <tessera/kmc/kernels/window_frame.hpp>

namespace tessera::kmc {

/// Report of a tile on a step.
template <Model M>
struct TileReport {
  std::uint32_t events = 0;  ///< in the central tile
  double last_event = 0;     ///< time of the last event
  bool touched = false;      ///< whether the central tile has changed; during the run: by events in the ring
  bool too_long = false;     ///< more than most_events() in the window; the other values are invalid
  int runs = 0;              ///< number of runs until the events were in order
};

/// Largest number of events of a window in a step, to limit the duration of a launch: 16 per live cell, and at most 256
/// per cell of the tile. Steps with more events are usually inconsistent, too.
KOKKOS_FORCEINLINE_FUNCTION int most_events(const WindowFrame& w) {
  const int inner = w.side - (w.halo == 0 ? 0 : 2), cells = inner * inner, of_tile = 16 * w.tile * w.tile;
  return 16 * (cells < of_tile ? cells : of_tile);
}

/// Records an event in cell (x, y) of the window at time `now`: position k = 0 (Concerned) counts it; k > 0 adds it to
/// the checksums if the cell at (x + dx, y + dy) lies beyond a side of the tile, and (x, y) does not, or the reverse,
/// and for a diagonal neighbour beyond a corner; k = -1 has no effect.
template <Model M, bool SingleLane>
KOKKOS_FORCEINLINE_FUNCTION void record_event(const WindowFrame& w, Checksums<M, SingleLane>& sums,
                                              TileReport<M>& report, int x, int y, int dx, int dy, int k, double now,
                                              std::int64_t what) {
  constexpr bool of_neighbours = Checksums<M, SingleLane>::of_neighbours;
  // Position outside the tile, -1, 0 or 1; of neighbours only whether it is outside, as k determines the side.
  const auto outside = [&](int i) {
    if constexpr (of_neighbours)
      return static_cast<unsigned>(i - w.halo) >= static_cast<unsigned>(w.tile);
    else
      return (i >= w.halo + w.tile ? 1 : 0) - (i < w.halo ? 1 : 0);
  };
  const auto event_x = outside(x), event_y = outside(y), other_x = outside(x + dx), other_y = outside(y + dy);
  const bool event_inside = (event_x | event_y) == 0, other_inside = (other_x | other_y) == 0;
  const bool counts = (k == 0) & event_inside, is_diagonal = of_neighbours && M::neighbours > 4 && k > 4;
  report.events += counts ? 1 : 0;
  report.last_event = (counts & (now > report.last_event)) ? now : report.last_event;
  const bool own = (k > 0) & (event_inside && (is_diagonal ? other_x && other_y : !other_inside));
  const bool ring = (k > 0) & (other_inside && (is_diagonal ? event_x && event_y : !event_inside));
  if (own | ring) {
    int side = own ? k - 1 : opposite(k - 1);
    if constexpr (!of_neighbours) side = own ? side_at(other_x, other_y) : side_at(event_x, event_y);
    sums.add(side, own, event_hash(w.site_in_whole(x, y), now, what));
  }
  report.touched |= ring | (RejectsEvents<M> && (k == rejected_event) & event_inside);
}

/// Writes the sums of the lanes' checksums to `result`, and combines their reports in lane 0. `room`: scratch memory
/// for two numbers per lane, unless sums are common. Each lane has recorded its share of the events (LaneShare).
template <Model M, bool SingleLane, class Team>
KOKKOS_FORCEINLINE_FUNCTION void reduce_checksums(const Team& team, const Checksums<M, SingleLane>& sums,
                                                  TileReport<M>& report, std::uint64_t* room, std::uint64_t* result) {
  using Sums = Checksums<M, SingleLane>;
  [[maybe_unused]] const int lanes = team.team_size(), rank = team.team_rank();
  if constexpr (SingleLane) {
    for (int i = 0; i < checksums<M>; ++i) result[i] = sums[i];
  } else if constexpr (Sums::are_common) {
    if (report.events > 0) sums.add_events(report.events, report.last_event);
    sync_team(team);
    if (rank > 0 && rank <= checksums<M>) result[rank - 1] = sums[rank - 1];
    report.events = static_cast<std::uint32_t>(sums[checksums<M>]);
    report.last_event = Kokkos::bit_cast<double>(sums[checksums<M> + 1]);
  } else {
    using Roles = LaneShare<M>;
    const bool counts_events = Roles(rank).k == 0;
    room[rank] = counts_events ? report.events : sums[0];
    room[lanes + rank] = counts_events ? Kokkos::bit_cast<std::uint64_t>(report.last_event) : sums[1];
    sync_team(team);
    if (rank == 0) {
      report.events = 0;
      Roles::for_each_lane(lanes, 0, [&](int lane) {
        report.events += static_cast<std::uint32_t>(room[lane]);
        const double last = Kokkos::bit_cast<double>(room[lanes + lane]);
        report.last_event = last > report.last_event ? last : report.last_event;
      });
    } else if (rank <= checksums<M>) {
      const bool own = rank <= sides<M>;
      const int k = own ? rank - 1 : opposite(rank - 1 - sides<M>);
      std::uint64_t total = 0;
      Roles::for_each_lane(lanes, k + 1, [&](int lane) { total += room[(own ? 0 : lanes) + lane]; });
      result[rank - 1] = total;
    }
  }
}

}  // namespace tessera::kmc
