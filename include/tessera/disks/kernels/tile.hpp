// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tessera/disks/state/geometry.hpp>
#include <tessera/disks/state/state.hpp>

/// A tile of cells that one team takes through a whole sweep. A sub-sweep reads the eight neighbours of a cell, and the
/// shift one of them: after a sweep a cell depends on cells up to five away. A team therefore reads its tile and a
/// halo, makes each sub-sweep in a region one cell narrower on each side, and writes the tile. Several teams compute
/// the cells of their halos with the same result bit for bit, since random numbers belong to the cell.
namespace tessera::disks {

/// Decomposition of a sweep among teams; trajectories do not depend on it.
struct TileShape {
  static constexpr int halo = 4;        ///< width of the halo in cells, without the cell that the shift reads
  static constexpr int most_moves = 4;  ///< maximum number of moves of an active cell

  int width, height;  ///< of a tile, in cells: even
  int lanes;          ///< of a team: one, or a multiple of a warp

  /// Whether the tile is a whole replica, which is periodic and has no halo.
  bool is_whole(const Geometry& g) const { return width == g.columns && height == g.rows; }
  bool fits(const Geometry& g) const { return g.columns >= width + halo + 2 && g.rows >= height + halo + 2; }
};

/// Division of non-negative numbers, exact if dividend * divisor < 2^16.
struct SmallDivisor {
  std::uint32_t inverse = 0;
  SmallDivisor() = default;
  explicit SmallDivisor(int divisor) : inverse(65536u / static_cast<unsigned>(divisor) + 1) {}
  KOKKOS_FORCEINLINE_FUNCTION int quotient(int dividend) const {
    return static_cast<int>((static_cast<std::uint32_t>(dividend) * inverse) >> 16);
  }
};

/// Layout of a team's memory.
struct TileLayout {
  int width, height, stride, room, all_active;
  int before[4], after[4];  ///< indices of the active cells of sub-sweep k: before[k] .. after[k] - 1
  SmallDivisor by_stride, by_width;
  SmallDivisor by_row[5];  ///< divisors width / 2, width / 2 + 1 ...: active cells in a row of a region

  explicit TileLayout(const TileShape& shape)
      : width(shape.width),
        height(shape.height),
        stride(width + 2 * TileShape::halo + 2),
        room(stride * (height + 2 * TileShape::halo + 1)),
        all_active(0),
        by_stride(stride),
        by_width(width) {
    for (int k = 0; k < 4; ++k) {  // the maximum number of active cells of sub-sweep k
      const int half_width = width / 2 + TileShape::halo - 1 - k, half_height = height / 2 + TileShape::halo - 1 - k;
      before[k] = all_active;
      all_active += std::max((half_width + 1) * half_height, half_width * (half_height + 1));
      after[k] = all_active;
    }
    for (int i = 0; i < 5; ++i) by_row[i] = SmallDivisor(width / 2 + i);
  }
  /// Layout of a whole replica, where sub-sweeps 0 and 2, and 1 and 3, share the indices of active cells.
  explicit TileLayout(const Geometry& g)
      : width(g.columns),
        height(g.rows),
        stride(g.columns),
        room(g.cells()),
        all_active(g.cells() / 2),
        before{0, room / 4, 0, room / 4},
        after{room / 4, room / 2, room / 4, room / 2},
        by_stride(stride),
        by_width(width) {
    by_row[0] = SmallDivisor(width / 2);
  }
  /// Storage index of column x: even columns first.
  KOKKOS_FORCEINLINE_FUNCTION int stored_column(int x) const { return (x >> 1) + (x & 1) * (stride >> 1); }
};

/// The active cells of a sub-sweep in a team's region: columns first_x, first_x + 2, ..., likewise rows.
struct ActiveInRegion {
  int first_x, first_y;
  int in_row, number;
  SmallDivisor by_row;
};

/// The memory of a team.
struct TileMemory {
  Position* disks;           ///< [slot][row][stored column]: nowhere if a slot is empty
  Position* displacements;   ///< [move][active cell of the sweep]
  std::uint32_t* fractions;  ///< [active cell of the sweep]: random numbers for shuffle()
  std::uint8_t* counts;      ///< [row][stored column]

  static std::size_t bytes(const TileLayout& layout) {
    const auto room = static_cast<std::size_t>(layout.room), active = static_cast<std::size_t>(layout.all_active);
    return (most_in_a_cell * room + TileShape::most_moves * active) * sizeof(Position) +
           active * sizeof(std::uint32_t) + room;
  }
  KOKKOS_FORCEINLINE_FUNCTION TileMemory(void* memory, const TileLayout& layout) {
    disks = static_cast<Position*>(memory);
    displacements = disks + most_in_a_cell * layout.room;
    fractions = reinterpret_cast<std::uint32_t*>(displacements + TileShape::most_moves * layout.all_active);
    counts = reinterpret_cast<std::uint8_t*>(fractions + layout.all_active);
  }
};

/// The tile that a team writes, and the region that it reads, which begins at cell (x, y) of the grid before wrapping.
struct TileRegion {
  int tile_x, tile_y;
  int x, y, width, height;
  bool along_x;  ///< whether the shift is along x
  int ahead;     ///< -1 or 1: side from which disks enter in the shift

  KOKKOS_FORCEINLINE_FUNCTION TileRegion(const TileLayout& layout, int left, int lower, int direction)
      : tile_x(left), tile_y(lower), along_x(direction < 2), ahead((direction & 1) != 0 ? 1 : -1) {
    x = left - TileShape::halo - static_cast<int>(along_x && ahead < 0);
    y = lower - TileShape::halo - static_cast<int>(!along_x && ahead < 0);
    width = layout.width + 2 * TileShape::halo + static_cast<int>(along_x);
    height = layout.height + 2 * TileShape::halo + static_cast<int>(!along_x);
  }

  /// Index in the team's memory.
  KOKKOS_FORCEINLINE_FUNCTION static int index(const TileLayout& layout, int in_x, int in_y) {
    return in_y * layout.stride + layout.stored_column(in_x);
  }

  /// Whether a cell is in the tile and owned by this rank. A tile may extend beyond the owned cells.
  KOKKOS_FORCEINLINE_FUNCTION bool owns(const Geometry& g, const TileLayout& layout, int in_x, int in_y) const {
    const int from_left = x + in_x - tile_x, from_lower = y + in_y - tile_y;
    return (from_left >= 0) & (from_left < layout.width) & (from_lower >= 0) & (from_lower < layout.height) &
           (x + in_x < g.columns - g.ghost_x) & (y + in_y < g.rows - g.ghost_y);  // without branches
  }

  /// The active cells of checkerboard set `set` in sub-sweep k.
  KOKKOS_FORCEINLINE_FUNCTION ActiveInRegion active(const TileLayout& layout, int k, int set) const {
    ActiveInRegion a;
    const int begin = k + 1;
    a.first_x = begin + ((x + begin + set) & 1);
    a.first_y = begin + ((y + begin + (set >> 1)) & 1);
    a.in_row = (width - begin - a.first_x + 1) >> 1;
    a.number = a.in_row * ((height - begin - a.first_y + 1) >> 1);
    a.by_row = layout.by_row[a.in_row - (layout.width >> 1)];
    return a;
  }
};

}  // namespace tessera::disks
