// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <limits>
#include <tessera/core/kokkos_ext/lanes.hpp>
#include <tessera/kmc/kernels/checksums.hpp>
#include <tessera/kmc/kernels/event_queue.hpp>
#include <tessera/kmc/kernels/lazy_heap.hpp>
#include <tessera/kmc/kernels/tile_report.hpp>
#include <tessera/kmc/kernels/window.hpp>
#include <tessera/kmc/state.hpp>
#include <tessera/kmc/waiting_times.hpp>
#include <type_traits>

namespace tessera::kmc {

/// Algorithm 2 for one tile: the window of tile and halo is copied to team scratch and advanced by the waiting-time
/// method subject to fixed outermost cells; the central tile goes to the back buffer if it has changed.
///
/// A lane redraws one of the cells that an event concerns; a team of several lanes performs several events at once
/// (LocalMinima), and does it again one by one (GroupedMinimum) if that turns out to have mixed up their order. A tile
/// reads the front buffers of the tiles around it and writes its own back buffer alone, so that teams do not race.
template <class ExecutionSpace, Model M>
struct AdvanceTile {
  using MemorySpace = typename ExecutionSpace::memory_space;
  using StateType = typename M::State;
  using WindowType = Window<StateType>;
  static constexpr int lanes = lanes_per_tile<ExecutionSpace>;
  static constexpr double never = std::numeric_limits<double>::infinity();

  State<MemorySpace, M> state;
  M model;
  int lazy_below;        ///< with fewer events than this in sight, generators are read when they are needed
  bool several_at_once;  ///< LocalMinima first

  /// Runs a tile of a replica from time `begin` to `end` in the team's `scratch`; writes its checksums to `result`.
  template <class Team>
  KOKKOS_FUNCTION TileReport run(const Team& team, char* scratch, int replica, int tile, int halo, double begin,
                                 double end, std::uint64_t* result) const {
    const Geometry& g = state.geometry;
    const WindowType window(team, scratch, g, halo, tile % g.tiles_x, tile / g.tiles_x);
    sync_lanes(team);
    if (several_at_once) {
      const TileReport report = run_ordered<Several>(team, window, replica, tile, begin, end, result);
      if (report.in_order || report.too_long) return report;
    }
    return run_ordered<OneByOne>(team, window, replica, tile, begin, end, result);
  }

 private:
  static constexpr int concerned = 1 + M::neighbours;  ///< cells that an event redraws
  static constexpr int at_once = lanes > 1 ? lanes / concerned : 1;
  using Several = LocalMinima<StateType, lanes, lanes == 1 ? WindowLayout::most_firing : at_once>;
  using OneByOne = std::conditional_t<lanes == 1, LazyHeap<StateType>, GroupedMinimum<StateType, lanes>>;
  using Sums = Checksums<M, lanes>;

  /// The same with a given order of the events.
  template <class Order, class Team>
  KOKKOS_FUNCTION TileReport run_ordered(const Team& team, const WindowType& w, int replica, int tile, double begin,
                                         double end, std::uint64_t* result) const {
    Order order(w, begin, end);
    TileReport report;
    Sums sums;
    order.clear(team);
    sync_lanes(team);
    const std::uint32_t due = load_times(team, w, replica, order, end);
    if (due == 0) {
      for (int k = team.team_rank(); k < checksums<M>; k += lanes) result[k] = 0;
      return report;
    }
    const bool lazy = due < static_cast<std::uint32_t>(lazy_below);
    load_states(team, w, replica, lazy);
    sync_lanes(team);
    order.begin(team);
    if (lazy) {
      simulate<true>(team, w, replica, order, sums, report);
    } else {
      simulate<false>(team, w, replica, order, sums, report);
    }
    report.in_order = sum_over_lanes(team, report.in_order ? 0u : 1u) == 0;
    if (!report.in_order || report.too_long) return report;
    unite(team, report);
    if (report.touched) store(team, w, replica, tile);
    sync_lanes(team);
    sums.store(team, w.streams + w.stride, result);
    return report;
  }

