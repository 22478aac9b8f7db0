// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Macros.hpp>
#include <algorithm>
#include <cstddef>

/// Sizes of tile and halo: what a backend takes by default and what fits into its scratch memory. None of them changes
/// a trajectory.
namespace tessera::kmc {

struct TileSizes {
  int tile, halo;
  int repair_halo;        ///< of a tile that is run again
  int first_repair_halo;  ///< of the same in the first round of several: half as much wider, which is enough for most
  int last_repair_halo;   ///< from the third round on; many lanes: where events are few
};

/// How a window of (tile + 2 halo)^2 cells is laid out.
struct WindowLayout {
  static constexpr int group = 16;        ///< consecutive cells that share a minimum (GroupedMinimum)
  static constexpr int block_width = 4;   ///< of the blocks of cells that share a minimum (LocalMinima)
  static constexpr int heap_entry = 16;   ///< bytes of an entry of LazyHeap
  static constexpr int most_firing = 32;  ///< events that a team performs at once, at most
  static constexpr int widest_sparse = 64, widest_sparse_tile = 32;  ///< sides of windows and tiles (AdvanceSparsely)

  /// The widest halo of a tile that can be advanced by AdvanceSparsely; 0 if none can.
  KOKKOS_INLINE_FUNCTION static constexpr int widest_sparse_halo(int tile) {
    return tile > widest_sparse_tile ? 0 : (3 * tile <= widest_sparse ? tile : (widest_sparse - tile) / 2);
  }

  int side;        ///< of the window
  int stride;      ///< from one row to the next: side, made up to whole blocks
  int cells;       ///< in the rows 1 .. side - 2, made up to whole groups
  int block_rows;  ///< height of a block, 4 to 8: such that there is one block to a lane, or as few as possible
  int blocks_x, blocks_y;

  KOKKOS_INLINE_FUNCTION constexpr WindowLayout(int tile, int halo)
      : side(tile + 2 * halo),
        stride((side + block_width - 1) / block_width * block_width),
        cells((stride * (side - 2) + group - 1) / group * group),
        block_rows(8),
        blocks_x(stride / block_width),
        blocks_y(0) {
    for (int most = 64; most >= 32; most -= 32)
      for (int rows = 8; rows >= 4; --rows)
        if (blocks_x * ((side + rows - 1) / rows) <= most) block_rows = rows;
    blocks_y = (side + block_rows - 1) / block_rows;
  }

  /// Keys: of whole blocks.
  KOKKOS_INLINE_FUNCTION constexpr int keys() const { return stride * blocks_y * block_rows; }
  /// Blocks with a border around them and one to spare, made up to an even number.
  KOKKOS_INLINE_FUNCTION constexpr int bordered_blocks() const { return ((blocks_x + 2) * (blocks_y + 2) + 2) / 2 * 2; }
};

/// Scratch memory that a team may have: level 0 on CUDA; on a host, what stays in a core's second-level cache.
constexpr std::size_t scratch_limit(int lanes) { return lanes > 1 ? 48 * 1024 : 1024 * 1024; }

/// Bytes of team scratch for a window: 4 for a state, and for the cells that can change 8 for the waiting time, 8 for
/// the generator and 6 for the order of events, with minima and coordinates.
KOKKOS_INLINE_FUNCTION constexpr std::size_t window_bytes(int tile, int halo) {
  const WindowLayout w(tile, halo);
  const int words = w.keys() + w.bordered_blocks() + WindowLayout::most_firing + 4 * w.side + w.side * w.stride;
  return static_cast<std::size_t>(w.cells * (8 + 8 + 2) + words * 4 + 16);
}

/// Bytes of scratch that a team of `lanes` lanes needs: the window, and for one lane the heap of its waiting times.
KOKKOS_INLINE_FUNCTION constexpr std::size_t team_bytes(int tile, int halo, int lanes) {
  const std::size_t heap = static_cast<std::size_t>(2 * WindowLayout(tile, halo).cells * WindowLayout::heap_entry) + 16;
  return window_bytes(tile, halo) + (lanes == 1 ? heap : 0);
}

constexpr bool fits(int tile, int halo, int lanes) {
  return team_bytes(tile, halo, lanes) + 16 <= scratch_limit(lanes);
}

constexpr int widest_halo(int tile, int lanes) {
  int halo = 0;
  while (fits(tile, halo + 1, lanes)) ++halo;
  return halo;
}

/// The sizes to use, where 0 asks for the default. A host takes larger tiles, where there are many of them: its cores
/// need not be many, and a larger tile repeats less in its halo. tile = 0 in the result: no sensible tile divides the
/// lattice.
constexpr TileSizes tile_sizes(int tile, int halo, int repair_halo, bool repair, int nx, int ny, int lanes) {
  TileSizes sizes{tile, halo, repair_halo, repair_halo, repair_halo};
  if (sizes.tile == 0) {
    if (lanes == 1 && std::min(nx, ny) >= 256 && nx % 32 == 0 && ny % 32 == 0) sizes.tile = 32;
    for (const int candidate : {16, 8, 4, 12, 10, 6, 5, 7, 9, 11, 13, 14, 15})
      if (sizes.tile == 0 && nx % candidate == 0 && ny % candidate == 0) sizes.tile = candidate;
    if (sizes.tile == 0) return sizes;
  }
  const int widest = widest_halo(sizes.tile, lanes);
  if (sizes.halo == 0) sizes.halo = std::min(repair ? 4 : 8, std::max(widest, 2));
  if (sizes.repair_halo == 0) {
    sizes.repair_halo = std::max(sizes.halo, std::min(3 * sizes.halo, widest));
    const int widest_of_all = lanes == 1 ? widest : WindowLayout::widest_sparse_halo(sizes.tile);
    sizes.last_repair_halo = std::max(sizes.repair_halo, std::min(6 * sizes.halo, widest_of_all));
  }
  sizes.first_repair_halo = (sizes.halo + sizes.repair_halo + 1) / 2;
  return sizes;
}

}  // namespace tessera::kmc
