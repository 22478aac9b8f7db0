// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <limits>
#include <tessera/core/kokkos_ext/lanes.hpp>
#include <tessera/core/kokkos_ext/prefetch.hpp>
#include <tessera/kmc/kernels/back_buffer_updates.hpp>
#include <tessera/kmc/kernels/checksums.hpp>
#include <tessera/kmc/kernels/due_events.hpp>
#include <tessera/kmc/kernels/sparse_window.hpp>
#include <tessera/kmc/kernels/tile_report.hpp>
#include <tessera/kmc/kernels/two_earliest.hpp>
#include <tessera/kmc/kernels/window_place.hpp>
#include <tessera/kmc/state.hpp>
#include <tessera/kmc/waiting_times.hpp>

namespace tessera::kmc {

/// Algorithm 2 for a tile with few events in its window: of waiting times and generators only those are read that an
/// event concerns, and only the cells that it has changed are written. The same events in the same order as
/// AdvanceTile, at a cost that grows little with the window. A team's code is to be short: a GPU that runs long code
/// waits for instructions more than for anything else.
///
/// The halo must not be wider than the tile.
template <class ExecutionSpace, Model M>
struct AdvanceSparsely {
  using MemorySpace = typename ExecutionSpace::memory_space;
  using StateType = typename M::State;
  using Touched = SparseWindow<StateType>;
  static constexpr int lanes = lanes_per_tile<ExecutionSpace>;
  static constexpr int concerned = 1 + M::neighbours;  ///< cells that an event redraws
  static constexpr int most_at_once = lanes == 1 ? 1 : lanes / concerned;

  State<MemorySpace, M> state;
  M model;
  DueEvents<MemorySpace> due;
  BackBufferUpdates<MemorySpace> changes;
  int most_due;                ///< more events than this in sight are too many; at most `room`
  int room;                    ///< touched cells, at most; at least two for each lane
  int at_once = most_at_once;  ///< events that a team of many lanes performs together, at most

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
    const int count = list_due(team, w, touched, replica);
    if (count > most_due) return false;
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
    int all = 0;
    if constexpr (lanes == 1)
      all = simulate_one_by_one(team, w, touched, count, end, sums, report);
    else
      all = simulate_together(team, w, touched, count, end, sums, report);
    if (all < 0) return false;
    unite(team, report);
    int changed = 0;
    if (report.touched) {
      changed = keep_changes(team, w, touched, all, replica, tile);
      if (changed > BackBufferUpdates<MemorySpace>::room(g)) return false;
    }
    if (team.team_rank() == 0) written = static_cast<std::uint8_t>(report.touched ? 1 + changed : 0);
    sync_lanes(team);
    sums.store(team, touched.streams, result);
    return true;
  }

 private:
  static constexpr double never = std::numeric_limits<double>::infinity();
  static_assert(lanes == 1 || concerned <= lanes);
  using Sums = Checksums<M, lanes>;