  /// Reads the waiting times of the live cells; returns how many lie before the end of the step.
  template <class Order, class Team>
  KOKKOS_FUNCTION std::uint32_t load_times(const Team& team, const WindowType& w, int replica, Order& order,
                                           double end) const {
    std::uint32_t due = 0;
    visit_present(
        team, w, state, replica, 1, [&](std::size_t index) { return state.times(index); },
        [&](int cell, double time) {
          order.load(cell, time);
          due += time < end;
        });
    return sum_over_lanes(team, due);
  }

  /// Reads the states of the window, and, unless that is left to the moment of need, the generators of its live cells.
  template <class Team>
  KOKKOS_FUNCTION void load_states(const Team& team, const WindowType& w, int replica, bool lazy) const {
    if constexpr (lanes == 1) {
      visit_runs(w, state, replica, 0, [&](int cell, std::size_t index, int count) {
        copy_run(&state.states(index), count, w.states + cell);
      });
    } else {
      visit_present(
          team, w, state, replica, 0, [&](std::size_t index) { return state.states(index); },
          [&](int cell, StateType x) { w.states[cell] = x; });
    }
    if (lazy) {
      for (int cell = w.stride + team.team_rank(); cell < w.stride * (w.side - 1); cell += lanes) w.streams[cell] = 0;
    } else if constexpr (lanes == 1) {
      visit_runs(w, state, replica, 1, [&](int cell, std::size_t index, int count) {
        copy_run(&state.streams.states()(index), count, w.streams + cell);
      });
    } else {
      visit_present(
          team, w, state, replica, 1, [&](std::size_t index) { return state.streams.states()(index); },
          [&](int cell, std::uint64_t stream) { w.streams[cell] = stream; });
    }
  }

  /// The generator of live cell (x, y), read now if it has not been read yet.
  template <bool Lazy>
  KOKKOS_FORCEINLINE_FUNCTION Stream stream(const WindowType& w, int replica, int x, int y) const {
    std::uint64_t s = w.streams[y * w.stride + x];
    if (Lazy && s == 0) {
      const std::int64_t tile = std::int64_t{replica} * state.geometry.tiles() + w.row_tile[y] + w.column_tile[x];
      s = state.streams.states()(state.index(state.front(tile), replica, w.site(x, y)));
    }
    return Stream(s);
  }

  /// Performs the events before the end of the step, or until there are too many. A lane redraws one of the cells that
  /// an event concerns: the cell itself (k = 0) or its neighbour k - 1. A host redraws them all, one after the other.
  template <bool Lazy, class Order, class Team>
  KOKKOS_FUNCTION void simulate(const Team& team, const WindowType& w, int replica, Order& order, Sums& sums,
                                TileReport& report) const {
    const int most = most_events(w.cells);
    int performed = 0;
    if constexpr (lanes > 1) {
      const int event = team.team_rank() / concerned, k = team.team_rank() % concerned;
      const int dx = k == 0 ? 0 : neighbour_dx(k - 1), dy = k == 0 ? 0 : neighbour_dy(k - 1);
      for (int count = order.fire(team); count > 0; count = order.fire(team)) {
        if ((performed += count) > most) break;
        const bool mine = event < count;  // lanes that are left over have event == at_once
        const int cell = order.cell(mine ? event : 0);
        const int y = w.row(cell), x = cell - y * w.stride;
        const double now = w.times[cell];
        Stream own = stream<Lazy>(w, replica, x, y);
        const StateType next = model.next(w.template neighbourhood<M::neighbours>(cell), own);
        sync_lanes(team);
        if (mine && k == 0) w.states[cell] = next;
        sync_lanes(team);
        if (mine) {
          if (w.live(x + dx, y + dy) && !redraw<Lazy>(w, replica, order, event, x + dx, y + dy, k, now, own))
            report.in_order = false;
          record(w, sums, report, x, y, dx, dy, k, now, next);
        }
        sync_lanes(team);
      }
    } else {
      for (int count = order.fire(team); count > 0; count = order.fire(team)) {
        if ((performed += count) > most) break;
        for (int event = 0; event < count; ++event) {
          const int cell = order.cell(event);
          const int y = w.row(cell), x = cell - y * w.stride;
          const double now = w.times[cell];
          Stream own = stream<Lazy>(w, replica, x, y);
          const StateType next = model.next(w.template neighbourhood<M::neighbours>(cell), own);
          w.states[cell] = next;
          for (int k = 0; k < concerned; ++k) {
            const int dx = k == 0 ? 0 : neighbour_dx(k - 1), dy = k == 0 ? 0 : neighbour_dy(k - 1);
            if (w.live(x + dx, y + dy) && !redraw<Lazy>(w, replica, order, event, x + dx, y + dy, k, now, own))
              report.in_order = false;
            record(w, sums, report, x, y, dx, dy, k, now, next);
          }
        }
      }
    }
    report.too_long = performed > most;
  }

