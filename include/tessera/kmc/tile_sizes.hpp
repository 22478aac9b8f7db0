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
  int tile, halo, repair_halo;
};

/// How a window of (tile + 2 halo)^2 cells is divided up.
struct WindowLayout {
  static constexpr int group = 16;        ///< consecutive cells that share a minimum (EarliestCell)
  static constexpr int block_width = 4;   ///< of the blocks of cells that share a minimum (LocalMinima)
  static constexpr int most_firing = 32;  ///< events that a team performs at once, at most
  static constexpr int most_checksums = 16;

  int side;        ///< of the window
  int cells;       ///< in the rows 1 .. side - 2, made up to a multiple of 16
  int groups;      ///< of 16 cells
  int block_rows;  ///< height of a block, 4 to 8: such that there is one block to a lane, or as few as possible
  int blocks_x, blocks_y;
  int bordered_blocks;  ///< blocks with a border around them, made up to an even number

  KOKKOS_INLINE_FUNCTION constexpr WindowLayout(int tile, int halo)
      : side(tile + 2 * halo),
        cells((side * (side - 2) + group - 1) / group * group),
        groups(cells / group),
        block_rows(4),
        blocks_x((side + block_width - 1) / block_width),
        blocks_y(0),
        bordered_blocks(0) {
    for (int most = 32; most <= 64; most += 32) {
      for (block_rows = 4; block_rows < 8; ++block_rows)
        if (blocks_x * ((side + block_rows - 1) / block_rows) <= most) break;
      if (blocks_x * ((side + block_rows - 1) / block_rows) <= most) break;
    }
    blocks_y = (side + block_rows - 1) / block_rows;
    bordered_blocks = ((blocks_x + 2) * (blocks_y + 2) + 1) / 2 * 2;
  }
};

/// Scratch memory that a team may have: level 0 on CUDA; on a host, what stays in a core's second-level cache.
constexpr std::size_t scratch_limit(int lanes) { return lanes > 1 ? 48 * 1024 : 512 * 1024; }

/// Bytes of team scratch for a window: 4 for a state, and for the cells that can change 8 for the waiting time, 8 for
/// the generator and 8 for the order of events, with minima and coordinates.
KOKKOS_INLINE_FUNCTION constexpr std::size_t window_bytes(int tile, int halo) {
  const WindowLayout w(tile, halo);
  return static_cast<std::size_t>(w.cells * 24 + (w.groups + WindowLayout::most_checksums) * 8 +
                                  (w.bordered_blocks + WindowLayout::most_firing + 4 * w.side + w.side * w.side) * 4);
}

constexpr bool fits(int tile, int halo, int lanes) { return window_bytes(tile, halo) + 16 <= scratch_limit(lanes); }

constexpr int widest_halo(int tile, int lanes) {
  int halo = 0;
  while (fits(tile, halo + 1, lanes)) ++halo;
  return halo;
}

/// The sizes to use, where 0 asks for the default. tile = 0 in the result: no sensible tile divides the lattice.
constexpr TileSizes tile_sizes(int tile, int halo, int repair_halo, bool repair, int nx, int ny, int lanes) {
  TileSizes sizes{tile, halo, repair_halo};
  if (sizes.tile == 0) {
    for (const int candidate : {16, 8, 4, 12, 10, 6, 5, 7, 9, 11, 13, 14, 15})
      if (sizes.tile == 0 && nx % candidate == 0 && ny % candidate == 0) sizes.tile = candidate;
    if (sizes.tile == 0) return sizes;
  }
  const int widest = widest_halo(sizes.tile, lanes);
  if (sizes.halo == 0) sizes.halo = std::min(repair ? 4 : 8, std::max(widest, 2));
  if (sizes.repair_halo == 0) sizes.repair_halo = std::max(sizes.halo, std::min(3 * sizes.halo, widest));
  return sizes;
}

}  // namespace tessera::kmc
