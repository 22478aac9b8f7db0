// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/disks/kernels/neighbour_list.hpp>
#include <tessera/disks/kernels/update_cell.hpp>
#include <tessera/disks/state/cell_layout.hpp>
#include <tessera/disks/state/sweep_plan.hpp>
#include <tessera/disks/state/trial_moves.hpp>

/// An active cell of a GPU lane, from disks in pairs. Branches cost the time of the whole warp: the lane tests all
/// disks of the neighbourhood unconditionally, and lists the disks in the cell and those that can touch them.
namespace tessera::disks {

/// The pairs in slots 0 and 1 of a cell and its neighbours, loaded together.
struct PairsAround {
  Pair pairs[9];
  KOKKOS_FORCEINLINE_FUNCTION PairsAround(const PairArray& all, const ActiveCell& active) {
    for (int j = -1; j <= 1; ++j)
      for (int i = -1; i <= 1; ++i) pairs[number(i, j)] = all.lower(active.cell(i, j));
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int number(int i, int j) { return 3 * (j + 1) + i + 1; }
  KOKKOS_FORCEINLINE_FUNCTION const Pair& at(int i, int j) const { return pairs[number(i, j)]; }
};

template <int lanes>
class ListedCell {
 public:
  using Index = unsigned;  ///< offset of a disk in the list, in bytes
  using Mask = bool;
  int disks = 0;

  KOKKOS_FORCEINLINE_FUNCTION explicit ListedCell(const NeighbourList<lanes>& list) : list_(list) {}

  /// Lists the disks of the cell, shuffled by `fraction` if required, and, if any, the disks that can touch them.
  KOKKOS_FORCEINLINE_FUNCTION void read(const PairArray& all, const Geometry& g, const ActiveCell& active,
                                        const PairsAround& around, bool shuffled, std::uint32_t fraction) {
    list_.prepare();
    list_own(all, active, around.at(0, 0), shuffled, fraction);
    if (disks > 0) list_near(all, g, active, around);
  }
  KOKKOS_FORCEINLINE_FUNCTION Position disk(int slot) const { return list_.disk(slot); }

  KOKKOS_FORCEINLINE_FUNCTION Position take(unsigned moved) const {
    const Position p = list_.disk_at(moved);
    list_.disk_at(moved) = nowhere;
    return p;
  }
  KOKKOS_FORCEINLINE_FUNCTION float nearest(unsigned, float x, float y) const { return list_.nearest(all_, x, y); }
  template <class Test>
  KOKKOS_FORCEINLINE_FUNCTION bool any_other(unsigned, const Test& test) const {
    for (int k = 0; k < all_; ++k)
      if (test(list_.disk(k))) return true;
    return false;
  }
  KOKKOS_FORCEINLINE_FUNCTION void put(unsigned moved, const Position& from, float x, float y, bool goes) const {
    list_.disk_at(moved) = goes ? Position{x, y} : from;
  }
  KOKKOS_FORCEINLINE_FUNCTION unsigned next(unsigned moved) const {
    return moved == last_ ? 0 : moved + list_.bytes_to_next;
  }
  KOKKOS_FORCEINLINE_FUNCTION static bool all(bool free) { return free; }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void list_own(const PairArray& all, const ActiveCell& active, const Pair& own,
                                            bool shuffled, std::uint32_t fraction) {
    Position items[most_in_a_cell] = {first_of(own), own.second, absent, absent};
    disks = static_cast<int>(is_there(own.first)) + static_cast<int>(is_there(own.second));
    if (holds_more_than_two(own) != 0) {
      const Pair more = all.upper(active.cell());
      items[2] = more.first;
      items[3] = more.second;
      disks = is_there(more.second) ? 4 : 3;
      if (shuffled) shuffle(items, most_in_a_cell, disks, fraction);
      list_.disk(2) = items[2];
      list_.disk(3) = items[3];
    } else if (shuffled) {
      shuffle(items, 2, disks, fraction);
    }
    list_.disk(0) = items[0];
    list_.disk(1) = items[1];
    last_ = static_cast<unsigned>(disks - 1) * list_.bytes_to_next;
  }