  /// Redraws the waiting time of live cell (x, y); k = 0: the cell of the event, its generator as `own`. False: out of
  /// order.
  template <bool Lazy, class Order>
  KOKKOS_FORCEINLINE_FUNCTION bool redraw(const WindowType& w, int replica, Order& order, int event, int x, int y,
                                          int k, double now, const Stream& own) const {
    const int cell = y * w.stride + x;
    Stream drawn = k == 0 ? own : stream<Lazy>(w, replica, x, y);
    const bool first = k == 0 || order.precedes(event, cell);
    order.set(cell, next_waiting_time(model, now, w.template neighbourhood<M::neighbours>(cell), drawn));
    w.streams[cell] = drawn.state();
    return order.in_order(event, cell) && first;
  }

  /// record_event() for this window.
  KOKKOS_FORCEINLINE_FUNCTION void record(const WindowType& w, Sums& sums, TileReport& report, int x, int y, int dx,
                                          int dy, int k, double now, StateType next) const {
    record_event(sums, report, state.geometry.tile, w.halo, x, y, dx, dy, k, now, next, [&] { return w.site(x, y); });
  }

  /// Writes the central tile to its back buffer.
  template <class Team>
  KOKKOS_FUNCTION void store(const Team& team, const WindowType& w, int replica, int tile) const {
    const Geometry& g = state.geometry;
    const int back = 1 - state.front(std::int64_t{replica} * g.tiles() + tile);
    const std::size_t first = state.index(back, replica, w.site(w.halo, w.halo));
    if constexpr (lanes == 1) {
      for (int row = 0; row < g.tile; ++row) {
        const std::size_t to = first + static_cast<std::size_t>(row) * static_cast<std::size_t>(g.nx);
        const int cell = (row + w.halo) * w.stride + w.halo;
        copy_run(w.states + cell, g.tile, &state.states(to));
        copy_run(w.times + cell, g.tile, &state.times(to));
        std::uint64_t* const streams = &state.streams.states()(to);
        for (int i = 0; i < g.tile; ++i) streams[i] = stream<true>(w, replica, w.halo + i, w.halo + row).state();
      }
    } else {
      int y = team.team_rank() / g.tile, x = team.team_rank() % g.tile;
      for (; y < g.tile; x += lanes) {
        for (; x >= g.tile; x -= g.tile) ++y;
        if (y >= g.tile) break;
        const std::size_t to =
            first + static_cast<std::size_t>(y) * static_cast<std::size_t>(g.nx) + static_cast<std::size_t>(x);
        const int cell = (y + w.halo) * w.stride + x + w.halo;
        state.states(to) = w.states[cell];
        state.times(to) = w.times[cell];
        state.streams.put(to, stream<true>(w, replica, x + w.halo, y + w.halo));
      }
    }
  }
};

}  // namespace tessera::kmc
