// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tessera/parallel/rank_grid.hpp"

#include <cstddef>
#include <vector>

#include "tessera/core/error.hpp"

namespace tessera::parallel {
namespace {

std::int64_t largest_part(std::int64_t units, int parts) { return (units + parts - 1) / parts; }

/// Number of units along the borders of the largest block, each border counted once.
std::int64_t border(const UnitLattice& units, const GridShape& grid) {
  return (grid.nx > 1 ? largest_part(units.ny, grid.ny) : 0) + (grid.ny > 1 ? largest_part(units.nx, grid.nx) : 0);
}

/// The largest valid numbers of ranks below `ranks`, at most four: "8, 6, 5 or 4 ranks".
std::string valid_numbers(const UnitLattice& units, int ranks) {
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
                   valid_numbers(units, ranks) + units.advice);
}

void check_grid(const UnitLattice& units, const GridShape& grid, int ranks) {
  const std::string option = "--rank-grid " + std::to_string(grid.nx) + "," + std::to_string(grid.ny) + ": ";
  if (grid.nx < 1 || grid.ny < 1) throw InputError(option + "must be two positive whole numbers of ranks");
  if (std::int64_t{grid.nx} * grid.ny != ranks)
    throw InputError(option + "is a grid of " + std::to_string(std::int64_t{grid.nx} * grid.ny) +
                     " ranks, but the run has " + std::to_string(ranks));
  if (!units.fits(grid))
    throw InputError(option + "divides " + std::to_string(units.nx) + " x " + std::to_string(units.ny) + " " +
                     units.unit + " into blocks with fewer than " + std::to_string(units.least) + " a side");
}

RankGrid::RankGrid(const Communicator& communicator, const UnitLattice& units, const std::optional<GridShape>& shape)
    : RankGrid(communicator, shape ? *shape : choose_grid(units, communicator.size())) {
  if (shape) check_grid(units, *shape, communicator.size());
}

}  // namespace tessera::parallel
