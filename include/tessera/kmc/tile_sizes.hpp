// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>

/// Sizes of tile and halo: what a backend takes by default and what fits into its scratch memory. None of them changes
/// a trajectory.
namespace tessera::kmc {

struct TileSizes {
  int tile, halo, repair_halo;
};

/// Scratch memory that a team may have: level 0 on CUDA; on a host, what stays in a core's second-level cache.
constexpr std::size_t scratch_limit(int lanes) { return lanes > 1 ? 48 * 1024 : 512 * 1024; }

/// Bytes of team scratch for a window of (tile + 2 halo)^2 cells: 4 for the state, and for the cells inside the
/// outermost ones 8 for the waiting time, 8 for the generator and 4 for the key, with the minima of 16 cells and the
/// coordinates of rows and columns.
constexpr std::size_t window_bytes(int tile, int halo) {
  const std::size_t side = static_cast<std::size_t>(tile) + 2 * static_cast<std::size_t>(halo);
  const std::size_t groups = ((side - 2) * (side - 2) + 15) / 16;
  return side * side * 4 + groups * (16 * (4 + 8 + 8) + 8 + 4) + side * 4 * 4 + 16;
}

constexpr bool fits(int tile, int halo, int lanes) { return window_bytes(tile, halo) <= scratch_limit(lanes); }

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
