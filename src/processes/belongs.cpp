// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/belongs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numbers>
#include <string>
#include <tuple>
#include <utility>

#include "options/text.hpp"

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
  const auto one = [](const Cell& cell) { return "(" + std::to_string(cell.dx) + "," + std::to_string(cell.dy) + ")"; };
  return program::joined(cells, ", ", one);
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

namespace {

using Vector = std::array<double, 2>;  ///< in units of the sides of the cell

/// A vector in orientation i of a process: reflected in x, for the last half of 8 or 12, and rotated.
Vector turned(const ModelFile& model, const Process& process, int i, const Vector& from) {
  const int rotations = process.orientations > 6 ? process.orientations / 2 : process.orientations;
  const double angle = 2 * std::numbers::pi * (i % rotations) / rotations, cosine = std::cos(angle),
               sine = std::sin(angle);
  const auto& c = model.cell;
  const double dx = (from[0] * c[0][0] + from[1] * c[1][0]) * (i >= rotations ? -1 : 1),
               dy = from[0] * c[0][1] + from[1] * c[1][1];
  const double x = cosine * dx - sine * dy, y = sine * dx + cosine * dy;
  const double area = c[0][0] * c[1][1] - c[0][1] * c[1][0];
  return {(x * c[1][1] - y * c[1][0]) / area, (y * c[0][0] - x * c[0][1]) / area};
}

constexpr double nearly = 0.01;  ///< tolerance of positions, which permits 0.333

/// Throws InputError if the sides of the cell in orientation i are nearly, but not to 0.05 %, sides of cells or, where
/// a cell has several sites, multiples of a simple fraction of them.
void check_cell(const ModelFile& model, const Process& process, int i) {
  const Vector a = turned(model, process, i, {1, 0}), b = turned(model, process, i, {0, 1});
  for (std::size_t parts = 1; parts <= std::min<std::size_t>(model.sites.size(), 8); ++parts) {
    double error = 0;
    for (const double one : {a[0], a[1], b[0], b[1]}) {
      const double nearest = std::round(one * static_cast<double>(parts)) / static_cast<double>(parts);
      error = std::max(error, std::abs(one - nearest) / std::max(1.0, std::abs(one)));
    }
    if (error < 5e-4) return;  // permits a side of 0.866
    if (error > nearly) continue;
    model.source.refuse(process.line, "orientations of " + process.name +
                                          ": the unit cell differs by more than 0.05 % from one with this symmetry; "
                                          "change cell_size or define each process separately");
  }
}

/// The image of site `from` in orientation i about `centre`.
LatticeSite image_of(const ModelFile& model, const Process& process, int i, const LatticeSite& centre,
                     const LatticeSite& from) {
  const auto position = [&](const LatticeSite& p) {
    return Vector{model.sites[p.site].position[0] + p.dx, model.sites[p.site].position[1] + p.dy};
  };
  const Vector zero = position(centre), at = position(from),
               moved = turned(model, process, i, {at[0] - zero[0], at[1] - zero[1]});
  std::optional<LatticeSite> image;  // of several that differ in height, the one at the same height
  const auto height_difference = [&](std::size_t site) {
    return std::abs(model.sites[site].position[2] - model.sites[from.site].position[2]);
  };
  for (std::size_t site = 0; site < model.sites.size(); ++site) {
    const auto& its = model.sites[site].position;
    const double a = zero[0] + moved[0] - its[0], b = zero[1] + moved[1] - its[1];
    const auto is_whole = [](double steps) {
      return std::abs(steps - std::round(steps)) < nearly && std::abs(steps) < 1e6;
    };
    if (is_whole(a) && is_whole(b) && (!image || height_difference(site) < height_difference(image->site)))
      image = {static_cast<int>(std::round(a)), static_cast<int>(std::round(b)), site};
  }
  if (image) return *image;
  model.source.refuse(process.line, "orientations of " + process.name + ": site " + model.sites[from.site].name +
                                        " is not rotated onto another site; define each process separately");
}

/// Canonical form of a process, equal for copies that differ by a translation.
auto form_of(Process process) {
  std::ranges::sort(process.conditions);
  const LatticeSite first = process.conditions.empty() ? LatticeSite{} : process.conditions.front().at;
  process = shifted(process, -first.dx, -first.dy);
  std::ranges::sort(process.actions);
  std::ranges::sort(process.bystanders);
  return std::tuple(process.conditions, process.actions, process.bystanders);
}

/// The changes that a process makes, from its conditions without its bystanders; `reversed`: those of the reverse
/// process, or nothing if a site that changes may hold several species.
std::optional<Process> changes_of(const Process& process, bool reversed) {
  Process result = process;
  result.bystanders.clear();
  std::erase_if(result.actions, [&](const Action& action) { return !changes(process, action); });
  for (Action& action : result.actions) {
    SpeciesSet& before = std::ranges::find(result.conditions, action.at, &Condition::at)->species;
    if (!reversed) continue;
    if (before.count() != 1) return {};
    const auto after = std::exchange(action.species, first_of(before));
    before = SpeciesSet{1} << after;
  }
  return result;
}

/// Canonical form of all copies of a process, or of the reverse process; empty if it has none.
auto form_of_all(const std::vector<Process>& copies, bool reversed) {
  std::vector<decltype(form_of({}))> forms;
  for (const Process& copy : copies)
    if (const auto changes = changes_of(copy, reversed)) forms.push_back(form_of(*changes));
  std::ranges::sort(forms);
  return forms;
}

}  // namespace

std::vector<std::optional<std::size_t>> reverses(const std::vector<std::vector<Process>>& copies) {
  std::map<decltype(form_of_all({}, false)), std::vector<std::size_t>> processes;
  for (std::size_t i = copies.size(); i-- > 0;) processes[form_of_all(copies[i], false)].push_back(i);
  std::vector<std::optional<std::size_t>> reverse(copies.size());
  for (std::size_t i = 0; i < copies.size(); ++i) {
    if (reverse[i]) continue;
    const auto found = processes.find(form_of_all(copies[i], true));
    if (found == processes.end()) continue;
    auto& open = found->second;  // the first one last
    std::erase_if(open, [&](std::size_t other) { return reverse[other].has_value(); });
    if (open.empty()) continue;
    reverse[i] = open.back();
    reverse[open.back()] = i;
  }
  return reverse;
}

std::vector<Process> oriented(const ModelFile& model, const Process& process) {
  std::vector<Process> copies;
  const LatticeSite centre = process.conditions.front().at;
  for (int i = 0; i < process.orientations; ++i) {
    Process copy = process;
    const auto turn = [&](auto& list) {
      for (auto& one : list) one.at = image_of(model, process, i, centre, one.at);
    };
    if (i > 0) {
      check_cell(model, process, i);
      turn(copy.conditions);
      turn(copy.actions);
      turn(copy.bystanders);
    }
    const auto form = form_of(copy);
    if (std::ranges::none_of(copies, [&](const Process& other) { return form_of(other) == form; }))
      copies.push_back(std::move(copy));
  }
  return copies;
}

}  // namespace tessera::processes
