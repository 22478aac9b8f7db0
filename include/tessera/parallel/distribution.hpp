// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <optional>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/pieces.hpp>
#include <tessera/parallel/rank_grid.hpp>
#include <vector>

namespace tessera::parallel {

/// Columns and rows of a table.
struct Extent {
  std::size_t columns, rows;
};

/// The units of a lattice, divided into one block per rank, the same for all replicas. By default a single rank.
struct Distribution {
  Communicator ranks;
  UnitLattice units{1, 1};
  RankGrid grid;

  Distribution() = default;
  /// Uses the given grid, or that with the shortest borders. Throws InputError, with a possible number of ranks.
  Distribution(const Communicator& of, const UnitLattice& lattice, const std::optional<GridShape>& shape = {})
      : ranks(of), units(lattice), grid(of, lattice, shape) {}

  bool is_serial() const { return ranks.size() == 1; }
  /// Whether this rank has the files.
  bool is_first() const { return ranks.rank() == 0; }

  /// The rectangle of a rank in a table of the whole lattice, of which this rank has `mine`.
  CutTable cut(const Extent& mine, int rank) const {
    const auto size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
    const Block x = grid.columns(units, rank), y = grid.rows(units, rank);
    const std::size_t columns = mine.columns / size(grid.columns(units, grid.rank()).size()),
                      rows = mine.rows / size(grid.rows(units, grid.rank()).size());  // of a unit
    return {size(units.nx) * columns, size(units.ny) * rows, size(x.first) * columns,
            size(x.size()) * columns, size(y.first) * rows,  size(y.size()) * rows};
  }
  /// The parts of all ranks of an array of all replicas, whose tables have these extents at this rank.
  std::vector<Pieces> pieces(std::size_t replicas, const std::vector<Extent>& mine) const {
    std::vector<Pieces> all;
    for (int rank = 0; rank < grid.shape().nx * grid.shape().ny; ++rank) {
      all.push_back({replicas, {}});
      for (const Extent& table : mine) all.back().tables.push_back(cut(table, rank));
    }
    return all;
  }
};

}  // namespace tessera::parallel
