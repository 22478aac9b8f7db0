// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <optional>
#include <tessera/disks/geometry.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/rank_grid.hpp>

namespace tessera::disks {

/// Cells of others at either end of a rank's part, in a direction that is cut. In a sub-sweep a cell sees its eight
/// neighbours, and in the shift one of them: what is wrong beyond the ghosts comes five cells near in a sweep; and
/// blocks are whole pairs of cells. It is also what a sample and g(r) see of a cell's surroundings.
inline constexpr int ghost_cells = 6;

/// What ranks share out: pairs of columns and rows, of which a block has no fewer than its neighbour's ghosts.
inline parallel::UnitLattice pairs_of_cells(const Geometry& whole) {
  return {whole.columns / 2, whole.rows / 2, ghost_cells / 2, "pairs of cells"};
}

/// Ranks that share out the grid of cells, and their places; one process alone, unless told otherwise.
struct Ranks {
  parallel::Communicator communicator;
  parallel::RankGrid grid;

  Ranks() = default;
  /// On the grid of ranks given, or on that with the shortest borders. Throws InputError, which says how many ranks
  /// would do, if blocks would be smaller than the ghosts around them.
  Ranks(const Geometry& whole, const parallel::Communicator& of, const std::optional<parallel::GridShape>& shape)
      : communicator(of), grid(of, pairs_of_cells(whole), shape) {}

  bool alone() const { return communicator.size() == 1; }
  /// Whether this is the one with the files.
  bool first() const { return communicator.rank() == 0; }

  /// A rank's part of a grid.
  Geometry part(const Geometry& whole, int rank) const {
    const auto units = pairs_of_cells(whole);
    const auto columns = grid.columns(units, rank), rows = grid.rows(units, rank);
    Geometry g = whole;
    g.ghost_x = grid.cut_x() ? ghost_cells : 0;
    g.ghost_y = grid.cut_y() ? ghost_cells : 0;
    g.columns = 2 * static_cast<int>(columns.size()) + 2 * g.ghost_x;
    g.rows = 2 * static_cast<int>(rows.size()) + 2 * g.ghost_y;
    g.first_x = 2 * static_cast<int>(columns.first) - g.ghost_x;
    g.first_y = 2 * static_cast<int>(rows.first) - g.ghost_y;
    g.beyond_x = whole.columns - g.columns;
    g.beyond_y = whole.rows - g.rows;
    return g;
  }
  Geometry part(const Geometry& whole) const { return part(whole, communicator.rank()); }
};

}  // namespace tessera::disks
