// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/kokkos_ext/team_scratch.hpp>
#include <tessera/kmc/kernels/due_times.hpp>
#include <tessera/kmc/kernels/window_frame.hpp>
#include <tessera/kmc/tile_sizes.hpp>

namespace tessera::kmc {

/// A window whose due cells, those with an event before the end of the step, stand in a list, in any order, for a team
/// of several lanes. Each cell has a key of its time (DueTimes).
///
/// Events come in rounds. In each a listed cell fires if no cell within |dx| + |dy| <= 4 comes before it; of equal
/// times the smaller site comes first. Two cells that fire in the same round are more than 2 apart in x or in y (a step
/// of 4 reaches all that are not, with four neighbours and with eight): no cell is redrawn for both of them, and none
/// reads a state that the other changes.
class DueCells : public WindowFrame {
 protected:
  // The numbers of events that fire in three rounds, and of listed cells; then those of TeamWindow.
  enum Counter { listed = 3, out_of_order, flagged, skipped, counters };
  static_assert(counters + 4 <= TeamLayout::words_shared);

  KOKKOS_FORCEINLINE_FUNCTION DueCells(const Geometry& g, int halo_width, double begin, double end)
      : WindowFrame(g, halo_width), due_(begin, end) {}

  /// Begins a step in this order: no cell is due. The caller synchronises before set() and after.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void begin(const Team& team, EventOrder order) {
    order_ = order;
    round_ = 0;
    limit_ = order == EventOrder::slices ? DueTimes::slice : DueTimes::last;
    for (int i = team.team_rank(); i < side + TeamLayout::guard; i += team.team_size()) {
      keys_[i - TeamLayout::guard] = DueTimes::unlisted;
      keys_[side * (side - 1) + i] = DueTimes::unlisted;
    }
  }

  /// Puts a cell on the list that has this time, before the end of the step. If there is no room any more, all cells
  /// are looked through.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void list(const Team& team, int cell, double time) {
    set(cell, time);
    const int place_in_list = take_place(team, counts_ + listed);
    if (place_in_list < capacity_) list_[place_in_list] = entry(cell, own_row);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool is_listed(int cell) const { return keys_[cell] != DueTimes::unlisted; }
  /// Cell number i of the list.
  KOKKOS_FORCEINLINE_FUNCTION int listed_cell(int i) const { return list_[i] % TeamLayout::most_cells; }
  /// Gives a listed cell a time before the end of the step.
  KOKKOS_FORCEINLINE_FUNCTION void set(int cell, double time) {
    keys_[cell] = due_.key(time);
    lows_[cell] = due_.low(time);
  }

  /// Calls perform(e, cell, x, y) for the events e of the next round, each in one of the lanes; returns their number.
  /// 0: none is left before the end of the step, or flag `out_of_order` is set. All lanes together; they are
  /// synchronised when it returns.
  template <class Team, class Perform>
  KOKKOS_FORCEINLINE_FUNCTION int next_round(const Team& team, const Perform& perform) {
    for (;;) {
      if (counts_[out_of_order] != 0) return 0;
      if (order_ == EventOrder::one_by_one)
        fire_earliest(team, perform);
      else
        fire_locally_earliest(team, perform);
      sync_team(team);
      const int fired = counts_[round_];
      // The count of the round after the next: no lane uses it before the next barrier, nor any more.
      const int after_next = round_ == 0 ? 2 : round_ - 1;
      if (team.team_rank() == 0) counts_[after_next] = 0;
      round_ = round_ == 2 ? 0 : round_ + 1;
      if (fired > 0) return fired < TeamLayout::most_firing ? fired : TeamLayout::most_firing;
      if (limit_ == DueTimes::last) return 0;
      limit_ = DueTimes::last - limit_ > DueTimes::slice ? limit_ + DueTimes::slice : DueTimes::last;
    }
  }

  DueTimes due_;
  EventOrder order_ = EventOrder::local;
  int capacity_ = 0;         ///< of the list
  std::uint32_t* keys_;      ///< DueTimes [side * side, with a guard on both sides]
  std::uint32_t* lows_;      ///< likewise [rows 1 .. side - 2]
  std::uint16_t* list_;      ///< entry() of all cells that are or have been due [capacity_]
  std::uint64_t* earliest_;  ///< for fire_earliest() [2]
  int* counts_;              ///< [counters]

 private:
  // An entry of the list: the cell, and the row of its surroundings, dy + 4, in which an earlier cell was seen last.
  static constexpr int own_row = 4, reach = 4;
  KOKKOS_FORCEINLINE_FUNCTION static std::uint16_t entry(int cell, int row_seen) {
    return static_cast<std::uint16_t>(row_seen * TeamLayout::most_cells + cell);
  }

  /// The keys around column x of row `y`; those of the fixed boundary for a row beyond it.
  KOKKOS_FORCEINLINE_FUNCTION const std::uint32_t* keys_of_row(int x, int y) const {
    const int bounded = y < 0 ? 0 : (y < side ? y : side - 1);
    return keys_ + bounded * side + x;
  }

  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t smaller(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }

