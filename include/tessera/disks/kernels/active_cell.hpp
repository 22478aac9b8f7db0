// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Macros.hpp>
#include <tessera/disks/state/geometry.hpp>

namespace tessera::disks {

/// An active cell, with the storage indices of the cell and its eight neighbours.
struct ActiveCell {
  int replica, x, y;
  int row[3], column[3];

  /// Active cell `number` of this set in row y.
  KOKKOS_FORCEINLINE_FUNCTION ActiveCell(const Geometry& g, int at_replica, int number, int parity, int at_y)
      : replica(at_replica), x(2 * number + parity), y(at_y) {
    const int half = g.columns >> 1, own = parity * half, others = half - own;
    const int left = number - 1 + parity, right = number + parity;
    column[0] = others + (left < 0 ? half - 1 : left);
    column[1] = own + number;
    column[2] = others + (right == half ? 0 : right);
    const int first = replica * g.rows;
    row[0] = (first + (y == 0 ? g.rows : y) - 1) * g.columns;
    row[1] = (first + y) * g.columns;
    row[2] = (first + (y == g.rows - 1 ? 0 : y + 1)) * g.columns;
  }

  KOKKOS_FORCEINLINE_FUNCTION int cell() const { return row[1] + column[1]; }
  /// Storage index of the cell at (x + i, y + j); i and j are -1, 0 or 1.
  KOKKOS_FORCEINLINE_FUNCTION int cell(int i, int j) const { return of(row, j) + of(column, i); }

 private:
  /// Without array indexing, which would move the three numbers from registers to memory.
  KOKKOS_FORCEINLINE_FUNCTION static int of(const int (&three)[3], int i) {
    return i < 0 ? three[0] : i > 0 ? three[2] : three[1];
  }
};

}  // namespace tessera::disks
