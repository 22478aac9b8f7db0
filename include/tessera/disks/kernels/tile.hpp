// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tessera/disks/impl/geometry.hpp>
#include <tessera/disks/impl/state.hpp>
#include <tessera/disks/impl/sweep_plan.hpp>

/// A tile of cells that one team takes through a whole sweep. In a sub-sweep a cell sees its eight neighbours, and in
/// the shift one of them: after a sweep a cell depends on cells five away at most. So a team reads its tile and a halo
/// of cells around it, makes each sub-sweep in a region that is one cell narrower on each side, and writes the tile.
/// What several teams compute of a cell in their halos is the same to the last bit, since chance belongs to the cell.
namespace tessera::disks {

/// How a sweep is spread over teams; no trajectory depends on it.
struct TileShape {
  static constexpr int halo = 4;        ///< cells around the tile and the one that the shift reads
  static constexpr int most_moves = 4;  ///< of an active cell for which there is room

  int width, height;   ///< of a tile, in cells: even
  int lanes_per_cell;  ///< 1, 2 or 4: that work on an active cell together; more than one on CUDA only
  int lanes;           ///< of a team: one, or warps

  /// Cells in a row of a team's memory.
  int stride() const { return width + 2 * halo + 2; }
  int room() const { return stride() * (height + 2 * halo + 1); }
  /// Active cells of sub-sweep k at most, and of all four.
  int most_active(int k) const {
    const int half_width = width / 2 + halo - 1 - k, half_height = height / 2 + halo - 1 - k;
    return std::max((half_width + 1) * half_height, half_width * (half_height + 1));
  }
  int all_active() const { return most_active(0) + most_active(1) + most_active(2) + most_active(3); }
  /// Whether the tile is all of a replica: periodic, and without a halo.
  bool is_whole(const Geometry& g) const { return width == g.columns && height == g.rows; }
  /// The least columns and rows of a grid of which it is a part.
  bool fits(const Geometry& g) const { return g.columns >= width + halo + 2 && g.rows >= height + halo + 2; }
};

/// Division of numbers that are not negative by one that is known before a kernel begins, as long as dividend * divisor
/// < 2^16.
struct SmallDivisor {
  std::uint32_t inverse = 0;
  SmallDivisor() = default;
  explicit SmallDivisor(int divisor) : inverse(65536u / static_cast<unsigned>(divisor) + 1) {}
  KOKKOS_FORCEINLINE_FUNCTION int quotient(int dividend) const {
    return static_cast<int>((static_cast<std::uint32_t>(dividend) * inverse) >> 16);
  }
};

/// What a kernel knows of the shape beforehand.
struct TileLayout {
  int width, height, stride, room, all_active;
  int before[4], after[4];  ///< places of active cells of each sub-sweep, from and to
  SmallDivisor by_stride, by_width;
  SmallDivisor by_row[5];  ///< by width / 2, width / 2 + 1 ...: active cells in a row of a region

  explicit TileLayout(const TileShape& shape)
      : width(shape.width),
        height(shape.height),
        stride(shape.stride()),
        room(shape.room()),
        all_active(shape.all_active()),
        before{},
        after{},
        by_stride(stride),
        by_width(width) {
    for (int k = 0; k < 4; ++k) {
      before[k] = k > 0 ? after[k - 1] : 0;
      after[k] = before[k] + shape.most_active(k);
    }
    for (int i = 0; i < 5; ++i) by_row[i] = SmallDivisor(width / 2 + i);
  }
  /// Of a whole replica, in which places of active cells are those of the sub-sweep but one before.
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
  /// Even columns first.
  KOKKOS_FORCEINLINE_FUNCTION int stored_column(int x) const { return (x >> 1) + (x & 1) * (stride >> 1); }
};

/// The active cells of a sub-sweep in a team's region: columns first_x, first_x + 2, ..., and rows alike.
struct ActiveInRegion {
  int first_x, first_y;
  int in_row, number;
  SmallDivisor by_row;
};

/// The memory of a team.
struct TileMemory {
  Position* disks;           ///< [slot][row][stored column]: nowhere where a cell has no disk
  Position* displacements;   ///< [move][active cell of the sweep]
  std::uint32_t* fractions;  ///< [active cell of the sweep]: decide about the order of its disks
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

/// The order of a plan in one word, so that it stays in a register, and the set whose turn is in sub-sweep k.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t order_word(const SweepPlan& plan) {
  std::uint32_t word = 0;
  for (int k = 0; k < 4; ++k) word |= std::uint32_t{plan.order[k]} << (8 * k);
  return word;
}
KOKKOS_FORCEINLINE_FUNCTION int set_in_turn(std::uint32_t order, int k) {
  return static_cast<int>((order >> (8 * k)) & 3u);
}

/// Where a team's cells are: those that it writes, and the region that it reads, whose cell (0, 0) is (x, y) of the
/// grid before wrapping.
struct TilePlace {
  int tile_x, tile_y;
  int x, y, width, height;
  bool along_x;  ///< the shift
  int ahead;     ///< -1 or 1: where disks come from in the shift

  KOKKOS_FORCEINLINE_FUNCTION TilePlace(const TileLayout& layout, int left, int lower, int direction)
      : tile_x(left), tile_y(lower), along_x(direction < 2), ahead((direction & 1) != 0 ? 1 : -1) {
    x = left - TileShape::halo - static_cast<int>(along_x && ahead < 0);
    y = lower - TileShape::halo - static_cast<int>(!along_x && ahead < 0);
    width = layout.width + 2 * TileShape::halo + static_cast<int>(along_x);
    height = layout.height + 2 * TileShape::halo + static_cast<int>(!along_x);
  }

  /// Where a cell of the region is in the team's memory.
  KOKKOS_FORCEINLINE_FUNCTION static int index(const TileLayout& layout, int in_x, int in_y) {
    return in_y * layout.stride + layout.stored_column(in_x);
  }

  /// Whether a cell of the region is in the tile, which may be partly beyond the cells that are owned, and owned.
  KOKKOS_FORCEINLINE_FUNCTION bool owns(const Geometry& g, const TileLayout& layout, int in_x, int in_y) const {
    const int from_left = x + in_x - tile_x, from_lower = y + in_y - tile_y;
    return (from_left >= 0) & (from_left < layout.width) & (from_lower >= 0) & (from_lower < layout.height) &
           (x + in_x < g.columns - g.ghost_x) & (y + in_y < g.rows - g.ghost_y);  // without branches
  }

  /// What checkerboard set `set` has to update in sub-sweep k.
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