  template <class Team, class Perform>
  KOKKOS_FORCEINLINE_FUNCTION void fire_locally_earliest(const Team& team, const Perform& perform) {
    const bool all = counts_[listed] > capacity_;
    const int count = all ? inner_cells() : counts_[listed];
    for (int i = team.team_rank(); i < count; i += team.team_size()) {
      const int its = all ? entry(side + i, own_row) : int{list_[i]};
      const int cell = its % TeamLayout::most_cells, row_seen = its / TeamLayout::most_cells;
      const std::uint32_t key = keys_[cell];
      if (key > limit_) continue;
      const int y = row(cell), x = cell - y * side;
      if (earlier_in_row(x, y, row_seen - reach, key)) continue;
      int row_of_earliest;
      const std::uint32_t smallest = smallest_around(x, y, row_of_earliest);
      if (smallest < key) {
        if (!all) list_[i] = entry(cell, row_of_earliest);
        continue;
      }
      if (smallest == key && !first_of_equals(x, y)) continue;
      const int place_in_round = take_place(team, counts_ + round_);
      if (place_in_round < TeamLayout::most_firing) perform(place_in_round, cell, x, y);
    }
  }

  /// Whether an earlier key than this stands in the row y + dy of the surroundings of (x, y).
  KOKKOS_FORCEINLINE_FUNCTION bool earlier_in_row(int x, int y, int dy, std::uint32_t key) const {
    const std::uint32_t* const keys = keys_of_row(x, y + dy);
    const int width = reach - (dy < 0 ? -dy : dy);
    std::uint32_t smallest = keys[0];
    for (int dx = 1; dx <= reach; ++dx)
      if (dx <= width) smallest = smaller(smallest, smaller(keys[-dx], keys[dx]));
    return smallest < key;
  }

  /// The smallest key of the other cells in the surroundings of (x, y); `row_of_it` becomes its dy + 4.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t smallest_around(int x, int y, int& row_of_it) const {
    std::uint32_t smallest = DueTimes::unlisted;
    row_of_it = own_row;
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (int dy = -reach; dy <= reach; ++dy) {
      const std::uint32_t* const keys = keys_of_row(x, y + dy);
      std::uint32_t of_row = dy == 0 ? DueTimes::unlisted : keys[0];
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
      for (int dx = 1; dx <= reach; ++dx)
        if (dx <= reach - (dy < 0 ? -dy : dy)) of_row = smaller(of_row, smaller(keys[-dx], keys[dx]));
      if (of_row < smallest) row_of_it = dy + reach;
      smallest = smaller(smallest, of_row);
    }
    return smallest;
  }

  /// Whether (x, y) comes before all cells in its surroundings with the same key. Hardly ever asked for.
  KOKKOS_FUNCTION bool first_of_equals(int x, int y) const {
    const int cell = y * side + x;
    for (int dy = -reach; dy <= reach; ++dy) {
      const int width = reach - (dy < 0 ? -dy : dy);
      for (int dx = -width; dx <= width; ++dx) {
        const int other = cell + dy * side + dx;
        if (other < side || other >= side + inner_cells() || other == cell || keys_[other] != keys_[cell]) continue;
        const int other_y = row(other), other_x = other - other_y * side;
        if (lows_[other] != lows_[cell] ? lows_[other] < lows_[cell]
                                        : rank_of_site(other_x, other_y) < rank_of_site(x, y))
          return false;
      }
    }
    return true;
  }

  /// The order of events at the same time: that of their sites. A small window may hold a site more than once.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t rank_of_site(int x, int y) const {
    return static_cast<std::uint64_t>(site(x, y)) << 16 | static_cast<std::uint64_t>(y * side + x);
  }

  /// The event of the one cell that comes first in the sequential order.
  template <class Team, class Perform>
  KOKKOS_FUNCTION void fire_earliest(const Team& team, const Perform& perform) {
    const bool all = counts_[listed] > capacity_;
    const int count = all ? inner_cells() : counts_[listed], rank = team.team_rank();
    constexpr std::uint64_t none = ~std::uint64_t{0};
    if (rank < 2) earliest_[rank] = none;
    sync_team(team);
    const auto visit_due = [&](const auto& use) {
      for (int i = rank; i < count; i += team.team_size()) {
        const int cell = all ? side + i : listed_cell(i);
        if (keys_[cell] <= DueTimes::last) use(cell, std::uint64_t{keys_[cell]} << 32 | lows_[cell]);
      }
    };
    std::uint64_t mine = none;
    visit_due([&](int, std::uint64_t time) { mine = time < mine ? time : mine; });
    if (mine != none) Kokkos::atomic_min(earliest_, mine);
    sync_team(team);
    const std::uint64_t first = earliest_[0];
    std::uint64_t site_rank = none;
    visit_due([&](int cell, std::uint64_t time) {
      const int y = row(cell);
      const std::uint64_t its_rank = rank_of_site(cell - y * side, y);
      if (time == first && its_rank < site_rank) site_rank = its_rank;
    });
    if (site_rank != none) Kokkos::atomic_min(earliest_ + 1, site_rank);
    sync_team(team);
    if (site_rank == none || site_rank != earliest_[1]) return;
    const int cell = static_cast<int>(site_rank & 0xffffu), y = row(cell);
    perform(take_place(team, counts_ + round_), cell, cell - y * side, y);
  }

  int round_ = 0;  ///< modulo 3
  std::uint32_t limit_ = DueTimes::last;
};

}  // namespace tessera::kmc
