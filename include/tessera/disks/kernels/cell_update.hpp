// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/kokkos_ext/word_bits.hpp>
#include <tessera/disks/kernels/active_cell.hpp>
#include <tessera/disks/kernels/cell_layout.hpp>
#include <tessera/disks/kernels/neighbour_list.hpp>
#include <tessera/disks/sweep_plan.hpp>
#include <tessera/disks/trial_moves.hpp>

/// Algorithm 2 as a lane of a GPU does it, on disks in pairs. Others of its warp wait where it branches, so it looks at
/// whatever might be near without asking first: the disks in the cell, and those that can touch one in it, become one
/// list.
namespace tessera::disks {

/// The disks of a cell and around it that stand in lower pairs, all of them read at once.
struct PairsAround {
  Pair pairs[9];
  KOKKOS_FORCEINLINE_FUNCTION PairsAround(const PairArray& all, const ActiveCell& active) {
    for (int j = -1; j <= 1; ++j)
      for (int i = -1; i <= 1; ++i) pairs[number(i, j)] = all.lower(active.cell(i, j));
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int number(int i, int j) { return 3 * (j + 1) + i + 1; }
  KOKKOS_FORCEINLINE_FUNCTION const Pair& at(int i, int j) const { return pairs[number(i, j)]; }
};

/// Lists the disks of the cell, shuffled by `fraction` (Fisher-Yates) if they are to be. Returns their number.
template <int lanes>
KOKKOS_FORCEINLINE_FUNCTION int list_own(const PairArray& all, const ActiveCell& active, const Pair& own, bool shuffled,
                                         std::uint32_t fraction, const NeighbourList<lanes>& list) {
  const Position first = first_of(own);
  const int n = static_cast<int>(is_there(own.first)) + static_cast<int>(is_there(own.second));
  std::uint32_t of_two = fraction;
  const bool exchanged = shuffled && n == 2 && choose(of_two, 2) == 0 && holds_more_than_two(own) == 0;
  list.disk(0) = exchanged ? own.second : first;
  list.disk(1) = exchanged ? first : own.second;
  if (holds_more_than_two(own) == 0) return n;
  const Pair more = all.upper(active.cell());
  list.disk(2) = more.first;
  list.disk(3) = more.second;
  const bool four = is_there(more.second);
  for (int i = most_in_a_cell - 1; i > 0 && shuffled; --i) {
    if (i == 3 && !four) continue;
    const int other = choose(fraction, i + 1);
    const Position moved = list.disk(i);
    list.disk(i) = list.disk(other);
    list.disk(other) = moved;
  }
  return four ? 4 : 3;
}

/// Lists after n disks of the cell all that can touch one in it. Returns the number of both together.
template <int lanes>
KOKKOS_FORCEINLINE_FUNCTION int list_near(const PairArray& all, const Geometry& g, const ActiveCell& active,
                                          const PairsAround& around, int n, const NeighbourList<lanes>& list) {
  const float w = g.cell_width(), h = g.cell_height();
  unsigned end = static_cast<unsigned>(n) * list.bytes_to_next;
  // Written in any case and kept by counting it, which takes no branch.
  const auto add = [&](const Position& p, bool kept) {
    list.disk_at(end) = p;
    end += kept ? list.bytes_to_next : 0;
  };
  std::uint32_t crowds = 0;  // bit 4 (j + 1) + i + 1
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
      const Pair& pair = around.at(i, j);
      look_at(first_of(pair));
      look_at(pair.second);
      crowds |= holds_more_than_two(pair) << (4 * (j + 1) + i + 1);
    }
  }
  // More than two disks are in about one cell of thirty.
  while (crowds != 0) {
    const int c = Kokkos::Experimental::countr_zero_builtin(crowds), i = (c & 3) - 1, j = (c >> 2) - 1;
    crowds &= crowds - 1;
    const int row = j < 0 ? active.row[0] : j > 0 ? active.row[2] : active.row[1];
    const int column = i < 0 ? active.column[0] : i > 0 ? active.column[2] : active.column[1];
    const Pair more = all.upper(row + column);
    const float offset_x = i < 0 ? -w : i > 0 ? w : 0.0f, offset_y = j < 0 ? -h : j > 0 ? h : 0.0f;
    const auto look_at = [&](const Position& p) {
      const Position q{p.x + offset_x, p.y + offset_y};
      add(q, (q.x > -1.0f) & (q.x < w + 1.0f) & (q.y > -1.0f) & (q.y < h + 1.0f));
    };
    look_at(more.first);
    look_at(more.second);
  }
  list.finish(end);
  return static_cast<int>(end / list.bytes_to_next);
}

/// What a lane has made of its active cell, whose disks are the first ones of its list.
struct UpdatedCell {
  int disks;
  std::uint32_t tried, accepted;  ///< moves
};

/// Algorithm 2 for one active cell: shuffles its disks and makes the trial moves, of disks that stay in the cell.
template <int lanes>
KOKKOS_FORCEINLINE_FUNCTION UpdatedCell update_cell(const PairArray& pairs, const Geometry& g, std::uint64_t key,
                                                    const MoveRules& rules, const ActiveCell& active,
                                                    const NeighbourList<lanes>& list) {
  const PairsAround around(pairs, active);
  const int cell_number = active.y * g.columns + active.x;
  Stream stream = cell_stream(key, cell_number);
  std::uint32_t fraction = 0;
  if (rules.shuffle_particles) fraction = static_cast<std::uint32_t>(stream.draw() >> 32);
  list.prepare();
  const int n = list_own(pairs, active, around.at(0, 0), rules.shuffle_particles, fraction, list);
  if (n == 0) return {};
  const int count = list_near(pairs, g, active, around, n, list);
  const float w = g.cell_width(), h = g.cell_height();
  const unsigned last = static_cast<unsigned>(n - 1) * list.bytes_to_next;
  unsigned moved = 0;
  std::uint32_t accepted = 0;
  for (int first = 0; first < rules.moves; first += moves_of_a_group) {
    // Lanes that have found their displacements wait for the others once, not for each of them.
    const int some = rules.moves - first < moves_of_a_group ? rules.moves - first : moves_of_a_group;
    if (first > 0) stream = cell_stream(key, cell_number + std::int64_t{first / moves_of_a_group} * g.cells());
    const int end = some * list.bytes_to_next_point;
    find_points(
        stream, 0, end, [&](int offset, const SquarePoint& point) { list.point_at(offset) = point; },
        list.bytes_to_next_point);
    for (int s = 0; s < end; s += list.bytes_to_next_point) {
      const Position v = list.point_at(s).displacement(rules.radius);
      const Position before = list.disk_at(moved);
      const Position to{before.x + v.x, before.y + v.y};
      const bool stays = (to.x >= 0) & (to.x < w) & (to.y >= 0) & (to.y < h);
      list.disk_at(moved) = nowhere;
      const bool moves = list.has_room(count, to, stays);
      list.disk_at(moved) = moves ? to : before;
      accepted += static_cast<std::uint32_t>(moves);
      moved = moved == last ? 0 : moved + list.bytes_to_next;
    }
  }
  return {n, static_cast<std::uint32_t>(rules.moves), accepted};
}

}  // namespace tessera::disks
