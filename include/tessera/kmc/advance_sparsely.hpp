// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <limits>
#include <tessera/core/lanes.hpp>
#include <tessera/kmc/changed_cells.hpp>
#include <tessera/kmc/checksums.hpp>
#include <tessera/kmc/events_in_sight.hpp>
#include <tessera/kmc/state.hpp>
#include <tessera/kmc/tile_report.hpp>
#include <tessera/kmc/touched_cells.hpp>
#include <tessera/kmc/waiting_times.hpp>
#include <tessera/kmc/window_place.hpp>

namespace tessera::kmc {

/// Algorithm 2 for a tile with few events in its window: only the cells that an event concerns are read, and only those
/// that it has changed are written. The same events in the same order as AdvanceTile, one by one, at a cost that does
/// not grow with the window.
///
/// The halo must not be wider than the tile.
template <class ExecutionSpace, Model M>
struct AdvanceSparsely {
  using MemorySpace = typename ExecutionSpace::memory_space;
  using StateType = typename M::State;
  using Touched = TouchedCells<StateType>;
  static constexpr int lanes = lanes_per_tile<ExecutionSpace>;

  State<MemorySpace, M> state;
  M model;
  EventsInSight<MemorySpace> in_sight;
  ChangedCells<MemorySpace> changes;
  int most_in_sight;  ///< more events than this in sight are too many

  /// Runs a tile of a replica to time `end` in the team's `scratch`, Touched::bytes() of it; writes its checksums to
  /// `result` and State::written. False if that was too much for the room there is: then nothing of it counts.
  template <class Team>
  KOKKOS_FUNCTION bool run(const Team& team, char* scratch, int replica, int tile, int halo, double end,
                           std::uint64_t* result, TileReport& report) const {
    const Geometry& g = state.geometry;
    const int tile_y = tile / g.tiles_x, tile_x = tile - tile_y * g.tiles_x;
    const WindowPlace w(team, state, replica, tile_x, tile_y, halo);
    Touched touched(scratch, w.side);
    touched.clear(team);
    sync_lanes(team);
    add_those_in_sight(team, w, touched, replica, tile_x, tile_y);
    sync_lanes(team);
    if (*touched.count > most_in_sight) return false;
    Sums sums;
    if (!simulate(team, w, touched, end, sums, report)) return false;
    unite(team, report);
    int changed = 0;
    if (report.touched) {
      changed = keep_changes(team, w, touched, replica, tile);
      if (changed > ChangedCells<MemorySpace>::room(g)) return false;
    }
    if (team.team_rank() == 0)
      state.written(std::int64_t{replica} * g.tiles() + tile) =
          static_cast<std::uint8_t>(report.touched ? 1 + changed : 0);
    sync_lanes(team);
    sums.store(team, touched.streams, result);
    return true;
  }

 private:
  static constexpr double never = std::numeric_limits<double>::infinity();
  static constexpr int concerned = 1 + M::neighbours;  ///< cells that an event redraws
  static_assert(lanes == 1 || concerned <= lanes);
  static_assert(Touched::capacity >= 2 * lanes, "Checksums::store needs two numbers a lane");
  using Sums = Checksums<M, lanes>;

  /// The live cells of the window with an event before the end of the step.
  template <class Team>
  KOKKOS_FUNCTION void add_those_in_sight(const Team& team, const WindowPlace& w, Touched& touched, int replica,
                                          int tile_x, int tile_y) const {
    const Geometry& g = state.geometry;
    const std::int64_t tiles = std::int64_t{replica} * g.tiles();
    for (int group = 0; group < in_sight.groups(); ++group) {
      for (int lane = team.team_rank(); lane < in_sight.lanes; lane += lanes) {
        std::uint8_t bits[9];
        for (int n = 0; n < 9; ++n)
          bits[n] = in_sight(tiles + WindowPlace::neighbour(g, tile_x, tile_y, n), group, lane);
        for (int n = 0; n < 9; ++n) {
          if (bits[n] == 0) continue;
          for (int b = 0; b < 8; ++b) {
            if ((bits[n] >> b & 1) == 0) continue;
            const int cell = in_sight.cell(group, b, lane), row = cell / w.tile;
            const int x = (n % 3 - 1) * w.tile + w.halo + cell - row * w.tile;
            const int y = (n / 3 - 1) * w.tile + w.halo + row;
            if (!w.live(x, y)) continue;
            const int place = touched.add(y * w.side + x);
            if (place < Touched::capacity) touched.times[place] = read(w, touched, place, x, y);
          }
        }
      }
    }
  }

  /// Reads state and generator of window cell (x, y); returns its waiting time.
  KOKKOS_FORCEINLINE_FUNCTION double read(const WindowPlace& w, Touched& touched, int place, int x, int y) const {
    const std::size_t present = w.present(x, y);
    touched.states[place] = state.states(present);
    touched.streams[place] = state.streams.states()(present);
    return state.times(present);
  }

