// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/kokkos_ext/team_scratch.hpp>
#include <tessera/kmc/kernels/due_times.hpp>
#include <tessera/kmc/kernels/window_frame.hpp>
#include <tessera/kmc/state/concerned.hpp>
#include <tessera/kmc/state/scratch.hpp>
#include <tessera/kmc/state/state.hpp>
#include <type_traits>

namespace tessera::kmc {

/// The cells of a TeamWindow, in the scratch memory of a team of several lanes.
///
/// Words and states, which each round reads, are in level-0 scratch memory. Data that only redraws need are in level 1,
/// for redrawn cells only; those of the others are in the lattice. Streams have the largest latency, and draws do not
/// depend on the event: with `streams_in_level0`, the streams of all cells are in level 0, and lanes draw from them
/// before the time of the event is known. If a redrawn cell of the central tile has its next event after the end of the
/// step, this time is written to the back buffer at once; a later redraw overwrites it. If the model keeps sums, no
/// rate is computed from states: those of redrawn cells of the central tile are in the back buffer, the others in the
/// front buffer.
template <class MemorySpace, Model M, bool whole, bool streams_in_level0>
class TeamCells : public WindowFrame {
 public:
  using StateType = typename M::State;

  /// Order of the times of due cells with the same key.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t exact_bits(int x, int y) const {
    return Kokkos::bit_cast<std::uint64_t>(time_of(words_[y * stride + x], second_word(x, y)));
  }
  /// Order of events at the same time: by site, then by cell, as a small window may contain a site more than once.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t rank_of_site(int x, int y) const {
    return static_cast<std::uint64_t>(site_in_whole(x, y)) << 16 | static_cast<std::uint64_t>(packed(x, y));
  }

 protected:
  /// With its arrays in `scratch`.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION TeamCells(const Team& team, const TileScratch& scratch,
                                        const State<MemorySpace, M>& state, int halo_width, int replica,
                                        int tile_number, double begin, double end)
      : WindowFrame(state.geometry, halo_width, TeamLayout(state.geometry.tile, halo_width).stride),
        keys_(begin, end),
        state_(state),
        end_(end),
        first_of_replica_(state.front(replica, 0)),
        to_back_(state.to_back(replica)),
        tile_index_(std::int64_t{replica} * state.geometry.tiles() + tile_number),
        redrawn_(reinterpret_cast<Redrawn*>(scratch.level1)),
        sums_(reinterpret_cast<std::uint64_t*>(redrawn_ + TeamLayout(tile, halo).live_cells)) {
    const TeamArrays at = arrays();
    // Whole blocks of words and states, so that states of any size keep the alignment.
    words_ = array_at<std::uint32_t>(scratch.level0, at.words);
    states_ = array_at<StateType>(scratch.level0, at.states);
    streams_ = array_at<std::uint64_t>(scratch.level0, at.streams);
    column_x = array_at<int>(scratch.level0, at.column_x);
    row_site = array_at<int>(scratch.level0, at.row_site);
    set_tile(team, state.geometry, tile_number);
  }

  /// Places of the arrays in level-0 scratch memory.
  KOKKOS_FORCEINLINE_FUNCTION TeamArrays arrays() const {
    constexpr EventReach reach = event_reach<M>;
    return {TeamLayout(tile, halo), reach, streams_in_level0};
  }

  /// Reads the waiting times and states of all cells. A lane issues several loads before it uses the first value.
  /// Beyond the last cell it repeats its first one, because compilers serialise loads in a branch.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void load_cells(const Team& team) const {
    constexpr int batch = streams_in_level0 ? 4 : 8;
    const int lanes = team.team_size(), rank = team.team_rank(), cells = side * side, own = rank < cells ? rank : 0;
    const unsigned divide_by_side = (1u << 22) / static_cast<unsigned>(side) + 1;
    for (int begin = 0; begin < cells; begin += batch * lanes) {
      int x[batch], y[batch];
      double time[batch];
      [[maybe_unused]] StateType state[batch];
      std::uint64_t stream[batch];
      for (int j = 0; j < batch; ++j) {
        const int i = begin + j * lanes + rank < cells ? begin + j * lanes + rank : own;
        y[j] = static_cast<int>((static_cast<unsigned>(i) * divide_by_side) >> 22);
        x[j] = i - y[j] * side;
        const std::size_t at = front(x[j], y[j]);
        time[j] = state_.times(at);
        if constexpr (!KeepsSums<M>) state[j] = state_.states(at);
        if constexpr (streams_in_level0) stream[j] = state_.streams(at);
      }
      if constexpr (streams_in_level0)
        sync_within_warps(team);  // prevents compilers from delaying the loads of streams
      if (rank >= cells) continue;
      for (int j = 0; j < batch; ++j) {
        const int cell = y[j] * stride + x[j];
        const bool live_cell = is_live(x[j], y[j]);
        words_[cell] = cell_word(time[j] < end_ && live_cell ? keys_.key(time[j]) : DueTimes::never, x[j], y[j], false);
        if constexpr (!KeepsSums<M>) states_[cell] = state[j];
        if constexpr (streams_in_level0)
          if (live_cell) streams_[live_number(x[j], y[j])] = stream[j];
      }
    }
    const int rows = (side + TeamLayout::block_height - 1) / TeamLayout::block_height * TeamLayout::block_height;
    for (int y = team.team_rank(); y < rows; y += lanes)
      for (int x = y < side ? side : 0; x < stride; ++x) words_[y * stride + x] = beyond_window;
  }

  /// Writes the central tile to the back buffer, except for data written before; of a whole lattice the redrawn cells
  /// to the front buffer.
  template <class Team>
  KOKKOS_FUNCTION void store_cells(const Team& team) const {
    const unsigned divide_by_tile = (1u << 22) / static_cast<unsigned>(tile) + 1;
    const int cells = tile * tile, lanes = team.team_size();
    constexpr int batch = 4;
    for (int begin = team.team_rank(); begin < cells; begin += batch * lanes) {
      bool writes[batch], has_time[batch];
      std::size_t to[batch];
      StateType state[batch] = {};
      double time[batch] = {};
      std::uint64_t stream[batch];
      const std::uint64_t* sums[batch];
      for (int j = 0; j < batch; ++j) {
        const int i = begin + j * lanes < cells ? begin + j * lanes : begin;
        const int row = static_cast<int>((static_cast<unsigned>(i) * divide_by_tile) >> 22);
        const int x = halo + i - row * tile, y = halo + row, cell = y * stride + x;
        const std::size_t at = front(x, y);
        const bool redrawn = is_redrawn(words_[cell]);
        writes[j] = (redrawn || !whole) && begin + j * lanes < cells;
        has_time[j] = redrawn && !whole;
        to[j] = whole ? at : at + to_back_;
        if constexpr (!KeepsSums<M>) state[j] = states_[cell];
        if (writes[j] && !has_time[j]) {
          time[j] = state_.times(whole ? at + to_back_ : at);
          if constexpr (KeepsSums<M>) state[j] = state_.states(whole ? at + to_back_ : at);
        }
        stream[j] = writes[j] ? stream_of(redrawn, x, y) : 0;
        if constexpr (KeepsSums<M>) sums[j] = sums_of(redrawn, x, y);
      }
      for (int j = 0; j < batch; ++j) {
        if (!writes[j]) continue;
        if (!KeepsSums<M> || !has_time[j]) state_.states(to[j]) = state[j];
        if (!has_time[j]) state_.times(to[j]) = time[j];
        state_.streams(to[j]) = stream[j];
      }
      for (int i = 0; KeepsSums<M> && i < state_.kept; ++i) {
        std::uint64_t sum[batch];
        for (int j = 0; j < batch; ++j) sum[j] = sums[j][i];
        for (int j = 0; j < batch; ++j)
          if (writes[j]) state_.sums_of(to[j])[i] = sum[j];
      }
    }
  }

  /// Sets the word, stream and times of live cell (x, y), number `at` of the front buffer, after a redraw at the time
  /// with this stamp.
  KOKKOS_FORCEINLINE_FUNCTION void put(int x, int y, std::size_t at, double time, std::uint64_t stamp,
                                       std::uint64_t stream) const {
    const bool due = time < end_;
    const std::uint64_t rest_and_stamp = keys_.packed(due ? keys_.rest(time) : 0, stamp);
    const int number = live_number(x, y);
    words_[y * stride + x] = cell_word(due ? keys_.key(time) : DueTimes::never, x, y, true);
    if constexpr (streams_in_level0) {
      streams_[number] = stream;
      redrawn_[number] = {rest_and_stamp};
    } else {
      redrawn_[number] = {stream, rest_and_stamp};
    }
    if (!due && (whole || central(x, y))) state_.times(at + to_back_) = time;
  }

  KOKKOS_FORCEINLINE_FUNCTION bool is_live(int x, int y) const { return whole || live<Concerned<M>::reads>(x, y); }
  KOKKOS_FORCEINLINE_FUNCTION RatesFrom<M> around(int x, int y) const {
    if constexpr (KeepsSums<M>)
      return {sums_of(is_redrawn(words_[y * stride + x]), x, y)};
    else
      return neighbourhood<whole, M>(states_, x, y);
  }
  /// 1: both buffers of the tile are equal.
  KOKKOS_FORCEINLINE_FUNCTION std::uint8_t& is_same() const { return state_.same(tile_index_); }

  /// Index of cell (x, y) in the front buffer.
  KOKKOS_FORCEINLINE_FUNCTION std::size_t front(int x, int y) const {
    return first_of_replica_ + static_cast<std::size_t>(site(x, y));
  }

  /// Number of cell (x, y) among the live cells.
  KOKKOS_FORCEINLINE_FUNCTION int live_number(int x, int y) const {
    constexpr int border = whole ? 0 : 1;
    return (y - border) * (side - 2 * border) + x - border;
  }

  /// Stream of live cell (x, y).
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t stream_of(bool redrawn, int x, int y) const {
    if constexpr (streams_in_level0)
      return streams_[live_number(x, y)];
    else
      return redrawn ? redrawn_[live_number(x, y)].stream : state_.streams(front(x, y));
  }

  /// Kept sums of live cell (x, y).
  KOKKOS_FORCEINLINE_FUNCTION const std::uint64_t* sums_of(bool redrawn, int x, int y) const {
    return redrawn ? sums_ + live_number(x, y) * state_.kept : state_.sums_of(front(x, y));
  }

  /// Second part of the time of due cell (x, y), in addition to its word; with the timestamp if it has been redrawn.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t second_word(int x, int y) const {
    const auto* const time = reinterpret_cast<const std::uint64_t*>(&state_.times(front(x, y)));
    return *(is_redrawn(words_[y * stride + x]) ? &redrawn_[live_number(x, y)].rest_and_stamp : time);
  }
  KOKKOS_FORCEINLINE_FUNCTION double time_of(std::uint32_t word, std::uint64_t second) const {
    const double redrawn = keys_.time(key_of(word), keys_.rest_of(second));
    return is_redrawn(word) ? redrawn : Kokkos::bit_cast<double>(second);
  }

  /// Data of a redrawn cell in level-1 scratch memory: its stream, unless streams are in level 0; packed (DueTimes),
  /// the rest of its time, if before the end of the step, and its timestamp.
  struct alignas(16) StreamAndTimes {
    std::uint64_t stream, rest_and_stamp;
  };
  struct Times {
    std::uint64_t rest_and_stamp;
  };
  using Redrawn = std::conditional_t<streams_in_level0, Times, StreamAndTimes>;
  static_assert(sizeof(Redrawn) == TeamLayout::bytes_of_redrawn(streams_in_level0));

  DueTimes keys_;
  const State<MemorySpace, M>& state_;
  double end_;
  std::size_t first_of_replica_;  ///< index in the front buffer
  std::size_t to_back_;
  std::int64_t tile_index_;
  std::uint32_t* words_;    ///< words of the cells, in rows of whole blocks [stride * rows]
  StateType* states_;       ///< x of all cells, unless the model keeps sums [stride * rows]
  std::uint64_t* streams_;  ///< streams of all live cells, if in level 0 [live cells]
  Redrawn* redrawn_;        ///< data of redrawn cells [live cells]
  std::uint64_t* sums_;     ///< those that the model keeps, of redrawn cells [live cells, kept]
};

}  // namespace tessera::kmc
