// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <limits>
#include <tessera/core/lanes.hpp>
#include <tessera/kmc/checksums.hpp>
#include <tessera/kmc/event_order.hpp>
#include <tessera/kmc/state.hpp>
#include <tessera/kmc/waiting_times.hpp>
#include <tessera/kmc/window.hpp>

namespace tessera::kmc {

/// What a tile reports of a step.
struct TileReport {
  std::uint32_t events = 0;  ///< in the central tile
  double last_event = 0;     ///< time of the last of them
  bool touched = false;      ///< an event in the central tile or the ring has changed the central tile
  bool in_order = true;      ///< the events that concern a cell have been performed in the order of their times
};

/// Algorithm 2 for one tile: the window of tile and halo is copied to team scratch and advanced by the waiting-time
/// method subject to fixed outermost cells; the central tile goes to the back buffer if it has changed.
///
/// A lane redraws one of the cells that an event concerns; a team of several lanes performs several events at once
/// (LocalMinima), and does it again one by one (EarliestCell) if that turns out to have mixed up their order. A tile
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
      const TileReport report = run_ordered<LocalMinima<StateType>>(team, window, replica, tile, begin, end, result);
      if (report.in_order) return report;
    }
    return run_ordered<EarliestCell<StateType>>(team, window, replica, tile, begin, end, result);
  }

 private:
  /// The same with a given order of the events.
  template <class Order, class Team>
  KOKKOS_FUNCTION TileReport run_ordered(const Team& team, const WindowType& w, int replica, int tile, double begin,
                                         double end, std::uint64_t* result) const {
    Order order(w, begin, end);
    TileReport report;
    for (int k = team.team_rank(); k < checksums<M>; k += team.team_size()) w.sums[k] = 0;
    const std::uint32_t in_sight = load_times(team, w, replica, order, end);
    if (in_sight > 0) {
      load_states(team, w, replica, in_sight >= static_cast<std::uint32_t>(lazy_below));
      sync_lanes(team);
      order.begin(team);
      simulate(team, w, replica, order, report);
      report.in_order = sum_over_lanes(team, report.in_order ? 0u : 1u) == 0;
      if (!report.in_order) return report;
      report.events = sum_over_lanes(team, report.events);
      report.touched = sum_over_lanes(team, report.touched ? 1u : 0u) > 0;
      report.last_event = double_of(~min_over_lanes(team, ~bits_of(report.last_event)));
      if (report.touched) store(team, w, replica, tile);
    }
    for (int k = team.team_rank(); k < checksums<M>; k += team.team_size()) result[k] = w.sums[k];
    return report;
  }

  /// Reads the waiting times of the live cells; returns how many lie before the end of the step.
  template <class Order, class Team>
  KOKKOS_FUNCTION std::uint32_t load_times(const Team& team, const WindowType& w, int replica, Order& order,
                                           double end) const {
    std::uint32_t in_sight = 0;
    visit_present(team, w, state, replica, 1, [&](int cell, std::size_t index) {
      const double time = state.times(index);
      order.load(cell, time);
      in_sight += time < end;
    });
    const int after_last = w.side * (w.side - 1), end_of_groups = w.side + w.groups * WindowLayout::group;
    for (int y = 1 + team.team_rank(); y < w.side - 1; y += team.team_size()) {
      order.load(y * w.side, never);
      order.load(y * w.side + w.side - 1, never);
    }
    for (int cell = after_last + team.team_rank(); cell < end_of_groups; cell += team.team_size())
      order.load(cell, never);
    return sum_over_lanes(team, in_sight);
  }

  /// Reads the states of the window, and the generators of its live cells if so many events are to come that most are
  /// needed.
  template <class Team>
  KOKKOS_FUNCTION void load_states(const Team& team, const WindowType& w, int replica, bool generators) const {
    visit_present(team, w, state, replica, 0,
                  [&](int cell, std::size_t index) { w.states[cell] = state.states(index); });
    if (generators) {
      visit_present(team, w, state, replica, 1,
                    [&](int cell, std::size_t index) { w.streams[cell] = state.streams.states()(index); });
    } else {
      for (int cell = w.side + team.team_rank(); cell < w.side * (w.side - 1); cell += team.team_size())
        w.streams[cell] = 0;
    }
  }

  /// The generator of live cell (x, y), read now if it has not been read yet.
  KOKKOS_FORCEINLINE_FUNCTION Stream stream(const WindowType& w, int replica, int x, int y) const {
    std::uint64_t s = w.streams[y * w.side + x];
    if (s == 0) {
      const std::int64_t tile = std::int64_t{replica} * state.geometry.tiles() + w.row_tile[y] + w.column_tile[x];
      s = state.streams.states()(state.index(state.front(tile), replica, w.site(x, y)));
    }
    return Stream(s);
  }

  /// Performs the events before the end of the step. Lanes share the cells that an event concerns: the cell itself and
  /// its neighbours.
  template <class Order, class Team>
  KOKKOS_FUNCTION void simulate(const Team& team, const WindowType& w, int replica, Order& order,
                                TileReport& report) const {
    constexpr int cells = 1 + M::neighbours;
    constexpr int at_once = lanes > cells ? lanes / cells : 1;
    constexpr int stride = lanes > 1 ? cells : 1;
    const int share = team.team_rank() / stride, first_cell = team.team_rank() % stride;
    for (int count = order.fire(team); count > 0; count = order.fire(team)) {
      if (lanes > 1 && count > at_once) count = at_once;  // the others fire in the next round
      for (int first = 0; first < count; first += at_once) {
        const int event = first + (share < at_once ? share : count);
        const bool mine = event < count;
        const int cell = order.cell(mine ? event : 0);
        const int y = w.row(cell), x = cell - y * w.side;
        const double now = w.times[cell];
        Stream own = stream(w, replica, x, y);
        const StateType next = model.next(w.template neighbourhood<M::neighbours>(cell), own);
        sync_lanes(team);
        if (mine && first_cell == 0) w.states[cell] = next;
        sync_lanes(team);
        if (mine)
          for (int k = first_cell; k < cells; k += stride)
            if (!redraw(w, replica, order, event, x, y, k, now, own)) report.in_order = false;
        if (mine && first_cell == 0) record(w, report, x, y, now, next);
        sync_lanes(team);
      }
    }
  }

  /// Redraws the waiting time of cell (x, y) (k = 0, its generator as `own`) or of its neighbour k - 1, if that is
  /// live. False: a later event has redrawn it already.
  template <class Order>
  KOKKOS_FORCEINLINE_FUNCTION bool redraw(const WindowType& w, int replica, Order& order, int event, int x, int y,
                                          int k, double now, const Stream& own) const {
    if (k > 0) {
      x += neighbour_dx(k - 1);
      y += neighbour_dy(k - 1);
      if (!w.live(x, y)) return true;
    }
    const int cell = y * w.side + x;
    Stream drawn = k == 0 ? own : stream(w, replica, x, y);
    order.set(cell, next_waiting_time(model, now, w.template neighbourhood<M::neighbours>(cell), drawn));
    w.streams[cell] = drawn.state();
    return order.in_order(event, cell);
  }

  /// Counts an event in window cell (x, y) and adds it to the checksums.
  KOKKOS_FORCEINLINE_FUNCTION void record(const WindowType& w, TileReport& report, int x, int y, double now,
                                          StateType next) const {
    const int tile = state.geometry.tile;
    const int tile_x = x - w.halo, tile_y = y - w.halo;
    const auto beyond = static_cast<unsigned>(tile + 2);
    if (static_cast<unsigned>(tile_x + 1) >= beyond || static_cast<unsigned>(tile_y + 1) >= beyond) return;
    report.touched = true;
    const auto in_tile = static_cast<unsigned>(tile), inner = static_cast<unsigned>(tile - 2);
    if (static_cast<unsigned>(tile_x) < in_tile && static_cast<unsigned>(tile_y) < in_tile) {
      ++report.events;
      report.last_event = now > report.last_event ? now : report.last_event;
      if (static_cast<unsigned>(tile_x - 1) < inner && static_cast<unsigned>(tile_y - 1) < inner) return;
    }
    add_to_checksums<M, lanes>(w.sums, tile_x, tile_y, tile, event_hash(w.site(x, y), now, next));
  }

  /// Writes the central tile to its back buffer.
  template <class Team>
  KOKKOS_FUNCTION void store(const Team& team, const WindowType& w, int replica, int tile) const {
    const Geometry& g = state.geometry;
    const int back = 1 - state.front(std::int64_t{replica} * g.tiles() + tile);
    const std::size_t first = state.index(back, replica, w.site(w.halo, w.halo));
    int y = team.team_rank() / g.tile, x = team.team_rank() % g.tile;
    for (; y < g.tile; x += team.team_size()) {
      for (; x >= g.tile; x -= g.tile) ++y;
      if (y >= g.tile) break;
      const std::size_t to =
          first + static_cast<std::size_t>(y) * static_cast<std::size_t>(g.nx) + static_cast<std::size_t>(x);
      const int cell = (y + w.halo) * w.side + x + w.halo;
      state.states(to) = w.states[cell];
      state.times(to) = w.times[cell];
      state.streams.put(to, stream(w, replica, x + w.halo, y + w.halo));
    }
  }
};

}  // namespace tessera::kmc
