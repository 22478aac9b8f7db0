// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/kmc/kernels/lazy_heap.hpp>
#include <tessera/kmc/kernels/window_frame.hpp>
#include <tessera/kmc/state.hpp>
#include <tessera/kmc/waiting_times.hpp>
#include <type_traits>

namespace tessera::kmc {

/// The window of a team of one lane, in its scratch: all events come one by one, from a heap.
///
/// Windows of both kinds are loaded by load(), asked by fire() how many events come next, event e being that of cell
/// cell(e) at time(e), told to redraw() what an event concerns, and asked to store() what has come of it. All lanes
/// call these together, but redraw(). `streams` and the times are there for the rows 1 .. side - 2 alone.
template <class MemorySpace, Model M>
class LoneWindow : public WindowFrame {
 public:
  using StateType = typename M::State;

  /// Carves the arrays out of `scratch`, team_bytes() aligned to 16, for tile `tile_number` of a replica and a step
  /// from `begin` to `end`. With fewer than `lazy_below` events in the window generators are read when they are needed.
  /// `skip`: there is nothing to do.
  template <class Team>
  KOKKOS_FUNCTION LoneWindow(const Team&, char* scratch, const State<MemorySpace, M>& state, int halo_width,
                             int replica, int tile_number, double, double end, int lazy_below, bool skip)
      : WindowFrame(state.geometry, halo_width),
        state_(state),
        replica_(replica),
        tile_number_(tile_number),
        lazy_below_(lazy_below),
        skip_(skip) {
    const Geometry& g = state.geometry;
    const auto carve = [&scratch](auto*& array, int count, int skipped = 0) {
      array = reinterpret_cast<std::remove_reference_t<decltype(array)>>(scratch) - skipped;
      scratch += static_cast<std::size_t>(count) * sizeof(*array);
    };
    LazyHeap::Entry* entries = nullptr;
    carve(entries, 2 * inner_cells());
    carve(times, inner_cells(), side);
    carve(streams, inner_cells(), side);
    carve(column_x, side);
    carve(row_site, side);
    carve(column_tile_, side);
    carve(row_tile_, side);
    carve(states, all_cells());
    for (int i = 0; i < side; ++i) {
      place(i, tile_number % g.tiles_x, g.tiles_x, column_x[i], column_tile_[i]);
      place(i, tile_number / g.tiles_x, g.tiles_y, row_site[i], row_tile_[i]);
      row_site[i] *= g.nx;
      row_tile_[i] *= g.tiles_x;
    }
    heap_ = LazyHeap(times, entries, 2 * inner_cells(), end);
  }

  /// Reads the window; false if no event of it lies before the end of the step.
  template <class Team>
  KOKKOS_FUNCTION bool load(const Team&, EventOrder) {
    if (skip_) return false;
    visit_runs(1, [&](int x, int y, std::size_t index, int count) {
      copy_run(&state_.times(index), count, times + y * side + x);
      for (int i = 0; i < count; ++i) heap_.add(*this, x + i, y);
    });
    if (heap_.size() == 0) return false;
    visit_runs(0, [&](int x, int y, std::size_t index, int count) {
      copy_run(&state_.states(index), count, states + y * side + x);
    });
    if (heap_.size() < lazy_below_) {
      for (int cell = side; cell < side + inner_cells(); ++cell) streams[cell] = 0;
    } else {
      visit_runs(1, [&](int x, int y, std::size_t index, int count) {
        copy_run(&state_.streams.states()(index), count, streams + y * side + x);
      });
    }
    return true;
  }

  /// Performs the next event, but for the redraws; 0: there is none before the end of the step.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int fire(const Team&, const M& model) {
    cell_ = heap_.next();
    if (cell_ < 0) return 0;
    const int y = row(cell_);
    Stream own = stream(cell_ - y * side, y);
    states[cell_] = model.next(neighbourhood<M::neighbours>(states, cell_), own);
    streams[cell_] = own.state();
    return 1;
  }
  KOKKOS_FORCEINLINE_FUNCTION int cell(int) const { return cell_; }
  KOKKOS_FORCEINLINE_FUNCTION double time(int) const { return times[cell_]; }

