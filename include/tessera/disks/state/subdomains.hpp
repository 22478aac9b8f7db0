// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/disks/configuration.hpp>
#include <tessera/disks/parameters.hpp>
#include <tessera/disks/state/cell_layout.hpp>
#include <tessera/disks/state/geometry.hpp>
#include <tessera/disks/state/state.hpp>
#include <tessera/parallel/distribution.hpp>
#include <tessera/parallel/ghosts.hpp>
#include <tessera/parallel/rank_grid.hpp>

namespace tessera::disks {

/// The grid for these parameters. Throws InputError if no checkerboard fits the box.
inline Geometry checkerboard(const Parameters& p) {
  const auto g = fit_cells(box_width(p), box_height(p), p.replicas);
  if (!g)
    throw InputError("--method mpmc: no checkerboard fits a box of " + std::to_string(box_width(p)) + " x " +
                     std::to_string(box_height(p)) + " diameters; use --method sequential");
  return *g;
}

/// Ghost cells at either end of a subdomain in each divided direction. Each of four sub-sweeps reads the neighbours of
/// a cell, and the shift reads one of them: errors propagate by five cells per sweep. Blocks consist of pairs of cells,
/// hence six. Samples and g(r) read the same ghosts.
inline constexpr int ghost_cells = 6;

/// The units that are divided among ranks: pairs of columns and rows. A block has at least as many as it has ghosts.
inline parallel::UnitLattice pairs_of_cells(const Geometry& whole) {
  return {whole.columns / 2, whole.rows / 2, ghost_cells / 2, "pairs of cells", "box", " or more --particles"};
}

/// Maximum number of cells of a process, for all replicas, with ghosts: 31 bits number two pairs of disks per cell.
inline constexpr std::int64_t most_cells = std::int64_t{1} << 30;

/// The subdomain of a rank; rank 0 has the largest.
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

/// Throws InputError, with the smallest number of ranks that works, if a subdomain has more than `most_cells` cells.
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

/// Divides the cells among a grid of ranks of this shape, by default with the shortest borders. Throws InputError, with
/// a number of ranks that works, if blocks are smaller than the ghosts around them or exceed `most_cells`.
inline parallel::Distribution distribute(const Geometry& whole, const parallel::Communicator& ranks = {},
                                         const std::optional<parallel::GridShape>& shape = {}) {
  parallel::Distribution distribution(ranks, pairs_of_cells(whole), shape);
  require_room(whole, distribution.grid.shape());
  return distribution;
}

inline Geometry part_of(const Geometry& whole, const parallel::Distribution& distribution) {
  return part_of(whole, distribution.grid.shape(), distribution.ranks.rank());
}

/// The disks of a cell, followed by unused slots, in a message between ranks.
struct DisksOfCell {
  Position of[most_in_a_cell];
};

/// A rank's cells as a distributed table.
template <class MemorySpace>
struct SharedCells {
  Cells<MemorySpace> cells;

  KOKKOS_FORCEINLINE_FUNCTION DisksOfCell get(int replica, int x, int y) const {
    const std::int64_t cell = cells.geometry.index(replica, x, y);
    const int n = cells.counts(cell);
    DisksOfCell disks;
    for (int slot = 0; slot < most_in_a_cell; ++slot) disks.of[slot] = slot < n ? cells.position(slot, cell) : absent;
    return disks;
  }
  KOKKOS_FORCEINLINE_FUNCTION void put(int replica, int x, int y, const DisksOfCell& disks) const {
    int n = 0;
    while (n < most_in_a_cell && is_there(disks.of[n])) ++n;
    put_disks(cells, cells.geometry.index(replica, x, y), n, [&](int slot) { return disks.of[slot]; });
  }
};

inline parallel::TableShape table_of_cells(const Geometry& part) {
  return {part.columns, part.rows, part.ghost_x, part.ghost_y, part.replicas};
}

}  // namespace tessera::disks