  KOKKOS_FORCEINLINE_FUNCTION void list_near(const PairArray& all, const Geometry& g, const ActiveCell& active,
                                             const PairsAround& around) {
    const float w = g.cell_width(), h = g.cell_height();
    unsigned end = static_cast<unsigned>(disks) * list_.bytes_to_next;
    // Without a branch: a disk that is not kept is overwritten.
    const auto add = [&](const Position& p, bool kept) {
      list_.disk_at(end) = p;
      end += kept ? list_.bytes_to_next : 0;
    };
    std::uint32_t crowds = 0;  // bit 4 (j + 1) + i + 1
    for (int j = -1; j <= 1; ++j)
      for (int i = -1; i <= 1; ++i)
        if (i != 0 || j != 0) crowds |= holds_more_than_two(around.at(i, j)) << (4 * (j + 1) + i + 1);
    // About one cell in thirty has more than two disks. The next such cell is loaded while the current one is listed.
    const auto first_crowd = [&] {
      const int c = Kokkos::Experimental::countr_zero_builtin(crowds);
      return CellOffset{(c & 3) - 1, (c >> 2) - 1};
    };
    Pair upper{absent, absent};
    if (crowds != 0) upper = all.upper(active.cell(first_crowd().x, first_crowd().y));
    for (int j = -1; j <= 1; ++j) {
      const float offset_y = static_cast<float>(j) * h;
      for (int i = -1; i <= 1; ++i) {
        if (i == 0 && j == 0) continue;
        const float offset_x = static_cast<float>(i) * w;
        const auto look_at = [&](const Position& p) {
          const Position q{i == 0 ? p.x : p.x + offset_x, j == 0 ? p.y : p.y + offset_y};
          const bool in_x = i == 0 || (i < 0 ? q.x > -1.0f : q.x < w + 1.0f);
          const bool in_y = j == 0 || (j < 0 ? q.y > -1.0f : q.y < h + 1.0f);
          add(q, in_x & in_y);
        };
        look_at(first_of(around.at(i, j)));
        look_at(around.at(i, j).second);
      }
    }
    while (crowds != 0) {
      const CellOffset at = first_crowd();
      const Pair more = upper;
      crowds &= crowds - 1;
      if (crowds != 0) upper = all.upper(active.cell(first_crowd().x, first_crowd().y));
      const float offset_x = at.x < 0 ? -w : at.x > 0 ? w : 0.0f, offset_y = at.y < 0 ? -h : at.y > 0 ? h : 0.0f;
      const auto look_at = [&](const Position& p) {
        const Position q{p.x + offset_x, p.y + offset_y};
        add(q, (q.x > -1.0f) & (q.x < w + 1.0f) & (q.y > -1.0f) & (q.y < h + 1.0f));
      };
      look_at(more.first);
      look_at(more.second);
    }
    list_.finish(end);
    all_ = static_cast<int>(end / list_.bytes_to_next);
  }

  struct CellOffset {
    int x, y;
  };
  NeighbourList<lanes> list_;
  unsigned last_ = 0;
  int all_ = 0;
};

/// Random choices of an active cell.
template <int lanes>
class ListedChance {
 public:
  KOKKOS_FORCEINLINE_FUNCTION ListedChance(const Geometry& g, std::uint64_t key, const MoveRules& rules,
                                           const ActiveCell& active, const NeighbourList<lanes>& list)
      : key_(key_of_cell(key, g.number_in_grid(active.x, active.y))),
        cells_(g.grid_cells()),
        radius_(rules.radius),
        list_(list) {
    Stream stream = cell_stream(key_, 0);
    if (rules.shuffle_particles) fraction_ = static_cast<std::uint32_t>(stream.draw() >> 32);
    find(stream, rules.moves < moves_of_a_group ? rules.moves : moves_of_a_group);
  }

  /// Random number for shuffle().
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t fraction() const { return fraction_; }

  KOKKOS_FORCEINLINE_FUNCTION void draw(int group, int moves) const {
    Stream stream = cell_stream(key_, group * cells_);
    find(stream, moves);
  }
  KOKKOS_FORCEINLINE_FUNCTION Position displacement(int s) const { return list_.point(s).displacement(radius_); }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void find(Stream& stream, int moves) const {
    find_points(stream, moves, [&](int i, const SquarePoint& point) { list_.point(i) = point; });
  }

  std::uint64_t key_;  ///< key of the cell's streams
  std::int64_t cells_;
  float radius_;
  std::uint32_t fraction_ = 0;
  NeighbourList<lanes> list_;
};

}  // namespace tessera::disks
