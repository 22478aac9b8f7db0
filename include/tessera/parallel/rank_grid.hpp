// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tessera/parallel/communicator.hpp>

namespace tessera::parallel {

/// A contiguous range of units (tiles, domains, replicas), first to last - 1.
struct Block {
  std::int64_t first, last;                           ///< the units first to last - 1
  std::int64_t size() const { return last - first; }  ///< number of units
  bool operator==(const Block&) const = default;      ///< member by member
};

/// Block of part `index` of `parts`, in order; block sizes differ by at most one unit.
constexpr Block block(std::int64_t units, std::int64_t parts, std::int64_t index) {
  const std::int64_t size = units / parts, rest = units % parts;
  const auto begin = [&](std::int64_t i) { return i * size + (i < rest ? i : rest); };
  return {begin(index), begin(index + 1)};
}

/// The part that contains a unit.
constexpr std::int64_t part_of(std::int64_t units, std::int64_t parts, std::int64_t unit) {
  const std::int64_t size = units / parts, rest = units % parts;
  return unit < rest * (size + 1) ? unit / (size + 1) : rest + (unit - rest * (size + 1)) / size;
}

/// A grid of ranks, nx in each of ny rows, numbered row by row.
struct GridShape {
  int nx = 1, ny = 1;                                 ///< ranks in x and y
  bool operator==(const GridShape&) const = default;  ///< member by member
};

/// A lattice to be divided in units, such as tiles.
struct UnitLattice {
  std::int64_t nx, ny;     ///< units in x and y
  std::int64_t least = 1;  ///< units of a block, in a divided direction
  // For messages:
  std::string unit = "units";                   ///< "tiles", "domains"
  std::string whole = "lattice";                ///< name of the lattice
  std::string advice = " or a larger lattice";  ///< alternative after "use 1 rank", in terms of options

  /// Whether each rank of the grid gets a block that is large enough.
  bool fits(const GridShape& grid) const {
    return (grid.nx == 1 || nx / grid.nx >= least) && (grid.ny == 1 || ny / grid.ny >= least);
  }
};

/// The grid of this number of ranks with the shortest borders; of several, the one with the fewest ranks in a row.
/// Empty if the units cannot be divided so.
std::optional<GridShape> find_grid(const UnitLattice& units, int ranks);

/// The same. Throws InputError, with a number of ranks that works, if there is none.
GridShape choose_grid(const UnitLattice& units, int ranks);

/// Throws InputError unless `--rank-grid` has this number of ranks, and the units can be divided by it.
void check_grid(const UnitLattice& units, const GridShape& grid, int ranks);

/// Position of this rank in a periodic grid of all ranks of a communicator. A direction with one rank is not divided:
/// both neighbours are the rank itself, and periodic boundaries lie within it.
class RankGrid {
 public:
  /// A single rank.
  RankGrid() = default;
  /// `shape` must have the number of ranks of the communicator.
  RankGrid(const Communicator& communicator, const GridShape& shape) : shape_(shape), rank_(communicator.rank()) {}
  /// Divides the units on the given grid, or on that with the shortest borders. Throws InputError if it cannot.
  RankGrid(const Communicator& communicator, const UnitLattice& units, const std::optional<GridShape>& shape);

  const GridShape& shape() const { return shape_; }  ///< of the grid
  int rank() const { return rank_; }                 ///< this one
  int x() const { return rank_ % shape_.nx; }        ///< its column
  int y() const { return rank_ / shape_.nx; }        ///< its row
  bool cut_x() const { return shape_.nx > 1; }       ///< whether the direction x is divided
  bool cut_y() const { return shape_.ny > 1; }       ///< whether the direction y is divided

  /// The rank at a position, periodic.
  int at(int x, int y) const { return wrap(y, shape_.ny) * shape_.nx + wrap(x, shape_.nx); }
  /// The rank that is dx places to the right and dy up.
  int neighbour(int dx, int dy) const { return at(x() + dx, y() + dy); }

  /// The columns of units of a rank.
  Block columns(const UnitLattice& units, int rank) const { return block(units.nx, shape_.nx, rank % shape_.nx); }
  /// The rows of units of a rank.
  Block rows(const UnitLattice& units, int rank) const { return block(units.ny, shape_.ny, rank / shape_.nx); }

 private:
  static int wrap(int i, int n) { return ((i % n) + n) % n; }

  GridShape shape_;
  int rank_ = 0;
};

}  // namespace tessera::parallel
