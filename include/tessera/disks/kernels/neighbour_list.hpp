// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <tessera/disks/kernels/held_disks.hpp>
#include <tessera/disks/state/geometry.hpp>
#include <tessera/disks/state/numbers.hpp>
#include <tessera/disks/state/state.hpp>
#include <tessera/disks/state/trial_moves.hpp>

namespace tessera::disks {

/// An active cell, with the storage indices of it and its eight neighbours.
struct ActiveCell {
  int replica, x, y;
  int row[3], column[3];

  /// Active cell `number` of row at_y, in column 2 * number + parity.
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
  /// Without array indexing, which would move the numbers from registers to memory.
  KOKKOS_FORCEINLINE_FUNCTION static int of(const int (&three)[3], int i) {
    return i < 0 ? three[0] : i > 0 ? three[2] : three[1];
  }
};

/// A lane's lists in scratch memory, interleaved by lanes: disks of the cell, disks that can touch them; displacements.
template <int lanes>
struct NeighbourList {
  /// The centres of the listed disks, the cell's own included, lie in a rectangle around the cell with sides of at most
  /// 2 + sqrt(2). It has room for 2 / sqrt(3) area + perimeter / 2 + 1 = 21.3 of them (Oler, Acta Math. 105, 19, 1961).
  static constexpr int most = 21;
  static constexpr int read_at_least = 12, read_together = 4;  ///< disks; there are about 11 on average
  static constexpr int size = most + read_together - 1;
  static constexpr std::size_t bytes_a_lane = size * sizeof(Position) + points_of_a_group * sizeof(SquarePoint);

  Position* data;
  SquarePoint* points;

  KOKKOS_FORCEINLINE_FUNCTION NeighbourList(void* scratch, int lane)
      : data(static_cast<Position*>(scratch) + lane),
        points(reinterpret_cast<SquarePoint*>(static_cast<Position*>(scratch) + size * lanes) + lane) {}

  KOKKOS_FORCEINLINE_FUNCTION Position& disk(int k) const { return data[k * lanes]; }

  KOKKOS_FORCEINLINE_FUNCTION SquarePoint& point(int k) const { return points[k * lanes]; }

  /// Distance between consecutive disks of a lane, for addresses by offset in bytes.
  static constexpr unsigned bytes_to_next = lanes * sizeof(Position);
  KOKKOS_FORCEINLINE_FUNCTION Position& disk_at(unsigned offset) const {
    return *reinterpret_cast<Position*>(reinterpret_cast<char*>(data) + offset);
  }
  /// Pad the list with distant disks: prepare() before disks are listed, finish() after the last one, at offset `end`.
  KOKKOS_FORCEINLINE_FUNCTION void prepare() const {
    for (int k = most_in_a_cell; k < read_at_least; ++k) disk(k) = nowhere;
  }
  KOKKOS_FORCEINLINE_FUNCTION void finish(unsigned end) const {
    for (unsigned k = 0; k < read_together - 1; ++k) disk_at(end + k * bytes_to_next) = nowhere;
  }

  /// Squared distance to the nearest of `all` disks, or a value beyond any overlap.
  KOKKOS_FORCEINLINE_FUNCTION float nearest(int all, float x, float y) const {
    constexpr float far = 4;
    std::int32_t least = order_key(far);
    for (int k = 0; k < read_at_least; k += read_together) least = least_of(least, k, x, y);
    for (int k = read_at_least; k < size; k += read_together) {
      if (k >= all) break;
      least = least_of(least, k, x, y);
    }
    return of_order_key(least);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION std::int32_t least_of(std::int32_t least, int k, float x, float y) const {
    const auto squared = [&](const Position& p) { return order_key(about_square(p.x - x, p.y - y)); };
    least = lesser(lesser(least, squared(disk(k))), squared(disk(k + 1)));
    return lesser(lesser(least, squared(disk(k + 2))), squared(disk(k + 3)));
  }
};

}  // namespace tessera::disks
