// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <limits>
#include <tessera/core/lanes.hpp>
#include <tessera/core/prefetch.hpp>
#include <tessera/kmc/changed_cells.hpp>
#include <tessera/kmc/checksums.hpp>
#include <tessera/kmc/events_in_sight.hpp>
#include <tessera/kmc/state.hpp>
#include <tessera/kmc/tile_report.hpp>
#include <tessera/kmc/touched_cells.hpp>
#include <tessera/kmc/waiting_times.hpp>
#include <tessera/kmc/window_place.hpp>

namespace tessera::kmc {

/// Algorithm 2 for a tile with few events in its window: of waiting times and generators only those are read that an
/// event concerns, and only the cells that it has changed are written. The same events in the same order as
/// AdvanceTile, one by one, at a cost that grows little with the window. A team's code is to be short: a GPU that runs
/// long code waits for instructions more than for anything else.
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
  int most_in_sight;  ///< more events than this in sight are too many; at most `room`
  int room;           ///< touched cells, at most

  /// Runs a tile of a replica to time `end` in the team's `scratch`, Touched::bytes() of it aligned to 16; writes its
  /// checksums to `result` and State::written. False if that was too much for the room there is: then nothing of it
  /// counts.
  template <class Team>
  KOKKOS_FUNCTION bool run(const Team& team, char* scratch, int replica, int tile, int halo, double end,
                           std::uint64_t* result, TileReport& report) const {
    const Geometry& g = state.geometry;
    WindowPlace w(g, tile, halo);
    Touched touched(scratch, w.side, room);
    std::uint8_t& written = state.written(std::int64_t{replica} * g.tiles() + tile);
    const int count = list_those_in_sight(team, w, touched, replica);
    if (count > most_in_sight) return false;
    if (count == 0) {
      for (int k = team.team_rank(); k < checksums<M>; k += lanes) result[k] = 0;
      if (team.team_rank() == 0) written = 0;
      return true;
    }
    touched.clear(team);
    w.look_for_fronts(team, state, replica);
    sync_lanes(team);
    load(team, w, touched, count);
    sync_lanes(team);
    Sums sums;
    const int all = simulate(team, w, touched, count, end, sums, report);
    if (all < 0) return false;
    unite(team, report);
    int changed = 0;
    if (report.touched) {
      changed = keep_changes(team, w, touched, all, replica, tile);
      if (changed > ChangedCells<MemorySpace>::room(g)) return false;
    }
    if (team.team_rank() == 0) written = static_cast<std::uint8_t>(report.touched ? 1 + changed : 0);
    sums.store_of_first_lanes(team, result);
    return true;
  }

 private:
  static constexpr double never = std::numeric_limits<double>::infinity();
  static constexpr int concerned = 1 + M::neighbours;  ///< cells that an event redraws
  static_assert(lanes == 1 || concerned <= lanes);
  using Sums = Checksums<M, lanes>;

