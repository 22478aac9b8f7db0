// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/belongs.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <tessera/kmc/model.hpp>

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

Process from_its_cell(const ModelFile& model, const Process& process) {
  std::vector<Cell> read, written_to;
  for (const Condition& one : process.conditions) add(read, {one.at.dx, one.at.dy});
  for (const Bystander& one : process.bystanders) add(read, {one.at.dx, one.at.dy});
  for (const Action& one : process.actions)
    if (changes(process, one)) add(written_to, {one.at.dx, one.at.dy});
  const bool is_configuration = process.actions.empty();
  const std::string begin = (is_configuration ? "[Configuration " : "[Process ") + process.name + "]: ";
  if (written_to.size() > 2)
    model.source.refuse(process.line, begin + "changes the unit cells " + written(written_to) +
                                          "; use at most two cells that are nearest neighbours");
  std::vector<Cell> candidates = read;
  for (const Cell& cell : read)
    for (int k = 0; k < (is_configuration ? 8 : 4); ++k)
      add(candidates, {cell.x + kmc::neighbour_dx(k), cell.y + kmc::neighbour_dy(k)});
  const Cell* best = nullptr;
  std::ptrdiff_t fewest = 0;
  bool reads_too_far = true;
  for (const Cell& candidate : candidates) {
    const auto near = [&](const Cell& cell) { return are_within(cell, candidate, is_configuration); };
    if (!std::ranges::all_of(read, near)) continue;
    reads_too_far = false;
    const auto others = [&](const std::vector<Cell>& cells) {
      return std::ranges::count_if(cells, [&](const Cell& cell) { return cell != candidate; });
    };
    if (others(written_to) > 1) continue;
    if (best != nullptr && others(read) >= fewest) continue;
    best = &candidate;
    fewest = others(read);
  }
  if (best == nullptr && reads_too_far)
    model.source.refuse(process.line, begin + "depends on the unit cells " + written(read) +
                                          (is_configuration ? "; use only cells within a square of 3 x 3"
                                                            : "; use only a cell and its four nearest neighbours"));
  if (best == nullptr)
    model.source.refuse(process.line, begin + "changes the unit cells " + written(written_to) +
                                          "; use at most two cells that are nearest neighbours");
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

}  // namespace tessera::processes
