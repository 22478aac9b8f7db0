// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <tessera/kmc/kernels/due_buckets.hpp>
#include <tessera/kmc/kernels/window_frame.hpp>
#include <tessera/kmc/state/concerned.hpp>
#include <tessera/kmc/state/scratch.hpp>
#include <tessera/kmc/state/state.hpp>
#include <tessera/kmc/state/waiting_times.hpp>

namespace tessera::kmc {

/// The window of a team of one lane, in its scratch memory. Events are performed one by one (DueBuckets).
///
/// Use of both kinds of windows: load(); then fire(), which returns the number of next events, and perform(), until
/// fire() returns 0; then store(). All lanes call these functions together. `whole`: the window is the lattice.
template <class MemorySpace, Model M, bool whole>
class SingleLaneWindow : public WindowFrame {
 public:
  using StateType = typename M::State;

  /// Places the arrays in `scratch`, for tile `tile_number` of a replica and a step from `begin` to `end`. `skip`: the
  /// window is not run.
  template <class Team>
  KOKKOS_FUNCTION SingleLaneWindow(const Team& team, const TileScratch& scratch, const State<MemorySpace, M>& state,
                                   int halo_width, int replica, int tile_number, double begin, double end, bool skip)
      : WindowFrame(state.geometry, halo_width, state.geometry.tile + 2 * halo_width),
        state_(state),
        first_of_replica_(state.front(replica, 0)),
        to_back_(state.to_back(replica)),
        tile_index_(std::int64_t{replica} * state.geometry.tiles() + tile_number),
        skip_(skip) {
    const SingleLaneArrays at(side, sizeof(StateType), state.kept);
    times_ = array_at<double>(scratch.level0, at.times);
    streams_ = array_at<std::uint64_t>(scratch.level0, at.streams);
    sums_ = array_at<std::uint64_t>(scratch.level0, at.sums);
    states_ = array_at<StateType>(scratch.level0, at.states);
    column_x = array_at<int>(scratch.level0, at.column_x);
    row_site = array_at<int>(scratch.level0, at.row_site);
    set_tile(team, state.geometry, tile_number);
    due_ = DueBuckets(times_, begin, end, array_at<std::int32_t>(scratch.level0, at.following),
                      array_at<std::int32_t>(scratch.level0, at.first),
                      array_at<std::uint64_t>(scratch.level0, at.filled), at.buckets);
  }

  /// Reads the window. Returns whether an event lies before the end of the step.
  template <class Team>
  KOKKOS_FUNCTION bool load(const Team& team, const M&, EventOrder, bool) {
    if (skip_) return false;
    state_.visit_counted(team, tile_index_, [](int, std::uint32_t& count) { count = 0; });
    bool any_due = false;
    visit_runs(boundary, [&](int x, int y, std::size_t index, int count) {
      const int first = y * stride + x;
      copy_run(&state_.times(index), count, times_ + first);
      for (int cell = first; cell < first + count; ++cell) any_due |= due_.add(cell);
    });
    if (!any_due) return false;
    visit_runs(0, [&](int x, int y, std::size_t index, int count) {
      copy_run(&state_.states(index), count, states_ + y * stride + x);
    });
    for (int cell = 0; cell < side * side; ++cell) streams_[cell] = 0;
    return true;
  }

  /// Returns 1, or 0 if no event is left before the end of the step.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int fire(const Team&) {
    cell_ = due_.next(*this);
    return cell_ < 0 ? 0 : 1;
  }

  /// Performs the event. Redraws the affected cells in the order of Concerned, and calls record(x, y, dx, dy, k, time
  /// of the event, outcome) for each position k.
  template <class Team, class Record>
  KOKKOS_FORCEINLINE_FUNCTION void perform(const Team&, const M& model, int, const Record& record) {
    const int y = cell_ / stride, x = cell_ - y * stride;
    const double now = times_[cell_];
    Stream event_stream = stream(x, y);
    const OutcomeOf<M> event =
        draw_event(model, around(x, y), event_stream, [&] { return state_.total(tile_index_, now); });
    const std::uint64_t* const sums = sums_of(x, y);
    for (int i = 0; i < state_.kept; ++i) sums_[cell_ * state_.kept + i] = sums[i];
    streams_[cell_] = event_stream.state();
    // Cells of the boundary change, too.
    change_states<M>(event, [&](int dx, int dy) -> StateType& { return states_[cell_at<whole>(x + dx, y + dy)]; });
    if constexpr (counts_events<M>)
      if (event.group >= 0 && (whole || central(x, y))) ++state_.counted(tile_index_, event.group);
    const bool rejected = is_rejected(model, event);
    for (int k = 0; k < Concerned<M>::count(event); ++k) {
      if (!Concerned<M>::at(k, event)) continue;
      const auto [dx, dy] = Concerned<M>::offset(k, event);
      if constexpr (whole)
        redraw(model, event, k, now, wrapped(x + dx, side), wrapped(y + dy, side));
      else if (live<boundary>(x + dx, y + dy))
        redraw(model, event, k, now, x + dx, y + dy);
      record(x, y, dx, dy, rejected ? rejected_event : k, now, outcome<M>(event));
    }
  }

