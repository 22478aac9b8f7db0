// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/disks/parameters.hpp>
#include <tessera/disks/state/geometry.hpp>
#include <tessera/parallel/block.hpp>
#include <tessera/parallel/distribution.hpp>

namespace tessera::disks {

/// Returns the grid for these parameters. Throws InputError if no checkerboard fits the box.
inline Geometry checkerboard(const Parameters& p) {
  const auto g = fit_cells(box_width(p), box_height(p), p.replicas);
  if (!g)
    throw InputError("--method mpmc: no checkerboard fits a box of " + std::to_string(box_width(p)) + " x " +
                     std::to_string(box_height(p)) + " diameters; use --method sequential");
  return *g;
}

/// Ghost cells at either end of a subdomain, in a direction that is divided. A sub-sweep reads the eight neighbours of
/// a cell, and a shift reads one of them. Thus errors beyond the ghosts propagate by five cells per sweep; blocks
/// consist of pairs of cells. Samples and g(r) also read these ghosts.
inline constexpr int ghost_cells = 6;

/// The units that are divided among ranks: pairs of columns and of rows. A block has at least as many as the ghosts of
/// its neighbour.
inline parallel::UnitLattice pairs_of_cells(const Geometry& whole) {
  return {whole.columns / 2, whole.rows / 2, ghost_cells / 2, "pairs of cells", "box", " or more --particles"};
}

/// Largest number of cells in the memory of a process, of all replicas, ghosts included: 31 bits number two pairs of
/// disks per cell.
inline constexpr std::int64_t most_cells = std::int64_t{1} << 30;

/// The subdomain of a rank. That of the first rank is the largest.
inline Geometry part_of(const Geometry& whole, const parallel::GridShape& ranks, int rank) {
  const auto units = pairs_of_cells(whole);
  const auto columns = parallel::block(units.nx, ranks.nx, rank % ranks.nx),
             rows = parallel::block(units.ny, ranks.ny, rank / ranks.nx);
  Geometry g = whole;
  g.ghost_x = ranks.nx > 1 ? ghost_cells : 0;
  g.ghost_y = ranks.ny > 1 ? ghost_cells : 0;
  g.columns = 2 * static_cast<int>(columns.size()) + 2 * g.ghost_x;
  g.rows = 2 * static_cast<int>(rows.size()) + 2 * g.ghost_y;
  g.first_x = 2 * static_cast<int>(columns.first) - g.ghost_x;
  g.first_y = 2 * static_cast<int>(rows.first) - g.ghost_y;
  g.beyond_x = whole.columns - g.columns;
  g.beyond_y = whole.rows - g.rows;
  return g;
}

/// Throws InputError, with the least number of ranks that works, if the subdomain of a rank has more than `most_cells`
/// cells.
inline void require_room(const Geometry& whole, const parallel::GridShape& ranks) {
  const auto is_enough = [&](const parallel::GridShape& grid) {
    const Geometry part = part_of(whole, grid, 0);
    return std::int64_t{part.columns} * part.rows * part.replicas <= most_cells;
  };
  if (is_enough(ranks)) return;
  const auto text = [](std::int64_t number) { return std::to_string(number); };
  const int now = ranks.nx * ranks.ny;
  std::optional<parallel::GridShape> enough;
  for (auto more = std::max(static_cast<int>(whole.all_grid_cells() / most_cells), 1); !enough || !is_enough(*enough);)
    enough = parallel::find_grid(pairs_of_cells(whole), more++);
  throw InputError("the grid of " + text(whole.columns) + " x " + text(whole.rows) + " cells" +
                   (whole.replicas > 1 ? " in each of " + text(whole.replicas) + " replicas" : "") +
                   " is too large for " + (now == 1 ? "one process" : text(now) + " ranks") + ", with room for " +
                   text(most_cells) + " cells" + (now == 1 ? "" : " each") + "; use " + text(enough->nx * enough->ny) +
                   " ranks on a grid of " + text(enough->nx) + " x " + text(enough->ny));
}

/// Divides the grid of cells on the given grid of ranks, or on the one with the shortest borders. Throws InputError,
/// with a number of ranks that works, if blocks are smaller than the ghosts around them or have more cells than a
/// process can hold.
inline parallel::Distribution distribute(const Geometry& whole, const parallel::Communicator& ranks = {},
                                         const std::optional<parallel::GridShape>& shape = {}) {
  parallel::Distribution distribution(ranks, pairs_of_cells(whole), shape);
  require_room(whole, distribution.grid.shape());
  return distribution;
}
/// The subdomain of this rank.
inline Geometry part_of(const Geometry& whole, const parallel::Distribution& distribution) {
  return part_of(whole, distribution.grid.shape(), distribution.ranks.rank());
}

}  // namespace tessera::disks
