// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/disks/impl/shift_cell.hpp>
#include <tessera/disks/kernels/active_cell.hpp>
#include <tessera/disks/kernels/cell_layout.hpp>
#include <tessera/disks/kernels/neighbour_list.hpp>

namespace tessera::disks {

/// Algorithm 4 as a lane of a GPU does it, on disks in pairs, at the end of the last sub-sweep, in which no other lane
/// changes any of the eight cells around its active cell. So the lane can shift that and three of them, a block of two
/// by two; every cell is in one lane's block. What is shifted goes into another buffer, so that no order matters.
/// `beside` 0: the active cell, in which the lane has left `own`, and the one behind it in the direction of the shift;
/// 1: the two beside these in the next row or column.
template <int lanes>
KOKKOS_FORCEINLINE_FUNCTION void shift_block(const PairArray& from, const PairArray& to, std::uint8_t* const counts,
                                             const CellShift& shift, const ActiveCell& active, int beside,
                                             const CellPairs& own, const NeighbourList<lanes>& list) {
  // Also of disks that overlap, and one that is not kept.
  static_assert(2 * most_in_a_cell + 1 <= NeighbourList<lanes>::size);
  int cells[3];
  CellPairs line[3];
  for (int c = 0; c < 3; ++c) {
    const int ahead = shift.forward ? c - 1 : 1 - c;
    cells[c] = shift.along_x ? active.cell(ahead, beside) : active.cell(beside, ahead);
    line[c] = {from.lower(cells[c]), {}};
  }
  if (beside == 0) line[1] = own;
  for (int c = 0; c < 3; ++c)
    if ((beside != 0 || c != 1) && holds_more_than_two(line[c].lower) != 0) line[c].upper = from.upper(cells[c]);
  for (int c = 0; c < 2; ++c) {
    int n = 0;
    const auto add = [&](bool there, const Position& p) {
      list.disk(n) = p;
      n += static_cast<int>(there);
    };
    for_each_disk(line[c], [&](const Position& p) { shift.keep(is_there(p), p, add); });
    for_each_disk(line[c + 1], [&](const Position& p) { shift.take(is_there(p), p, add); });
    if (n > most_in_a_cell)
      Kokkos::abort("tessera::disks: more than four disks in a cell, so that some of them overlap");
    to.write(cells[c], pairs_of(n, [&](int slot) { return list.disk(slot); }));
    counts[cells[c]] = static_cast<std::uint8_t>(n);
  }
}

}  // namespace tessera::disks
