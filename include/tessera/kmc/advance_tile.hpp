// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/lanes.hpp>
#include <tessera/kmc/checksums.hpp>
#include <tessera/kmc/earliest_cell.hpp>
#include <tessera/kmc/state.hpp>
#include <tessera/kmc/waiting_times.hpp>
#include <tessera/kmc/window.hpp>

namespace tessera::kmc {

/// What a tile reports of a step.
struct TileReport {
  std::uint32_t events = 0;  ///< in the central tile
  double last_event = 0;     ///< time of the last of them
  bool touched = false;      ///< an event in the central tile or the ring has changed the central tile
  bool ordered = true;       ///< no event came before the one that was performed before it
};

/// Algorithm 2 for one tile: the window of tile and halo is copied to team scratch and advanced by the waiting-time
/// method subject to fixed outermost cells; the central tile goes to the back buffer if it has changed.
///
/// All lanes of the team go through the same events. A lane redraws one of the cells that an event concerns, keeps some
/// checksums, and owns some groups of cells in the search for the earliest one. A tile reads the front buffers of the
/// tiles around it and writes its own back buffer alone, so that teams do not race.
template <class ExecutionSpace, Model M>
struct AdvanceTile {
  using MemorySpace = typename ExecutionSpace::memory_space;
  using StateType = typename M::State;
  using WindowType = Window<StateType>;
  static constexpr int lanes = lanes_per_tile<ExecutionSpace>;

  State<MemorySpace, M> state;
  M model;
  int lazy_below;  ///< with fewer events than this in sight, generators are read when they are needed

  /// Runs a tile of a replica from time `begin` to `end` in the team's `scratch`; writes its checksums to `checksums`.
  template <class Team>
  KOKKOS_FUNCTION TileReport run(const Team& team, char* scratch, int replica, int tile, int halo, double begin,
                                 double end, std::uint64_t* checksums) const {
    const Geometry& g = state.geometry;
    const WindowType window(team, scratch, g, halo, tile % g.tiles_x, tile / g.tiles_x);
    sync_lanes(team);
    if constexpr (lanes > 1) {
      const TileReport report =
          run_ordered<EarliestByKey<StateType>>(team, window, replica, tile, begin, end, checksums);
      if (report.ordered) return report;
      sync_lanes(team);
    }
    return run_ordered<EarliestByTime<StateType>>(team, window, replica, tile, begin, end, checksums);
  }

  /// The same with a given order of the cells; the report's `ordered` says whether that order was right.
  template <class Order, class Team>
  KOKKOS_FUNCTION TileReport run_ordered(const Team& team, const WindowType& w, int replica, int tile, double begin,
                                         double end, std::uint64_t* checksums) const {
    Order order(w, begin, end);
    Checksums<M, lanes> sums(team, state.geometry.tile);
    TileReport report;
    const std::uint32_t in_sight = load_times(team, w, replica, order, end);
    if (in_sight > 0) {
      load_states(team, w, replica, in_sight >= static_cast<std::uint32_t>(lazy_below));
      sync_lanes(team);
      order.begin(team);
      simulate(team, w, replica, order, sums, report);
      if (!report.ordered) return report;
      if (report.touched) store(team, w, replica, tile);
    }
    sums.store(team, checksums);
    return report;
  }

 private:
  /// Where the present of window cell (x, y) stands.
  KOKKOS_FORCEINLINE_FUNCTION std::size_t present(const WindowType& w, int replica, int x, int y) const {
    const std::int64_t tile = w.row_tile[y] + w.column_tile[x];
    const int buffer = state.front(std::int64_t{replica} * state.geometry.tiles() + tile);
    return state.index(buffer, replica, std::int64_t{w.row_site[y]} + w.column_x[x]);
  }

  /// Reads the waiting times of the live cells; returns how many lie before the end of the step.
  template <class Order, class Team>
  KOKKOS_FUNCTION std::uint32_t load_times(const Team& team, const WindowType& w, int replica, Order& order,
                                           double end) const {
    std::uint32_t in_sight = 0;
    WindowType::visit_square(team, w.side, [&](int x, int y, int cell) {
      const double time = state.times(present(w, replica, x + 1, y + 1));
      order.set(cell, time);
      in_sight += time < end;
    });
    for (int cell = w.live + team.team_rank(); cell < w.groups * w.group; cell += team.team_size())
      order.set(cell, std::numeric_limits<double>::infinity());
    return sum_over_lanes(team, in_sight);
  }

