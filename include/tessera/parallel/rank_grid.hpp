// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tessera/parallel/block.hpp>
#include <tessera/parallel/communicator.hpp>

namespace tessera::parallel {

/// Ranks side by side, nx in a row of ny rows; row by row.
struct GridShape {
  int nx = 1, ny = 1;
  bool operator==(const GridShape&) const = default;
};

/// What is to be cut: units in the directions x and y, and the fewest that a block may have in a direction that is cut.
struct UnitLattice {
  std::int64_t nx, ny;
  std::int64_t least = 1;
  // For messages:
  std::string unit = "units";                   ///< "tiles", "domains"
  std::string whole = "lattice";                ///< what is cut
  std::string advice = " or a larger lattice";  ///< what would do, after "use 1 rank", in words of the options

  bool fits(const GridShape& grid) const {
    return (grid.nx == 1 || nx / grid.nx >= least) && (grid.ny == 1 || ny / grid.ny >= least);
  }
};

/// The grid of so many ranks with the shortest borders; of several, that with the fewest ranks in a row; nothing if the
/// units cannot be cut so.
std::optional<GridShape> find_grid(const UnitLattice& units, int ranks);

/// The same. Throws InputError, which says how many ranks would do, if there is none.
GridShape choose_grid(const UnitLattice& units, int ranks);

/// Throws InputError unless `--rank-grid` is a grid of so many ranks that the units can be cut into.
void check_grid(const UnitLattice& units, const GridShape& grid, int ranks);

/// The place of this rank in a periodic grid of all ranks of a communicator. A direction with one rank is not cut:
/// both neighbours there are this rank itself, and what wraps around wraps within it.
class RankGrid {
 public:
  /// One rank.
  RankGrid() = default;
  /// `shape` has as many ranks as the communicator.
  RankGrid(const Communicator& communicator, const GridShape& shape) : shape_(shape), rank_(communicator.rank()) {}
  /// All ranks cut the units: on the grid given, or on that with the shortest borders. Throws InputError if they cannot
  /// be cut so.
  RankGrid(const Communicator& communicator, const UnitLattice& units, const std::optional<GridShape>& shape);

  const GridShape& shape() const { return shape_; }
  int rank() const { return rank_; }
  int x() const { return rank_ % shape_.nx; }
  int y() const { return rank_ / shape_.nx; }
  bool cut_x() const { return shape_.nx > 1; }
  bool cut_y() const { return shape_.ny > 1; }

  /// The rank at a place, periodic.
  int at(int x, int y) const { return wrap(y, shape_.ny) * shape_.nx + wrap(x, shape_.nx); }
  /// The rank so many places to the right and up.
  int neighbour(int dx, int dy) const { return at(x() + dx, y() + dy); }

  /// The columns and rows of units that a rank has.
  Block columns(const UnitLattice& units, int rank) const { return block(units.nx, shape_.nx, rank % shape_.nx); }
  Block rows(const UnitLattice& units, int rank) const { return block(units.ny, shape_.ny, rank / shape_.nx); }

 private:
  static int wrap(int i, int n) { return ((i % n) + n) % n; }

  GridShape shape_;
  int rank_ = 0;
};

}  // namespace tessera::parallel
