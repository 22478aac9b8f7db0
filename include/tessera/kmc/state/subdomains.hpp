// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tessera/kmc/parameters.hpp>
#include <tessera/kmc/state/state.hpp>
#include <tessera/kmc/state/tile_sizes.hpp>
#include <tessera/parallel/array_transfer.hpp>
#include <tessera/parallel/distribution.hpp>

/// Subdomains of a lattice, blocks of tiles, one per MPI rank.
namespace tessera::kmc {

/// Width of the ghost ring in tiles: it contains the widest window of every tile of the block.
inline int ghost_tiles(const TileSizes& sizes, StepControl control) {
  if (sizes.whole()) return 1;
  const int widest =
      control == StepControl::repair ? std::max(sizes.repair_halo, sizes.last_repair_halo) : sizes.wide_halo;
  return (std::max(widest, sizes.halo) + sizes.tile - 1) / sizes.tile;
}

/// Lattice of tiles to divide. A block is at least as wide as the ghost ring, so that the ring has cells of adjacent
/// ranks only.
inline parallel::UnitLattice units_of(const Parameters& p, const TileSizes& sizes) {
  return {p.nx / sizes.tile, p.ny / sizes.tile, ghost_tiles(sizes, p.step_control),
          "tiles",           "lattice",         ", a larger --size or a smaller --tile"};
}

/// Divides the lattice on the grid `shape`, or on the grid with the shortest borders. Throws InputError if that is
/// impossible.
inline parallel::Distribution distribute(const Parameters& p, const TileSizes& sizes,
                                         const parallel::Communicator& ranks = {},
                                         const std::optional<parallel::GridShape>& shape = {}) {
  return {ranks, units_of(p, sizes), shape};
}

/// The block of this rank. With one rank it is the whole lattice.
inline Geometry block_of(const Parameters& p, const TileSizes& sizes, const parallel::Distribution& distribution) {
  const parallel::UnitLattice& units = distribution.units;
  const parallel::RankGrid& grid = distribution.grid;
  const auto columns = grid.columns(units, grid.rank()), rows = grid.rows(units, grid.rank());
  const int ghosts = static_cast<int>(units.least), ghost_x = grid.cut_x() ? ghosts : 0,
            ghost_y = grid.cut_y() ? ghosts : 0;
  const int tiles_x = static_cast<int>(columns.size()) + 2 * ghost_x,
            tiles_y = static_cast<int>(rows.size()) + 2 * ghost_y;
  return {tiles_x * sizes.tile,
          tiles_y * sizes.tile,
          sizes.tile,
          tiles_x,
          tiles_y,
          p.replicas,
          ghost_x,
          ghost_y,
          (static_cast<int>(columns.first) - ghost_x) * sizes.tile,
          (static_cast<int>(rows.first) - ghost_y) * sizes.tile,
          p.nx,
          p.ny};
}

/// Cells of a block in memory.
inline parallel::BlockLayout layout_of_cells(const Geometry& block) {
  const auto size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
  const int ring_x = block.ghost_x * block.tile, ring_y = block.ghost_y * block.tile;
  return {size(block.replicas), size(block.nx - 2 * ring_x), size(block.ny - 2 * ring_y),
          size(block.nx),       size(block.sites()),         size(ring_y) * size(block.nx) + size(ring_x)};
}

}  // namespace tessera::kmc