  /// Reads the states of the window, and the generators of its live cells if so many events are to come that most are
  /// needed.
  template <class Team>
  KOKKOS_FUNCTION void load_states(const Team& team, const WindowType& w, int replica, bool generators) const {
    WindowType::visit_square(team, w.full,
                             [&](int x, int y, int cell) { w.states[cell] = state.states(present(w, replica, x, y)); });
    WindowType::visit_square(team, w.side, [&](int x, int y, int cell) {
      w.streams[cell] = generators ? state.streams.states()(present(w, replica, x + 1, y + 1)) : 0;
    });
  }

  /// The generator of a live cell, read now if it has not been read yet.
  KOKKOS_FORCEINLINE_FUNCTION Stream stream(const WindowType& w, int replica, int x, int y, int cell) const {
    std::uint64_t s = w.streams[cell];
    if (s == 0) s = state.streams.states()(present(w, replica, x + 1, y + 1));
    return Stream(s);
  }

  /// Performs the events before the end of the step in the order of their times.
  template <class Order, class Team>
  KOKKOS_FUNCTION void simulate(const Team& team, const WindowType& w, int replica, Order& order,
                                Checksums<M, lanes>& sums, TileReport& report) const {
    const int tile = state.geometry.tile;
    double previous = 0;
    for (int cell = order.earliest(team); cell >= 0; cell = order.earliest(team)) {
      const double now = w.times[cell];
      if (!Order::exact && now < previous) {
        report.ordered = false;
        return;
      }
      previous = now;
      const int y = w.row(cell), x = w.column(cell, y);
      Stream own = stream(w, replica, x, y, cell);
      const StateType next = model.next(w.template neighbourhood<M::neighbours>(x, y), own);
      sync_lanes(team);
      if (team.team_rank() == 0) w.states[w.at(x, y)] = next;
      sync_lanes(team);
      for (int k = team.team_rank(); k <= M::neighbours; k += lanes) redraw(w, replica, order, x, y, k, now, own);
      sync_lanes(team);
      order.changed(team, cell);
      record(w, sums, report, x - w.margin, y - w.margin, now, next, tile);
    }
  }

  /// Redraws the waiting time of the cell itself (k = 0, its generator as `own`) or of its neighbour k - 1, if that is
  /// live.
  template <class Order>
  KOKKOS_FORCEINLINE_FUNCTION void redraw(const WindowType& w, int replica, Order& order, int x, int y, int k,
                                          double now, const Stream& own) const {
    if (k > 0) {
      x += neighbour_dx(k - 1);
      y += neighbour_dy(k - 1);
      if (static_cast<unsigned>(x) >= static_cast<unsigned>(w.side) ||
          static_cast<unsigned>(y) >= static_cast<unsigned>(w.side))
        return;
    }
    const int cell = y * w.side + x;
    Stream drawn = k == 0 ? own : stream(w, replica, x, y, cell);
    order.set(cell, next_waiting_time(model, now, w.template neighbourhood<M::neighbours>(x, y), drawn));
    w.streams[cell] = drawn.state();
  }

  /// Counts an event and adds it to the checksums; (x, y) is counted from the central tile's first cell.
  KOKKOS_FORCEINLINE_FUNCTION void record(const WindowType& w, Checksums<M, lanes>& sums, TileReport& report, int x,
                                          int y, double now, StateType next, int tile) const {
    const bool inside = static_cast<unsigned>(x) < static_cast<unsigned>(tile) &&
                        static_cast<unsigned>(y) < static_cast<unsigned>(tile);
    if (inside) {
      ++report.events;
      report.last_event = now;
    }
    const bool in_ring_or_tile = static_cast<unsigned>(x + 1) < static_cast<unsigned>(tile + 2) &&
                                 static_cast<unsigned>(y + 1) < static_cast<unsigned>(tile + 2);
    if (!in_ring_or_tile) return;
    report.touched = true;
    const bool interior = x > 0 && x < tile - 1 && y > 0 && y < tile - 1;
    if (interior) return;
    const int column = x + w.margin + 1, row = y + w.margin + 1;
    sums.add(x, y, event_hash(std::int64_t{w.row_site[row]} + w.column_x[column], now, next));
  }

  /// Writes the central tile to its back buffer.
  template <class Team>
  KOKKOS_FUNCTION void store(const Team& team, const WindowType& w, int replica, int tile) const {
    const Geometry& g = state.geometry;
    const int back = 1 - state.front(std::int64_t{replica} * g.tiles() + tile);
    WindowType::visit_square(team, g.tile, [&](int x, int y, int) {
      const int column = x + w.margin, row = y + w.margin, cell = row * w.side + column;
      const std::size_t to = state.index(back, replica, std::int64_t{w.row_site[row + 1]} + w.column_x[column + 1]);
      state.states(to) = w.states[w.at(column, row)];
      state.times(to) = w.times[cell];
      state.streams.put(to, stream(w, replica, column, row, cell));
    });
  }
};

}  // namespace tessera::kmc
