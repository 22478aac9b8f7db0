// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/kokkos_ext/on_gpu.hpp>
#include <tessera/core/kokkos_ext/team_scratch.hpp>
#include <tessera/kmc/kernels/block_words.hpp>
#include <tessera/kmc/kernels/due_times.hpp>
#include <tessera/kmc/state/scratch.hpp>

namespace tessera::kmc {

/// Order of the events in a window, for a team of several lanes: a key for each cell (DueTimes), and the smallest key
/// of each block of 4 x 4 cells. docs/kmc_algorithm.md, "Several events at once", has rounds and parts.
///
/// A cell fires if its word is the smallest in its block and the eight surrounding blocks and, where events reach
/// further, in those of the next blocks that have cells less than `apart` away. Equal keys are ordered by the positions
/// in the blocks, which are part of the words. Any order is right unless both events redraw the same cell, which its
/// stamp shows (TeamWindow). If many keys are equal, since events follow others at once, exact times decide instead:
/// ties are settled. The same holds for a whole periodic lattice of three or more whole blocks a side.
class DueCells : public BlockWords {
 public:
  // Number of performed events, largest key + 1 of tied and of late events, flags, most cells that an event affects.
  enum Counter { fired_so_far, tied, late, flagged, skipped, most_concerned, counters };
  static_assert(counters <= TeamLayout::words_shared);

  /// With its arrays in `level0`. `skip`, in any lane: there are no events.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION DueCells(const Team& team, const TeamLayout& layout, char* level0, const TeamArrays& at,
                                       bool skip)
      : BlockWords(layout, level0, at),
        counts(array_at<std::int32_t>(level0, at.counts)),
        fired(array_at<std::int32_t>(level0, at.fired)),
        earliest(array_at<std::uint64_t>(level0, at.earliest)),
        part_keys_(array_at<std::uint32_t>(level0, at.part_keys)),
        divide_(static_cast<int>(65536u / static_cast<unsigned>(layout.blocks_x) + 1)),
        divide_by_pairs_(static_cast<int>(65536u / static_cast<unsigned>(pairs_x()) + 1)) {
    if (const int i = team.team_rank(); i < counters) counts[i] = i == skipped && skip ? 1 : 0;
  }

