// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/disks/kernels/active_cell.hpp>
#include <tessera/disks/kernels/cell_layout.hpp>
#include <tessera/disks/kernels/coordinate_shift.hpp>
#include <tessera/disks/kernels/neighbour_list.hpp>
#include <tessera/disks/sweep_plan.hpp>

/// Algorithm 4 as a lane of a GPU does it, on disks in pairs, at the end of the last sub-sweep, in which no other lane
/// changes any of the eight cells around its active cell. So the lane can shift that and three of them, a block of two
/// by two; every cell is in one lane's block. What is shifted goes into another buffer, so that no order matters.
namespace tessera::disks {

/// Disks of a cell as they are found, in the memory of a NeighbourList.
template <int lanes>
struct ShiftedList {
  static constexpr int size = 2 * most_in_a_cell + 1;  ///< also of disks that overlap, and one that is not kept
  static_assert(size <= NeighbourList<lanes>::size);
  Position* data;
};

/// Shifts the first two of three cells in the direction of the shift, each of which takes disks from the next one.
/// `most` becomes the number of disks of one of them if that is larger.
template <bool along_x, int lanes>
KOKKOS_FORCEINLINE_FUNCTION void shift_line(const CellPairs (&line)[3], const int (&cells)[3], const PairArray& to,
                                            std::uint8_t* const counts, const CoordinateShift& shift,
                                            const ShiftedList<lanes>& list, int& most) {
  for (int c = 0; c < 2; ++c) {
    int end = 0;
    const auto add = [&](const Position& p, float coordinate, bool there) {
      list.data[end] = along_x ? Position{coordinate, p.y} : Position{p.x, coordinate};
      if (there) end += lanes;
    };
    const auto moved = [&](const Position& p) { return (along_x ? p.x : p.y) + shift.change; };
    const auto keep = [&](const Position& p) {
      const float coordinate = moved(p);
      add(p, coordinate, (coordinate >= 0) & (coordinate < shift.side));
    };
    const auto take = [&](const Position& p) {
      const float coordinate = moved(p);
      add(p, coordinate + shift.entering, (coordinate < 0) | (coordinate >= shift.side));
    };
    const CellPairs &own = line[c], &next = line[c + 1];
    keep(first_of(own.lower));
    keep(own.lower.second);
    if (holds_more_than_two(own.lower) != 0) {
      keep(own.upper.first);
      keep(own.upper.second);
    }
    take(first_of(next.lower));
    take(next.lower.second);
    if (holds_more_than_two(next.lower) != 0) {
      take(next.upper.first);
      take(next.upper.second);
    }
    const int n = end / lanes;
    most = n > most ? n : most;
    to.write(cells[c], pairs_of(n, [&](int slot) { return list.data[slot * lanes]; }));
    counts[cells[c]] = static_cast<std::uint8_t>(n);
  }
}

/// Shifts the active cell, in which the lane has left `own`, the one behind it in the direction of the shift, and the
/// two beside these in the next row or column.
template <bool along_x, int lanes>
KOKKOS_FORCEINLINE_FUNCTION void shift_block(const PairArray& from, const PairArray& to, std::uint8_t* const counts,
                                             const CoordinateShift& shift, const ActiveCell& active,
                                             const CellPairs& own, const ShiftedList<lanes>& list) {
  int most = 0;
  for (int beside = 0; beside < 2; ++beside) {
    int cells[3];
    for (int c = -1; c <= 1; ++c) {
      const int forward = along_x ? active.cell(c, beside) : active.cell(beside, c);
      const int backward = along_x ? active.cell(-c, beside) : active.cell(beside, -c);
      cells[c + 1] = shift.forward ? forward : backward;
    }
    CellPairs line[3];
    for (int c = 0; c < 3; ++c) line[c] = {from.lower(cells[c]), {}};
    if (beside == 0) line[1] = own;
    for (int c = 0; c < 3; ++c)
      if ((beside != 0 || c != 1) && holds_more_than_two(line[c].lower) != 0) line[c].upper = from.upper(cells[c]);
    shift_line<along_x>(line, cells, to, counts, shift, list, most);
  }
  if (most > most_in_a_cell)
    Kokkos::abort("tessera::disks: more than four disks in a cell, so that some of them overlap");
}

}  // namespace tessera::disks