  /// Always true for a single lane.
  KOKKOS_FORCEINLINE_FUNCTION bool in_order() const { return true; }
  KOKKOS_FORCEINLINE_FUNCTION EventOrder next_order() const { return EventOrder::one_by_one; }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION bool any(const Team&, bool flag) const {
    return flag;
  }

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t* common() const { return nullptr; }

  /// The latest `last` of all lanes.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION double latest(const Team&, double last) const {
    return last;
  }
  /// The sum of the numbers of all lanes.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t total(const Team&, std::uint64_t count) const {
    return count;
  }

  /// Writes the redrawn cells of the central tile to the back buffer, and marks them in State::changed; those of a
  /// whole lattice to the front buffer. `touched`: whether there are any.
  template <class Team>
  KOKKOS_FUNCTION void store(const Team&, bool touched) const {
    if (whole && !touched) return;
    const int words = state_.geometry.words_of_tile();
    int x = 0, y = 0;  // position in the tile
    for (int word = 0; word < words; ++word) {
      const int first_x = x, first_y = y, cells = tile * tile - 32 * word;
      std::uint32_t changed = 0;
      for (int i = 0; touched && i < 32 && i < cells; ++i) {
        changed |= static_cast<std::uint32_t>(streams_[(halo + y) * stride + halo + x] != 0) << i;
        if (++x == tile) {
          x = 0;
          ++y;
        }
      }
      visit_bits(changed, first_x, first_y, tile, [&](int i, int j) {
        const int cell = (halo + j) * stride + halo + i;
        const std::size_t to = front(halo + i, halo + j) + (whole ? 0 : to_back_);
        state_.states(to) = states_[cell];
        state_.times(to) = times_[cell];
        state_.streams(to) = streams_[cell];
        for (int k = 0; k < state_.kept; ++k) state_.sums_of(to)[k] = sums_[cell * state_.kept + k];
      });
      if constexpr (!whole) state_.changed(tile_index_ * words + word) = changed;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t* room() const { return streams_; }

 private:
  static constexpr int boundary = whole ? 0 : Concerned<M>::reads;  ///< width of the fixed boundary

  /// Index of cell (x, y) in the front buffer.
  KOKKOS_FORCEINLINE_FUNCTION std::size_t front(int x, int y) const {
    return first_of_replica_ + static_cast<std::size_t>(site(x, y));
  }

  /// Stream of live cell (x, y); of the lattice if the cell has not been redrawn.
  KOKKOS_FORCEINLINE_FUNCTION Stream stream(int x, int y) const {
    const std::uint64_t s = streams_[y * stride + x];
    return Stream(s != 0 ? s : state_.streams(front(x, y)));
  }

  /// Kept sums of live cell (x, y), likewise.
  KOKKOS_FORCEINLINE_FUNCTION const std::uint64_t* sums_of(int x, int y) const {
    const int cell = y * stride + x;
    return streams_[cell] != 0 ? sums_ + cell * state_.kept : state_.sums_of(front(x, y));
  }

  KOKKOS_FORCEINLINE_FUNCTION RatesFrom<M> around(int x, int y) const {
    if constexpr (KeepsSums<M>)
      return {sums_of(x, y)};
    else
      return neighbourhood<whole, M>(states_, x, y);
  }

  /// Draws a new waiting time for live cell (x, y), at position k of an event at time `now`.
  KOKKOS_FORCEINLINE_FUNCTION void redraw(const M& model, [[maybe_unused]] const OutcomeOf<M>& event, int k, double now,
                                          int x, int y) {
    const int cell = y * stride + x;
    RatesFrom<M> n = around(x, y);
    if constexpr (KeepsSums<M>) {
      n.added = model.change_of_sums(event, k);
      for (int i = 0; i < state_.kept; ++i) sums_[cell * state_.kept + i] = n(i);
      n = {sums_ + cell * state_.kept};
    }
    Stream drawn = stream(x, y);
    due_.remove(cell);
    times_[cell] = next_waiting_time(now, mean_waiting_time(model, n), drawn);
    streams_[cell] = drawn.state();
    due_.add(cell);
  }

  /// Calls run(x, y, index, count) for all cells in columns and rows first .. side - 1 - first, row by row, in
  /// contiguous pieces: cells (x, y) .. (x + count - 1, y) have the indices index .. index + count - 1 in the front
  /// buffer.
  template <class Run>
  KOKKOS_FORCEINLINE_FUNCTION void visit_runs(int first, const Run& run) const {
    const int last = side - first;
    for (int y = first; y < last; ++y)
      for (int x = first; x < last;) {
        const int rest = state_.geometry.nx - column_x[x];
        const int count = rest < last - x ? rest : last - x;
        run(x, y, front(x, y), count);
        x += count;
      }
  }

  /// Copies `count` contiguous values.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static void copy_run(const T* from, int count, T* to) {
    for (int i = 0; i < count; ++i) to[i] = from[i];
  }

  const State<MemorySpace, M>& state_;
  std::size_t first_of_replica_;  ///< index in the front buffer
  std::size_t to_back_;
  std::int64_t tile_index_;
  bool skip_;
  double* times_;           ///< tau
  std::uint64_t* streams_;  ///< g; 0: not redrawn
  std::uint64_t* sums_;     ///< those that the model keeps, of redrawn cells
  StateType* states_;       ///< x of all cells
  DueBuckets due_;
  int cell_ = -1;
};

}  // namespace tessera::kmc