  /// Lists the live cells of the window with an event before the end of the step, as many as there is room for; returns
  /// how many there are. A lane looks at a column.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int list_due(const Team& team, const WindowPlace& w, const Touched& touched,
                                           int replica) const {
    const std::int64_t tiles_before = std::int64_t{replica} * state.geometry.tiles();
    const std::uint64_t live = ((std::uint64_t{1} << (w.side - 2)) - 1) << 1;
    int count = 0;
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
    for (int first = 0; first < w.side; first += lanes) {
      const int x = first + team.team_rank();
      std::uint64_t column = x > 0 && x < w.side - 1 ? due.column(w, tiles_before, x) & live : 0;
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
      for (int total = 1; total > 0; count += total) {
        const int place = count + ordinal_among_lanes(team, column != 0, total);
        if (column != 0) {
          const int y = 63 - Kokkos::Experimental::countl_zero_builtin(column);
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

  /// Performs the events before `end`, one after the other. Returns the number of touched cells, or -1: the room did
  /// not suffice, or there are too many events. For a team of one lane.
  template <class Team>
  KOKKOS_FUNCTION int simulate_one_by_one(const Team& team, const WindowPlace& w, const Touched& touched, int count,
                                          double end, Sums& sums, TileReport& report) const {
    for (int performed = 0;; ++performed) {
      TwoEarliest<lanes> earliest(team, w, touched, count);
      const int place = earliest.next(team, end);
      if (place < 0) return count;
      if (count + M::neighbours > room || performed == most_events(w.side * w.side)) return -1;
      const int cell = touched.cells[place];
      const int y = w.row(cell), x = cell - y * w.side;
      const double now = touched.times[place];
      Stream own(touched.streams[place]);
      const StateType next = model.next(touched.template neighbourhood<M::neighbours>(cell), own);
      touched.states[cell] = next;
      for (int k = 0; k < concerned; ++k) {
        const int dx = k == 0 ? 0 : neighbour_dx(k - 1), dy = k == 0 ? 0 : neighbour_dy(k - 1);
        if (w.live(x + dx, y + dy)) {
          const int its_cell = cell + dy * w.side + dx, its = touched.find(its_cell);
          Stream drawn = k == 0 ? own : stream(w, touched, its, x + dx, y + dy);
          const double time =
              next_waiting_time(model, now, touched.template neighbourhood<M::neighbours>(its_cell), drawn);
          touched.set(its < 0 ? count++ : its, its_cell, time, drawn.state());
        }
        record_event(sums, report, w.tile, w.halo, x, y, dx, dy, k, now, next, [&] { return w.site(x, y); });
      }
    }
  }

  /// The same for many lanes. The earliest few events are performed together as far as they are too far from each other
  /// to concern the same cell, a group of lanes for each: lane k of a group for its cell (k = 0) or its neighbour k
  /// - 1. What comes of them counts up to the first event that is not to be the next one any more, since one before it
  /// has given a cell an earlier event than it is; the rest is undone. So all events are performed in the order of
  /// their times.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int simulate_together(const Team& team, const WindowPlace& w, const Touched& touched,
                                                    int count, double end, Sums& sums, TileReport& report) const {
    const int group = team.team_rank() / concerned, k = team.team_rank() - group * concerned;
    const int dx = k == 0 ? 0 : neighbour_dx(k - 1), dy = k == 0 ? 0 : neighbour_dy(k - 1);
    for (int rounds = 0;; ++rounds) {
      TwoEarliest<lanes> earliest(team, w, touched, count);
      int picked = 0, place = 0, cell = 0, x = 0, y = 0;  // of this lane's event
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
      while (picked < at_once && (picked == 0 || count + (picked + 1) * M::neighbours <= room)) {
        const int another = earliest.next(team, end);
        if (another < 0) break;
        const int its_cell = touched.cells[another], its_y = w.row(its_cell), its_x = its_cell - its_y * w.side;
        const bool close = group < picked && concern_the_same(its_x - x, its_y - y);
        if (sum_over_lanes(team, close ? 1u : 0u) > 0) break;
        if (picked == 0 || group == picked) {
          place = another;
          cell = its_cell;
          x = its_x;
          y = its_y;
        }
        ++picked;
      }
      if (picked == 0) return count;
      if (count + picked * M::neighbours > room || rounds == most_events(w.side * w.side)) return -1;
      const bool mine = group < picked;
      const double now = touched.times[place];
      Stream own(touched.streams[place]);
      const StateType before = touched.states[cell];
      const StateType next = model.next(touched.template neighbourhood<M::neighbours>(cell), own);
      sync_lanes(team);
      if (mine && k == 0) touched.states[cell] = next;
      sync_lanes(team);
      const bool redrawn = mine && w.live(x + dx, y + dy);
      const int its_cell = redrawn ? cell + dy * w.side + dx : cell, its = touched.find(its_cell);
      Stream drawn = own;
      if (redrawn && k > 0) drawn = stream(w, touched, its, x + dx, y + dy);
      double time = never;
      if (redrawn) time = next_waiting_time(model, now, touched.template neighbourhood<M::neighbours>(its_cell), drawn);
      const double earliest_drawn =
          Kokkos::bit_cast<double>(min_over_lanes(team, Kokkos::bit_cast<std::uint64_t>(time)));
      const bool counts = mine && (group == 0 || now < earliest_drawn);
      int added;
      const int ordinal = ordinal_among_lanes(team, counts && its < 0, added);
      sync_lanes(team);
      if (counts) {
        if (redrawn) touched.set(its < 0 ? count + ordinal : its, its_cell, time, drawn.state());
        record_event(sums, report, w.tile, w.halo, x, y, dx, dy, k, now, next, [&] { return w.site(x, y); });
      } else if (mine && k == 0) {
        touched.states[cell] = before;
      }
      count += added;
      sync_lanes(team);
    }
  }

  /// Whether events in two cells so far apart have a cell in common that they redraw, or one is read by the other.
  KOKKOS_FORCEINLINE_FUNCTION static bool concern_the_same(int dx, int dy) {
    dx = dx < 0 ? -dx : dx;
    dy = dy < 0 ? -dy : dy;
    return M::neighbours == 4 ? dx + dy <= 2 : dx <= 2 && dy <= 2;
  }

  /// The generator of live cell (x, y), which has this place in the list; from the lattice if it has none.
  KOKKOS_FORCEINLINE_FUNCTION Stream stream(const WindowPlace& w, const Touched& touched, int place, int x,
                                            int y) const {
    return Stream(place < 0 ? state.streams.states()(w.present(x, y)) : touched.streams[place]);
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
      if (is_changed && i < BackBufferUpdates<MemorySpace>::room(state.geometry))
        changes.keep(state, replica, tile, i, x - w.halo, y - w.halo, touched.states[cell], touched.times[place],
                     touched.streams[place]);
      changed += total;
    }
    return changed;
  }
};

}  // namespace tessera::kmc
