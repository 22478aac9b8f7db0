// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <tessera/kmc/impl/state.hpp>
#include <tessera/kmc/parameters.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/pieces.hpp>
#include <tessera/parallel/rank_grid.hpp>
#include <vector>

/// Subdomains of a lattice, one per MPI rank.
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

/// Blocks of tiles, one per rank. With one rank the block is the whole lattice.
struct Subdomains {
  parallel::Communicator ranks;
  parallel::RankGrid grid;
  std::vector<Geometry> blocks;  ///< by rank

  /// Divides the lattice on the grid `shape`, or on the grid with the shortest borders. Throws InputError if that is
  /// impossible.
  Subdomains(const Parameters& p, const TileSizes& sizes, const parallel::Communicator& of,
             const std::optional<parallel::GridShape>& shape = {})
      : ranks(of), grid(of, units_of(p, sizes), shape) {
    for (int rank = 0; rank < of.size(); ++rank) blocks.push_back(block(p, sizes, units_of(p, sizes), rank));
  }

  bool is_serial() const { return ranks.size() == 1; }
  const Geometry& own() const { return blocks[static_cast<std::size_t>(ranks.rank())]; }
  /// The cells of each rank within the whole lattices.
  std::vector<parallel::Pieces> pieces() const {
    const auto size = [](int n) { return static_cast<std::size_t>(n); };
    std::vector<parallel::Pieces> all;
    for (const Geometry& b : blocks) {
      const int ring_x = b.ghost_x * b.tile, ring_y = b.ghost_y * b.tile;
      all.push_back({size(b.replicas),
                     {{size(b.whole_nx), size(b.whole_ny), size(b.first_x + ring_x), size(b.nx - 2 * ring_x),
                       size(b.first_y + ring_y), size(b.ny - 2 * ring_y)}}});
    }
    return all;
  }

 private:
  Geometry block(const Parameters& p, const TileSizes& sizes, const parallel::UnitLattice& units, int rank) const {
    const auto columns = grid.columns(units, rank), rows = grid.rows(units, rank);
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
};

}  // namespace tessera::kmc