  /// The state of window cell (x, y) now.
  KOKKOS_FORCEINLINE_FUNCTION StateType state_of(const WindowPlace& w, const Touched& touched, int x, int y) const {
    const int place = touched.find(y * w.side + x);
    return place >= 0 ? touched.states[place] : state.states(w.present(x, y));
  }

  KOKKOS_FORCEINLINE_FUNCTION NeighbourhoodOf<M> neighbourhood(const WindowPlace& w, const Touched& touched, int x,
                                                               int y) const {
    NeighbourhoodOf<M> n;
    n.centre = state_of(w, touched, x, y);
    for (int k = 0; k < M::neighbours; ++k)
      n.around[k] = state_of(w, touched, x + neighbour_dx(k), y + neighbour_dy(k));
    return n;
  }

  /// The place of the touched cell with the smallest waiting time before `end`, the first such cell of the window; -1
  /// if there is none.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int earliest(const Team& team, const Touched& touched, int count, double end) const {
    double time = never;
    std::uint32_t first = 0xffffffffu;  // cell, and below it the place
    for (int place = team.team_rank(); place < count; place += lanes) {
      const double its = touched.times[place];
      const std::uint32_t here = std::uint32_t{touched.cells[place]} << 16 | static_cast<std::uint32_t>(place);
      if (its < time || (its == time && here < first)) {
        time = its;
        first = here;
      }
    }
    const std::uint64_t smallest = min_over_lanes(team, bits_of(time));
    if (!(double_of(smallest) < end)) return -1;
    return static_cast<int>(min_over_lanes(team, bits_of(time) == smallest ? first : 0xffffffffu) & 0xffffu);
  }

  /// Performs the events before `end`, lane k for the event's cell (k = 0) or its neighbour k - 1. False: the room did
  /// not suffice.
  template <class Team>
  KOKKOS_FUNCTION bool simulate(const Team& team, const WindowPlace& w, Touched& touched, double end, Sums& sums,
                                TileReport& report) const {
    int count = *touched.count;
    for (int place = earliest(team, touched, count, end); place >= 0; place = earliest(team, touched, count, end)) {
      const int cell = touched.cells[place];
      const int y = cell / w.side, x = cell - y * w.side;
      const double now = touched.times[place];
      Stream own(touched.streams[place]);
      const StateType next = model.next(neighbourhood(w, touched, x, y), own);
      sync_lanes(team);
      for (int k = team.team_rank(); k < concerned; k += lanes) {
        if (k == 0) {
          touched.states[place] = next;
          continue;
        }
        const int x1 = x + neighbour_dx(k - 1), y1 = y + neighbour_dy(k - 1);
        if (!w.live(x1, y1) || touched.find(y1 * w.side + x1) >= 0) continue;
        const int added = touched.add(y1 * w.side + x1);
        if (added < Touched::capacity) read(w, touched, added, x1, y1);
      }
      sync_lanes(team);
      count = *touched.count;
      if (count > Touched::capacity) return false;
      for (int k = team.team_rank(); k < concerned; k += lanes) {
        const int dx = k == 0 ? 0 : neighbour_dx(k - 1), dy = k == 0 ? 0 : neighbour_dy(k - 1);
        if (w.live(x + dx, y + dy)) {
          const int its = touched.find((y + dy) * w.side + x + dx);
          Stream drawn = k == 0 ? own : Stream(touched.streams[its]);
          touched.times[its] = next_waiting_time(model, now, neighbourhood(w, touched, x + dx, y + dy), drawn);
          touched.streams[its] = drawn.state();
        }
        record_event(sums, report, w.tile, w.halo, x, y, dx, dy, k, now, next, [&] { return w.site(x, y); });
      }
      sync_lanes(team);
    }
    return true;
  }

  /// Keeps what has changed in the central tile: every touched cell of it has been redrawn. Returns how many there are;
  /// more than there is room for: not all of them are kept.
  template <class Team>
  KOKKOS_FUNCTION int keep_changes(const Team& team, const WindowPlace& w, Touched& touched, int replica,
                                   int tile) const {
    const int count = *touched.count, room = ChangedCells<MemorySpace>::room(state.geometry);
    sync_lanes(team);
    if (team.team_rank() == 0) *touched.count = 0;
    sync_lanes(team);
    for (int place = team.team_rank(); place < count; place += lanes) {
      const int cell = touched.cells[place], y = cell / w.side, x = cell - y * w.side;
      if (!w.central(x, y)) continue;
      const int i = Kokkos::atomic_fetch_add(touched.count, 1);
      if (i < room)
        changes.keep(state, replica, tile, i, x - w.halo, y - w.halo, touched.states[place], touched.times[place],
                     touched.streams[place]);
    }
    sync_lanes(team);
    return *touched.count;
  }
};

}  // namespace tessera::kmc
