// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_BitManipulation.hpp>
#include <Kokkos_Core.hpp>
#include <cstdint>
#include <limits>
#include <tessera/disks/state/state.hpp>

/// Arrangement::pairs. A lane reads slots 0 and 1 of a cell together; they also encode the number of disks. Coordinates
/// of an absent disk are NaN, for which every comparison is false. If the cell has more than two disks, the sign bit of
/// the first disk's y is set; otherwise slots 2 and 3 are undefined.
namespace tessera::disks {

struct alignas(16) Pair {
  Position first, second;
};

inline constexpr Position absent{std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::quiet_NaN()};

/// 1 if the cell with this pair in slots 0 and 1 has more than two disks, else 0.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t holds_more_than_two(const Pair& pair) {
  return Kokkos::bit_cast<std::uint32_t>(pair.first.y) >> 31;
}

/// Whether a disk is present; first_of() must have decoded the first one of a cell.
KOKKOS_FORCEINLINE_FUNCTION bool is_there(const Position& p) { return p.x >= 0; }

/// The first disk of a cell, without the sign bit.
KOKKOS_FORCEINLINE_FUNCTION Position first_of(const Pair& pair) { return {pair.first.x, Kokkos::abs(pair.first.y)}; }

/// The disks of a cell; `upper` is undefined if there are at most two.
struct CellPairs {
  Pair lower, upper;
};

/// Calls visit(disk) for all disks of a cell, and possibly for absent ones.
template <class Visit>
KOKKOS_FORCEINLINE_FUNCTION void for_each_disk(const CellPairs& cell, const Visit& visit) {
  visit(first_of(cell.lower));
  visit(cell.lower.second);
  if (holds_more_than_two(cell.lower) == 0) return;
  visit(cell.upper.first);
  visit(cell.upper.second);
}

/// The encoded cell with the disks disk(0) .. disk(n - 1).
template <class Disk>
KOKKOS_FORCEINLINE_FUNCTION CellPairs pairs_of(int n, const Disk& disk) {
  CellPairs cell;
  cell.lower = {n > 0 ? disk(0) : absent, n > 1 ? disk(1) : absent};
  if (n > 2) {
    cell.lower.first.y = -cell.lower.first.y;
    cell.upper = {disk(2), n > 3 ? disk(3) : absent};
  }
  return cell;
}

/// Slots 0 and 1 of all cells, then slots 2 and 3 of all cells.
struct PairArray {
  Pair* data;
  int cells;

  template <class MemorySpace>
  explicit PairArray(const Cells<MemorySpace>& c)
      : data(reinterpret_cast<Pair*>(c.positions.data())), cells(static_cast<int>(c.geometry.all_cells())) {}

  KOKKOS_FORCEINLINE_FUNCTION const Pair& lower(int cell) const { return data[cell]; }
  KOKKOS_FORCEINLINE_FUNCTION const Pair& upper(int cell) const { return data[cell + cells]; }

  KOKKOS_FORCEINLINE_FUNCTION void write(int cell, const CellPairs& pairs) const {
    data[cell] = pairs.lower;
    if (holds_more_than_two(pairs.lower) != 0) data[cell + cells] = pairs.upper;
  }
};

}  // namespace tessera::disks
