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

/// Algorithm 4 for a lane of a GPU, on disks in pairs, at the end of the last sub-sweep. No other lane changes the
/// eight neighbours of its active cell then. Therefore the lane shifts a block of two by two cells, the active cell and
/// three neighbours; every cell is in the block of one lane. The result is written to another buffer, so that the order
/// of lanes does not matter.
///
/// `beside` 0: the active cell, whose disks are in `own`, and the cell behind it in the direction of the shift; 1: the
/// two cells next to these in the next row or column.
template <int lanes>
KOKKOS_FORCEINLINE_FUNCTION void shift_block(const PairArray& from, const PairArray& to, std::uint8_t* const counts,
                                             const CellShift& shift, const ActiveCell& active, int beside,
                                             const CellPairs& own, const NeighbourList<lanes>& list) {
  // The list has room for overlapping disks and for one that is not kept.
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
