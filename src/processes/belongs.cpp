// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/belongs.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <tuple>
#include <utility>

namespace tessera::processes {
namespace {

using Cell = kmc::Offset;

void add(std::vector<Cell>& cells, const Cell& cell) {
  if (std::ranges::find(cells, cell) == cells.end()) cells.push_back(cell);
}

std::vector<Cell> cells_read(const Process& process) {
  std::vector<Cell> cells;
  for (const Condition& one : process.conditions) add(cells, {one.at.dx, one.at.dy});
  for (const Bystander& one : process.bystanders) add(cells, {one.at.dx, one.at.dy});
  for (const Pattern& pattern : process.change.patterns)
    for (const Condition& one : pattern.conditions) add(cells, {one.at.dx, one.at.dy});
  return cells;
}

std::string written(const std::vector<Cell>& cells) {
  std::string text;
  for (const Cell& cell : cells)
    text += (text.empty() ? "(" : ", (") + std::to_string(cell.dx) + "," + std::to_string(cell.dy) + ")";
  return text;
}

}  // namespace

kmc::Offset offset_of(std::size_t cell) {
  const int k = static_cast<int>(cell) - 1;
  return k < 0 ? kmc::Offset{0, 0} : kmc::Offset{kmc::neighbour_dx<12>(k), kmc::neighbour_dy<12>(k)};
}

std::size_t cell_of(const LatticeSite& at) {
  std::size_t cell = 0;
  while (cell < most_cells && offset_of(cell) != Cell{at.dx, at.dy}) ++cell;
  return cell;
}

bool changes(const Process& process, const Action& action) {
  const auto condition = std::ranges::find(process.conditions, action.at, &Condition::at);
  return condition->species != SpeciesSet{1} << action.species;
}

Process shifted(Process process, int dx, int dy) {
  const auto shift = [&](auto& list) {
    for (auto& one : list) {
      one.at.dx += dx;
      one.at.dy += dy;
    }
  };
  shift(process.conditions);
  shift(process.actions);
  shift(process.bystanders);
  for (Pattern& pattern : process.change.patterns) shift(pattern.conditions);
  return process;
}

void add_cells(const Process& process, CellSet& cells) {
  for (const Cell& cell : cells_read(process)) cells[cell_of({cell.dx, cell.dy})] = true;
}

std::optional<Process> from_its_cell(const Process& process, int neighbours, const CellSet& known) {
  std::vector<Cell> changed;
  for (const Action& one : process.actions)
    if (changes(process, one)) add(changed, {one.at.dx, one.at.dy});
  const std::vector<Cell> read = cells_read(process);
  std::vector<Cell> candidates = read;
  for (const Cell& cell : read)
    for (std::size_t k = 1; k <= static_cast<std::size_t>(neighbours); ++k)
      add(candidates, {cell.dx + offset_of(k).dx, cell.dy + offset_of(k).dy});
  const Cell* best = nullptr;
  std::tuple<std::ptrdiff_t, std::ptrdiff_t, std::ptrdiff_t> fewest;
  for (const Cell& candidate : candidates) {
    const auto number = [&](const Cell& cell) { return cell_of({cell.dx - candidate.dx, cell.dy - candidate.dy}); };
    const auto is_near = [&](const Cell& cell) { return number(cell) <= static_cast<std::size_t>(neighbours); };
    if (!std::ranges::all_of(read, is_near)) continue;
    const auto others = [&](const std::vector<Cell>& cells) {
      return std::ranges::count_if(cells, [&](const Cell& cell) { return cell != candidate; });
    };
    const auto is_nearest = [&](const Cell& cell) { return number(cell) <= 4; };
    if (neighbours != 8 && (others(changed) > 1 || !std::ranges::all_of(changed, is_nearest))) continue;
    const auto is_new = [&](const Cell& cell) { return cell != candidate && !known[number(cell)]; };
    const std::tuple count(neighbours == 12 ? others(changed) : 0, std::ranges::count_if(read, is_new), others(read));
    if (best != nullptr && count >= fewest) continue;
    best = &candidate;
    fewest = count;
  }
  if (best == nullptr) return std::nullopt;
  return shifted(process, -best->dx, -best->dy);
}

std::optional<Process> from_a_cell(const Process& process, int reads, int writes) {
  const std::vector<Cell> read = cells_read(process);
  std::vector<Cell> candidates;
  // A process and its reverse, whose dE is opposite, have the same cell, and so one table.
  for (const Action& one : process.actions)
    if (!process.change.empty() && changes(process, one)) add(candidates, {one.at.dx, one.at.dy});
  std::ranges::sort(candidates, {}, [](const Cell& cell) { return std::pair(cell.dx, cell.dy); });
  for (const Cell& cell : read) add(candidates, cell);
  for (const Cell& cell : read)
    for (const Cell& other : read) add(candidates, {(cell.dx + other.dx) / 2, (cell.dy + other.dy) / 2});
  for (const Cell& candidate : candidates) {
    const auto is_near = [&](int x, int y, int most) {
      return std::abs(x - candidate.dx) <= most && std::abs(y - candidate.dy) <= most;
    };
    if (std::ranges::all_of(read, [&](const Cell& cell) { return is_near(cell.dx, cell.dy, reads); }) &&
        std::ranges::all_of(process.actions, [&](const Action& action) {
          return !changes(process, action) || is_near(action.at.dx, action.at.dy, writes);
        }))
      return shifted(process, -candidate.dx, -candidate.dy);
  }
  return std::nullopt;
}

void refuse_cells(const ModelFile& model, const Process& process) {
  const bool is_cluster = process.actions.empty() && !process.change.empty();
  const bool is_configuration = process.actions.empty() && !is_cluster;
  model.source.refuse(process.line,
                      (is_cluster         ? "[Cluster "
                       : is_configuration ? "[Configuration "
                                          : "[Process ") +
                          process.name + "]: depends on the unit cells " + written(cells_read(process)) +
                          "; use only cells within a square of " +
                          (is_configuration ? "3 x 3" : "9 x 9, of which those in the middle 5 x 5 change"));
}

}  // namespace tessera::processes