  /// Gives live cell (x, y) a new waiting time, because of an event at time `now`.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void redraw(const Team&, const M& model, double now, int x, int y) {
    const int cell = y * side + x;
    Stream drawn = stream(x, y);
    times[cell] = next_waiting_time(model, now, neighbourhood<M::neighbours>(states, cell), drawn);
    streams[cell] = drawn.state();
    heap_.add(*this, x, y);
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void end_round(const Team&) const {}
  /// Events come in the order of their times by construction.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION bool in_order(const Team&) const {
    return true;
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION bool any(const Team&, bool flag) const {
    return flag;
  }

  /// Writes the central tile to its back buffer, if an event has `touched` it.
  template <class Team>
  KOKKOS_FUNCTION void store(const Team&, bool touched, bool) const {
    const Geometry& g = state_.geometry;
    const std::int64_t index = std::int64_t{replica_} * g.tiles() + tile_number_;
    using Written = typename State<MemorySpace, M>::Written;
    state_.written(index) = touched ? Written::all_cells : Written::nothing;
    if (!touched) return;
    const std::size_t first = state_.index(1 - state_.front_of(index, 0, 0), replica_, site(halo, halo));
    for (int y = halo; y < halo + tile; ++y) {
      const std::size_t to = first + static_cast<std::size_t>(y - halo) * static_cast<std::size_t>(g.nx);
      copy_run(states + y * side + halo, tile, &state_.states(to));
      copy_run(times + y * side + halo, tile, &state_.times(to));
      std::uint64_t* const its_streams = &state_.streams.states()(to);
      for (int i = 0; i < tile; ++i) its_streams[i] = stream(halo + i, y).state();
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t* room() const { return streams + side; }

  double* times;           ///< tau
  std::uint64_t* streams;  ///< g; 0: not read yet
  StateType* states;       ///< x of all cells

 private:
  /// The generator of live cell (x, y), from the lattice if it has not been read yet.
  KOKKOS_FORCEINLINE_FUNCTION Stream stream(int x, int y) const {
    std::uint64_t s = streams[y * side + x];
    if (s == 0) s = state_.streams.states()(present(x, y));
    return Stream(s);
  }

  /// Where the present of cell (x, y) stands. A tile that a lone team writes is written whole: all its cells have their
  /// present in the same buffer.
  KOKKOS_FORCEINLINE_FUNCTION std::size_t present(int x, int y) const {
    const std::int64_t its_tile = std::int64_t{replica_} * state_.geometry.tiles() + row_tile_[y] + column_tile_[x];
    return state_.index(state_.front_of(its_tile, 0, 0), replica_, site(x, y));
  }

  /// Calls run(x, y, index, count) for all cells in the columns and rows first .. side - 1 - first, row by row, for as
  /// many as stand side by side: the present of the cells (x, y) .. (x + count - 1, y) is at index .. index + count
  /// - 1.
  template <class Run>
  KOKKOS_FORCEINLINE_FUNCTION void visit_runs(int first, const Run& run) const {
    const int last = side - first;
    for (int y = first; y < last; ++y)
      for (int x = first; x < last;) {
        const int rest = (column_tile_[x] + 1) * tile - column_x[x];
        const int count = rest < last - x ? rest : last - x;
        run(x, y, present(x, y), count);
        x += count;
      }
  }

  /// Copies `count` values that stand side by side.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static void copy_run(const T* from, int count, T* to) {
    for (int i = 0; i < count; ++i) to[i] = from[i];
  }

  const State<MemorySpace, M>& state_;
  int replica_, tile_number_, lazy_below_;
  bool skip_;
  int* column_tile_;  ///< tile column of a window column [side]
  int* row_tile_;     ///< first tile of a window row's row of tiles [side]
  LazyHeap heap_;
  int cell_ = -1;
};

}  // namespace tessera::kmc
