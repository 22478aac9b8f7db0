// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/belongs.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <tessera/kmc/model.hpp>
#include <utility>
#include <vector>

namespace tessera::processes {
namespace {

struct Cell {
  int x, y;
  bool operator==(const Cell&) const = default;
};

void add(std::vector<Cell>& cells, const Cell& cell) {
  if (std::ranges::find(cells, cell) == cells.end()) cells.push_back(cell);
}
bool are_within(const Cell& a, const Cell& b, bool diagonals) {
  const int dx = std::abs(a.x - b.x), dy = std::abs(a.y - b.y);
  return diagonals ? std::max(dx, dy) <= 1 : dx + dy <= 1;
}

std::vector<Cell> cells_read(const Process& process) {
  std::vector<Cell> cells;
  for (const Condition& one : process.conditions) add(cells, {one.at.dx, one.at.dy});
  for (const Bystander& one : process.bystanders) add(cells, {one.at.dx, one.at.dy});
  return cells;
}

std::string written(const std::vector<Cell>& cells) {
  std::string text;
  for (const Cell& cell : cells)
    text += (text.empty() ? "(" : ", (") + std::to_string(cell.x) + "," + std::to_string(cell.y) + ")";
  return text;
}

}  // namespace

std::size_t cell_of(const LatticeSite& at) {
  std::size_t cell = 0;
  for (int k = 0; k < 8; ++k)
    if (kmc::neighbour_dx(k) == at.dx && kmc::neighbour_dy(k) == at.dy) cell = static_cast<std::size_t>(k) + 1;
  return cell;
}

bool changes(const Process& process, const Action& action) {
  const auto condition = std::ranges::find(process.conditions, action.at, &Condition::at);
  return condition->species != SpeciesSet{1} << action.species;
}

void add_cells(const Process& process, CellSet& cells) {
  for (const Cell& cell : cells_read(process)) cells[cell_of({cell.x, cell.y})] = true;
}

std::optional<Process> from_its_cell(const Process& process, int neighbours, const CellSet& known) {
  std::vector<Cell> changed;
  for (const Action& one : process.actions)
    if (changes(process, one)) add(changed, {one.at.dx, one.at.dy});
  const std::vector<Cell> read = cells_read(process);
  std::vector<Cell> candidates = read;
  for (const Cell& cell : read)
    for (int k = 0; k < neighbours; ++k)
      add(candidates, {cell.x + kmc::neighbour_dx(k), cell.y + kmc::neighbour_dy(k)});
  const Cell* best = nullptr;
  std::pair<std::ptrdiff_t, std::ptrdiff_t> fewest;
  for (const Cell& candidate : candidates) {
    const auto near = [&](const Cell& cell) { return are_within(cell, candidate, neighbours == 8); };
    if (!std::ranges::all_of(read, near)) continue;
    const auto others = [&](const std::vector<Cell>& cells) {
      return std::ranges::count_if(cells, [&](const Cell& cell) { return cell != candidate; });
    };
    if (neighbours == 4 && others(changed) > 1) continue;
    const auto is_new = [&](const Cell& cell) {
      return cell != candidate && !known[cell_of({cell.x - candidate.x, cell.y - candidate.y})];
    };
    const std::pair count(std::ranges::count_if(read, is_new), others(read));
    if (best != nullptr && count >= fewest) continue;
    best = &candidate;
    fewest = count;
  }
  if (best == nullptr) return std::nullopt;
  Process moved = process;
  const auto move = [&](auto& list) {
    for (auto& one : list) {
      one.at.dx -= best->x;
      one.at.dy -= best->y;
    }
  };
  move(moved.conditions);
  move(moved.actions);
  move(moved.bystanders);
  return moved;
}

Process within_square(const ModelFile& model, const Process& process) {
  if (const auto moved = from_its_cell(process, 8)) return *moved;
  model.source.refuse(process.line, (process.actions.empty() ? "[Configuration " : "[Process ") + process.name +
                                        "]: depends on the unit cells " + written(cells_read(process)) +
                                        "; use only cells within a square of 3 x 3");
}

}  // namespace tessera::processes