  /// Forgets an attempt whose events were out of order, for another one, which has one more part if it is in_parts.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void reset(const Team& team, EventOrder order) {
    const bool again = !in_order(), one_more = order == EventOrder::in_parts && again;
    if (again) {
      sync_team(team);
      if (one_more && team.team_rank() == 0) add_part();
      sync_team(team);
      if (team.team_rank() < skipped) counts[team.team_rank()] = 0;
    }
    parts_ = one_more ? parts_ + 1 : 0;
  }

  /// Starts a step in the given order. All cells must have their words, and the lanes must have synchronised; they
  /// synchronise again before the first round. Returns whether an event lies before the end of the step.
  template <bool whole, bool may_settle, class Team>
  KOKKOS_FORCEINLINE_FUNCTION bool begin(const Team& team, EventOrder order) {
    order_ = order;
    fired_before_ = first_pair_ = 0;
    was_late_ = false;
    begin_part(0);
    bool due = false;
    for (int i = team.team_rank(); i < bordered_ * (blocks_y_ + 2); i += team.team_size()) {
      const int row = i / bordered_ - 1, column = i - (row + 1) * bordered_ - 1;
      const int y = whole ? wrapped(row, blocks_y_) : row, x = whole ? wrapped(column, blocks_x_) : column;
      const bool inside = static_cast<unsigned>(x) < static_cast<unsigned>(blocks_x_) &&
                          static_cast<unsigned>(y) < static_cast<unsigned>(blocks_y_);
      block_words_[i] = inside ? smallest_of_block<may_settle>(x, y) : beyond_window;
      due |= key_of(block_words_[i]) <= DueTimes::last;
    }
    return any(team, due);
  }

  /// Whether the flag of any lane is set. Called by all lanes, which it synchronises.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION bool any(const Team& team, bool flag) const {
    if (flag) Kokkos::atomic_or(counts + flagged, 1);
    sync_team(team);
    const bool result = counts[flagged] != 0;
    sync_team(team);
    if (team.team_rank() == 0) counts[flagged] = 0;
    return result;
  }

  /// Writes up to `most` cells of the next round to fired, and returns their number: 0 if no event is left before the
  /// end of the step, or `tied` or `late` is set. `cells` (TeamCells) orders equal keys. Called by all lanes, which it
  /// synchronises.
  template <bool whole, bool may_settle, int most_apart, class Team, class Cells>
  KOKKOS_FORCEINLINE_FUNCTION int next_round(const Team& team, int most, const Cells& cells) {
    while (!was_late_) {
      if (exact)
        fire_earliest(team, cells);
      else
        fire_locally_earliest<whole, may_settle, most_apart>(team, most, cells);
      sync_warps(team);
      const int so_far = counts[fired_so_far], events = so_far - fired_before_;
      if (counts[tied] != 0) return 0;
      fired_before_ = so_far;
      if (events > 0) return events < most ? events : most;
      if (limit_ == DueTimes::last) return 0;
      begin_part(limit_ + 1);
      sync_warps(team);
    }
    return 0;
  }

  /// Records the key of an event that is `tied` or `late`.
  KOKKOS_FORCEINLINE_FUNCTION void record_key(Counter of, std::uint32_t key) const {
    Kokkos::atomic_max(counts + of, static_cast<std::int32_t>(key) + 1);
  }
  /// Whether all redraws were in order; valid after next_round() has returned 0.
  KOKKOS_FORCEINLINE_FUNCTION bool in_order() const { return counts[tied] == 0 && counts[late] == 0; }
  /// The order for the next attempt otherwise. A whole lattice, whose next step can be shorter, is not divided as
  /// often.
  template <bool whole>
  KOKKOS_FORCEINLINE_FUNCTION EventOrder next_order() const {
    return parts_ == (whole ? most_parts_of_whole : most_parts) ? EventOrder::one_by_one : EventOrder::in_parts;
  }

  /// Updates was_late_; called by all lanes between the redraws of a round and those of the next.
  KOKKOS_FORCEINLINE_FUNCTION void update_was_late() { was_late_ = counts[late] != 0; }

  std::int32_t* counts;     ///< [counters]
  std::int32_t* fired;      ///< packed() cells of the current round [most_firing]
  std::uint64_t* earliest;  ///< for fire_earliest() [3]
  bool exact = false;       ///< events of the current part have the order of their exact times

 private:
  /// Ends a part with the recorded key. The key becomes a part of its own, in exact order, if it is tied or ends a part
  /// already, or where events follow others at once.
  KOKKOS_FORCEINLINE_FUNCTION void add_part() const {
    const bool is_tie = counts[tied] > counts[late];
    const auto recorded = static_cast<std::uint32_t>((is_tie ? counts[tied] : counts[late]) - 1);
    bool is_exact = is_tie | settles_ties;
    for (int i = 0; i < parts_; ++i) is_exact |= part_keys_[i] >> 1 == recorded;
    part_keys_[parts_] = recorded << 1 | (is_exact ? 1u : 0u);
  }

  /// Begins the part with the first key `first`.
  KOKKOS_FORCEINLINE_FUNCTION void begin_part(std::uint32_t first) {
    exact = order_ == EventOrder::one_by_one;
    limit_ = DueTimes::last;
    for (int i = 0; i < parts_; ++i) {
      const std::uint32_t key = part_keys_[i] >> 1;
      const bool is_exact = (part_keys_[i] & 1u) != 0;
      exact |= is_exact & (key == first);
      if (key >= first) limit_ = smaller(limit_, (is_exact & (key > first)) ? key - 1 : key);
    }
  }

  struct alignas(8) Two {
    std::uint32_t left, right;
  };

  KOKKOS_FORCEINLINE_FUNCTION int pairs_x() const { return bordered_ / 2 - 1; }

  /// Each lane examines two adjacent blocks, of which at most one has a cell that fires. The lanes of a warp stop once
  /// the round is full, or, if it has an event, before the last few pairs. Each round begins at another pair, so that
  /// no part of the window lags behind.
  template <bool whole, bool may_settle, int most_apart, class Team, class Cells>
  KOKKOS_FORCEINLINE_FUNCTION void fire_locally_earliest(const Team& team, int most,
                                                         [[maybe_unused]] const Cells& cells) {
    constexpr int away = (most_apart + width - 2) / width;  // blocks
    const bool settles = may_settle && settles_ties;
    const int pairs = pairs_x() * blocks_y_, lanes = team.team_size(), rank = team.team_rank();
    first_pair_ += (pairs * 5 >> 3) + 1;
    if (first_pair_ >= pairs) first_pair_ -= pairs;
    int seen = 0, taken = fired_before_;
    do {
      const bool looks = seen + rank < pairs;
      int pair = looks ? first_pair_ + seen + rank : 0;
      if (pair >= pairs) pair -= pairs;
      const int y = (pair * divide_by_pairs_) >> 16;
      int x = 2 * (pair - y * pairs_x());
      const Two* const its = reinterpret_cast<const Two*>(block_words_ + (y + 1) * bordered_ + x);
      const Two* const above = its + bordered_ / 2;
      const Two* const below = its - bordered_ / 2;
      // Blocks x - 1 and x, x + 1 and x + 2 of three rows.
      const Two a = above[0], b = above[1], c = its[0], d = its[1], e = below[0], f = below[1];
      // The column after the last one of a whole lattice is a copy of the first one, which another lane examines.
      const bool is_left = (c.right < d.left) | (whole && may_settle && x + 1 >= blocks_x_);
      const std::uint32_t candidate = is_left ? c.right : d.left;
      std::uint32_t around =
          smaller(smaller(smaller(a.right, b.left), smaller(e.right, f.left)), is_left ? d.left : c.right);
      around = smaller(
          around, is_left ? smaller(smaller(a.left, c.left), e.left) : smaller(smaller(b.right, d.right), f.right));
      const int left = x;
      x += is_left ? 0 : 1;
      const bool due = looks & (key_of(candidate) <= limit_) & (!whole || x < blocks_x_);
      if constexpr (away > 1) {
        if (due & (candidate < around) & (apart > width + 1))
          around = smaller(around, apart <= 3 * width / 2 + 1 ? smallest_further<whole>(x, y, candidate)
                                                              : smallest_away<whole, away>(x, y));
      }
      if (due & !settles & (candidate == around)) record_key(tied, key_of(candidate));
      bool fires = due & (candidate < around);
      int cell = cell_of(x, y, candidate);
      if constexpr (may_settle) {
        const bool is_tie = (key_of(candidate) == key_of(around)) | (fires & ((candidate & 1u) != 0));
        if (due & settles & is_tie) {
          cell = settled<whole, away>(left, y, key_of(candidate), cells);
          fires = cell >= 0;
        }
      }
      const int position = reserve_position(team, fires, counts + fired_so_far, taken) - fired_before_;
      if (fires & (position < most)) fired[position] = cell;
      seen += lanes;
    } while (seen < pairs && taken - fired_before_ < (pairs - seen < lanes / 2 ? 1 : most));
  }

  /// Fires the cell that comes first in the sequential order.
  template <class Team, class Cells>
  KOKKOS_FUNCTION void fire_earliest(const Team& team, const Cells& cells) {
    constexpr std::uint64_t none = ~std::uint64_t{0};
    if (team.team_rank() == 0) earliest[0] = earliest[1] = earliest[2] = none;
    sync_team(team);
    visit_blocks(
        team, [&](int, int, std::uint32_t key) { Kokkos::atomic_min(earliest, std::uint64_t{key}); }, limit_);
    sync_team(team);
    const std::uint64_t first_key = earliest[0];
    if (first_key == none) return;
    // Among the cells with this key the earliest; among equal times the smallest site.
    const auto visit_cells = [&](const auto& use) {
      visit_blocks(
          team,
          [&](int block_x, int block_y, std::uint32_t key) {
            if (key != first_key) return;
#if defined(TESSERA_ON_GPU)
#pragma unroll 1
#endif
            for (int i = 0; i < width * height; ++i) {
              const int y = block_y * height + i / width, x = block_x * width + i % width;
              if (key_of(words_[y * stride_ + x]) == key) use(x, y);
            }
          },
          static_cast<std::uint32_t>(first_key));
    };
    visit_cells([&](int x, int y) { Kokkos::atomic_min(earliest + 1, cells.exact_bits(x, y)); });
    sync_team(team);
    const std::uint64_t first = earliest[1];
    visit_cells([&](int x, int y) {
      if (cells.exact_bits(x, y) == first) Kokkos::atomic_min(earliest + 2, cells.rank_of_site(x, y));
    });
    sync_team(team);
    if (team.team_rank() == 0) {
      counts[fired_so_far] = fired_before_ + 1;
      fired[0] = static_cast<int>(earliest[2] & 0xffffu);
    }
  }

  /// Calls use(x, y, key) for this lane's share of the blocks whose key is at most `most`.
  template <class Team, class Use>
  KOKKOS_FORCEINLINE_FUNCTION void visit_blocks(const Team& team, const Use& use, std::uint32_t most) const {
#if defined(TESSERA_ON_GPU)
#pragma unroll 1
#endif
    for (int b = team.team_rank(); b < blocks_x_ * blocks_y_; b += team.team_size()) {
      const int y = (b * divide_) >> 16, x = b - y * blocks_x_;
      const std::uint32_t key = key_of(block_words_[(y + 1) * bordered_ + x + 1]);
      if (key <= most) use(x, y, key);
    }
  }

  EventOrder order_ = EventOrder::local;
  std::uint32_t* part_keys_;  ///< last keys of parts; lowest bit: in a part of its own, in exact order [most_parts]
  static constexpr int most_parts = TeamLayout::most_parts, most_parts_of_whole = 4;
  int parts_ = 0;  ///< number of parts but the last
  int divide_, divide_by_pairs_;
  int first_pair_ = 0;                    ///< pair that the first lane examines
  bool was_late_ = false;                 ///< copy of `late`, which later rounds may change while a lane reads it
  int fired_before_ = 0;                  ///< events in earlier rounds
  std::uint32_t limit_ = DueTimes::last;  ///< last key of the current part
};

}  // namespace tessera::kmc