  /// Lists the live cells of the window with an event before the end of the step, as many as there is room for; returns
  /// how many there are. A lane looks at a column.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int list_those_in_sight(const Team& team, const WindowPlace& w, const Touched& touched,
                                                      int replica) const {
    const std::int64_t tiles_before = std::int64_t{replica} * state.geometry.tiles();
    const std::uint64_t live = ((std::uint64_t{1} << (w.side - 2)) - 1) << 1;
    int count = 0;
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
    for (int first = 0; first < w.side; first += lanes) {
      const int x = first + team.team_rank();
      std::uint64_t column = x > 0 && x < w.side - 1 ? in_sight.column(w, tiles_before, x) & live : 0;
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
      for (int total = 1; total > 0; count += total) {
        const int place = count + ordinal_among_lanes(team, column != 0, total);
        if (column != 0) {
          const int y = 63 - leading_zeros(column);
          if (place < room) touched.cells[place] = static_cast<std::uint16_t>(y * w.side + x);
          column &= ~(std::uint64_t{1} << y);
        }
      }
    }
    return count;
  }

  /// Reads the states of the window, and waiting times and generators of the cells listed, `count` of them.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void load(const Team& team, const WindowPlace& w, const Touched& touched,
                                        int count) const {
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
    for (int place = team.team_rank(); place < count; place += lanes) {
      const int cell = touched.cells[place], y = w.row(cell), x = cell - y * w.side;
      const std::size_t present = w.present(x, y);
      // The event redraws the neighbours too: their generators have time to come while other things are waited for.
      for (int k = 0; k < M::neighbours; ++k)
        prefetch(&state.streams.states()(w.present(x + neighbour_dx(k), y + neighbour_dy(k))));
      touched.put(place, cell);
      touched.times[place] = state.times(present);
      touched.streams[place] = state.streams.states()(present);
    }
    // Four cells of a row at once, where no boundary between tiles can come between them.
    if (w.halo % 4 == 0 && w.tile % 4 == 0)
      load_states<4>(team, w, touched);
    else
      load_states<1>(team, w, touched);
  }

  /// Reads the states of the window, `Width` neighbours in a row at once. A lane reads several before it keeps the
  /// first, so that it waits for memory once.
  template <int Width, class Team>
  KOKKOS_FORCEINLINE_FUNCTION void load_states(const Team& team, const WindowPlace& w, const Touched& touched) const {
    struct alignas(Width * sizeof(StateType)) Neighbours {
      StateType state[Width];
    };
    constexpr int batch = 5;
    const int all = w.side * w.side / Width;
    auto* const to = reinterpret_cast<Neighbours*>(touched.states);
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
    for (int first = team.team_rank(); first < all; first += batch * lanes) {
      Neighbours value[batch];
      for (int j = 0; j < batch; ++j) {
        const int i = first + j * lanes, cell = (i < all ? i : all - 1) * Width, y = w.row(cell);
        value[j] = *reinterpret_cast<const Neighbours*>(&state.states(w.present(cell - y * w.side, y)));
      }
      for (int j = 0; j < batch; ++j)
        if (first + j * lanes < all) to[first + j * lanes] = value[j];
    }
  }

  /// The place of the touched cell with the smallest waiting time before `end`, the first such cell of the window; -1
  /// if there is none.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int earliest(const Team& team, const Touched& touched, int count, double end) const {
    double time = never;
    std::uint32_t first = 0xffffffffu;  // cell, and below it the place
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
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

  /// Performs the events before `end`, lane k for the event's cell (k = 0) or its neighbour k - 1. Returns the number
  /// of touched cells, or -1: the room did not suffice.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int simulate(const Team& team, const WindowPlace& w, const Touched& touched, int count,
                                           double end, Sums& sums, TileReport& report) const {
    for (;;) {
      const int place = earliest(team, touched, count, end);
      if (place < 0) return count;
      if (count + M::neighbours > room) return -1;
      const int cell = touched.cells[place];
      const int y = w.row(cell), x = cell - y * w.side;
      const double now = touched.times[place];
      Stream own(touched.streams[place]);
      const StateType next = model.next(touched.template neighbourhood<M::neighbours>(cell), own);
      sync_lanes(team);
      if (team.team_rank() == 0) touched.states[cell] = next;
      sync_lanes(team);
      for (int first = 0; first < concerned; first += lanes) {
        const int k = first + team.team_rank();
        const int dx = k == 0 ? 0 : neighbour_dx(k - 1), dy = k == 0 ? 0 : neighbour_dy(k - 1);
        const bool redrawn = k < concerned && w.live(x + dx, y + dy);
        const int its_cell = redrawn ? cell + dy * w.side + dx : cell;
        int its = touched.find(its_cell), added;
        const int ordinal = ordinal_among_lanes(team, its < 0, added);
        if (redrawn) {
          std::uint64_t stream = own.state();
          if (its < 0) {
            its = count + ordinal;
            touched.put(its, its_cell);
            stream = state.streams.states()(w.present(x + dx, y + dy));
          } else if (k > 0) {
            stream = touched.streams[its];
          }
          Stream drawn(stream);
          touched.times[its] =
              next_waiting_time(model, now, touched.template neighbourhood<M::neighbours>(its_cell), drawn);
          touched.streams[its] = drawn.state();
        }
        if (k < concerned)
          record_event(sums, report, w.tile, w.halo, x, y, dx, dy, k, now, next, [&] { return w.site(x, y); });
        count += added;
      }
      sync_lanes(team);
    }
  }

  /// Keeps what has changed in the central tile: every touched cell of it has been redrawn. Returns how many there are;
  /// more than there is room for: not all of them are kept.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int keep_changes(const Team& team, const WindowPlace& w, const Touched& touched,
                                               int count, int replica, int tile) const {
    int changed = 0;
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
    for (int first = 0; first < count; first += lanes) {
      const int place = first + team.team_rank();
      const int cell = touched.cells[place < count ? place : 0], y = w.row(cell), x = cell - y * w.side;
      const bool is_changed = place < count && w.central(x, y);
      int total;
      const int i = changed + ordinal_among_lanes(team, is_changed, total);
      if (is_changed && i < ChangedCells<MemorySpace>::room(state.geometry))
        changes.keep(state, replica, tile, i, x - w.halo, y - w.halo, touched.states[cell], touched.times[place],
                     touched.streams[place]);
      changed += total;
    }
    return changed;
  }
};

}  // namespace tessera::kmc
