// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tessera/parallel/rank_grid.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tessera/core/error.hpp"

namespace tessera::parallel {

namespace {

std::int64_t largest_part(std::int64_t units, int parts) { return (units + parts - 1) / parts; }

/// Units along the borders of the largest block, each border once.
std::int64_t border(const UnitLattice& units, const GridShape& grid) {
  return (grid.nx > 1 ? largest_part(units.ny, grid.ny) : 0) + (grid.ny > 1 ? largest_part(units.nx, grid.nx) : 0);
}

std::string described(const UnitLattice& units) {
  return std::to_string(units.nx) + " x " + std::to_string(units.ny) + " " + units.unit;
}

/// The largest numbers of ranks that would do, at most four and none above `ranks`: "8, 6, 5 or 4 ranks".
std::string that_would_do(const UnitLattice& units, int ranks) {
  std::vector<std::string> numbers;
  for (int n = ranks - 1; n >= 1 && numbers.size() < 4; --n)
    if (find_grid(units, n)) numbers.push_back(std::to_string(n));
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    text += (i == 0 ? "" : (i + 1 < numbers.size() ? ", " : " or ")) + numbers[i];
  return text + (text == "1" ? " rank" : " ranks");
}

}  // namespace

std::optional<GridShape> find_grid(const UnitLattice& units, int ranks) {
  std::optional<GridShape> best;
  for (int nx = 1; nx <= ranks; ++nx) {
    if (ranks % nx != 0) continue;
    const GridShape grid{nx, ranks / nx};
    if (units.fits(grid) && (!best || border(units, grid) < border(units, *best))) best = grid;
  }
  return best;
}

GridShape choose_grid(const UnitLattice& units, int ranks) {
  if (const auto grid = find_grid(units, ranks)) return *grid;
  throw InputError("this " + units.whole + " cannot be divided among " + std::to_string(ranks) + " ranks; use " +
                   that_would_do(units, ranks) + units.advice);
}

void check_grid(const UnitLattice& units, const GridShape& grid, int ranks) {
  const std::string option = "--rank-grid " + std::to_string(grid.nx) + "," + std::to_string(grid.ny) + ": ";
  if (grid.nx < 1 || grid.ny < 1) throw InputError(option + "must be two numbers of ranks, 1 or more");
  if (std::int64_t{grid.nx} * grid.ny != ranks)
    throw InputError(option + "is for " + std::to_string(std::int64_t{grid.nx} * grid.ny) + " ranks, and there are " +
                     std::to_string(ranks));
  if (!units.fits(grid))
    throw InputError(option + "cuts " + described(units) + " into blocks of less than " + std::to_string(units.least) +
                     " a side");
}

RankGrid::RankGrid(const Communicator& communicator, const UnitLattice& units, const std::optional<GridShape>& shape)
    : RankGrid(communicator, shape ? *shape : choose_grid(units, communicator.size())) {
  if (shape) check_grid(units, *shape, communicator.size());
}

}  // namespace tessera::parallel
