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
  std::uint32_t events = 0;      ///< in the central tile
  std::uint32_t unresolved = 0;  ///< unresolved waiting times in the central tile (is_unresolved())
  double last_event = 0;         ///< time of the last event
  bool touched = false;          ///< whether the central tile has changed; during the run: by events in the ring
  bool too_long = false;         ///< more than most_events() in the window; the other values are invalid
  int runs = 0;                  ///< number of runs until the events were in order
  Kokkos::Array<std::uint32_t, groups<M>> counted{};  ///< events of each group (Event::group)
};

/// Largest number of events of a window in a step, to limit the duration of a launch: 16 per live cell, and at most 256
/// per cell of the tile. Steps with more events are usually inconsistent, too.
KOKKOS_FORCEINLINE_FUNCTION int most_events(const WindowFrame& w) {
  const int cells = w.inner_cells(), of_tile = 16 * w.tile * w.tile;
  return 16 * (cells < of_tile ? cells : of_tile);
}

/// Records an event in cell (x, y) of the window at time `now`: k = 0 counts it; k > 0 adds it to the checksums for its
/// neighbour k - 1 at (x + dx, y + dy); k = -1 has no effect.
template <Model M, bool SingleLane>
KOKKOS_FORCEINLINE_FUNCTION void record_event(const WindowFrame& w, Checksums<M, SingleLane>& sums,
                                              TileReport<M>& report, int x, int y, int dx, int dy, int k, double now,
                                              std::int64_t next) {
  using Sums = Checksums<M, SingleLane>;
  const auto outside = [&](int coordinate) {
    return static_cast<unsigned>(coordinate - w.halo) >= static_cast<unsigned>(w.tile);
  };
  const typename Sums::Outside here{outside(x), outside(y)}, there{outside(x + dx), outside(y + dy)};
  const bool counts = (k == 0) & here.inside();
  report.events += counts ? 1 : 0;
  report.last_event = (counts & (now > report.last_event)) ? now : report.last_event;
  const bool own = (k > 0) & Sums::counts_as_own(here, there, k - 1);
  const bool ring = (k > 0) & Sums::counts_as_ring(here, there, k - 1);
  if (own | ring) sums.add(k - 1, own, event_hash(w.site_in_whole(x, y), now, next));
  report.touched |= ring;
}

/// The same for models whose events concern cells at a distance of two, with position k (Concerned) at (x + dx, y +
/// dy).
template <Model M, bool SingleLane>
KOKKOS_FORCEINLINE_FUNCTION void record_event(const WindowFrame& w, CommonChecksums<SingleLane>& sums,
                                              TileReport<M>& report, int x, int y, int dx, int dy, int k, double now,
                                              std::int64_t what) {
  const auto outside = [&](int coordinate) {
    return (coordinate >= w.halo + w.tile ? 1 : 0) - (coordinate < w.halo ? 1 : 0);
  };
  const int here_x = outside(x), here_y = outside(y), there_x = outside(x + dx), there_y = outside(y + dy);
  const bool own = (here_x | here_y) == 0, there_inside = (there_x | there_y) == 0, counts = (k == 0) & own;
  report.events += counts ? 1 : 0;
  report.last_event = (counts & (now > report.last_event)) ? now : report.last_event;
  if ((k > 0) & (own != there_inside))
    sums.add(own ? side_at(there_x, there_y) : side_at(here_x, here_y), own,
             event_hash(w.site_in_whole(x, y), now, what));
  report.touched |= (k > 0) & !own & there_inside;
}

/// Sums the events of all lanes in the report of lane 0. Their numbers are in room[lane], and the times of the last
/// ones in room[lanes + lane].
template <Model M>
KOKKOS_FORCEINLINE_FUNCTION void add_up_events(int lanes, const std::uint64_t* room, TileReport<M>& report) {
  report.events = 0;
  LaneShare<M>::for_each_lane(lanes, 0, [&](int lane) {
    report.events += static_cast<std::uint32_t>(room[lane]);
    const double last = Kokkos::bit_cast<double>(room[lanes + lane]);
    report.last_event = last > report.last_event ? last : report.last_event;
  });
}

/// Writes the sums of the lanes' checksums to `result`, and combines their reports in lane 0. `room`: scratch memory
/// for two numbers per lane. Each lane has recorded its share of the events (LaneShare).
template <Model M, bool SingleLane, class Team>
KOKKOS_FORCEINLINE_FUNCTION void reduce_checksums(const Team& team, const Checksums<M, SingleLane>& sums,
                                                  TileReport<M>& report, std::uint64_t* room, std::uint64_t* result) {
  if constexpr (SingleLane) {
    sums.store(result);
  } else {
    using Roles = LaneShare<M>;
    const int lanes = team.team_size(), rank = team.team_rank();
    const bool counts_events = Roles(rank).k == 0;
    room[rank] = counts_events ? report.events : sums.own();
    room[lanes + rank] = counts_events ? Kokkos::bit_cast<std::uint64_t>(report.last_event) : sums.ring();
    sync_team(team);
    if (rank == 0) {
      add_up_events<M>(lanes, room, report);
    } else if (rank <= checksums<M>) {
      const bool own = rank <= sides<M>;
      const int k = own ? rank - 1 : opposite(rank - 1 - sides<M>);
      std::uint64_t total = 0;
      Roles::for_each_lane(lanes, k + 1, [&](int lane) { total += room[(own ? 0 : lanes) + lane]; });
      result[rank - 1] = total;
    }
  }
}

/// The same for models whose events concern cells at a distance of two.
template <Model M, bool SingleLane, class Team>
KOKKOS_FORCEINLINE_FUNCTION void reduce_checksums(const Team& team, const CommonChecksums<SingleLane>& sums,
                                                  TileReport<M>& report, std::uint64_t* room, std::uint64_t* result) {
  constexpr int count = CommonChecksums<SingleLane>::count;
  if constexpr (SingleLane) {
    for (int i = 0; i < count; ++i) result[i] = sums[i];
  } else {
    const int lanes = team.team_size(), rank = team.team_rank();
    const std::uint64_t sum = sums[rank > 0 && rank <= count ? rank - 1 : 0];
    sync_team(team);  // `room` may overlap the sums if a small window has many lanes
    room[rank] = report.events;
    room[lanes + rank] = Kokkos::bit_cast<std::uint64_t>(report.last_event);
    sync_team(team);
    if (rank == 0) {
      add_up_events<M>(lanes, room, report);
    } else if (rank <= count) {
      result[rank - 1] = sum;
    }
  }
}

}  // namespace tessera::kmc
