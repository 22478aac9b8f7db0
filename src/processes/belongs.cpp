// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/compile.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <map>
#include <numbers>
#include <tessera/kmc/neighbourhood.hpp>
#include <tuple>
#include <utility>

#include "options/text.hpp"

namespace tessera::processes {
namespace {

/// Different cells, each by its site 0.
using Cells = std::vector<LatticeSite>;

void add(Cells& cells, const LatticeSite& at) {
  if (std::ranges::find(cells, at.cell()) == cells.end()) cells.push_back(at.cell());
}

Cells cells_read(const Process& process) {
  Cells cells;
  for (const Condition& one : process.conditions) add(cells, one.at);
  for (const Bystander& one : process.bystanders) add(cells, one.at);
  for (const Pattern& pattern : process.change.patterns)
    for (const Condition& one : pattern.conditions) add(cells, one.at);
  return cells;
}

/// The process with offsets relative to a cell.
Process relative_to(const LatticeSite& cell, Process process) {
  const auto shift = [&](auto& list) {
    for (auto& one : list) one.at = one.at - cell;
  };
  shift(process.conditions);
  shift(process.actions);
  shift(process.bystanders);
  for (Pattern& pattern : process.change.patterns) shift(pattern.conditions);
  return process;
}

using Vector = std::array<double, 3>;

/// Matrix of rotation or reflection i of a cube, of 48: the first 24 are rotations, number 0 is the identity.
std::array<Vector, 3> of_cube(int i) {
  std::array<int, 3> axes{0, 1, 2};
  for (int number = 0, signs = 0;; signs = (signs + 1) % 8) {
    const bool odd = (axes[0] > axes[1]) ^ (axes[1] > axes[2]) ^ (axes[0] > axes[2]);
    if ((odd != (std::popcount(static_cast<unsigned>(signs)) % 2 != 0)) == (i >= 24) && number++ == i % 24) {
      std::array<Vector, 3> matrix{};
      for (std::size_t k = 0; k < 3; ++k) matrix[k][static_cast<std::size_t>(axes[k])] = (signs >> k & 1) != 0 ? -1 : 1;
      return matrix;
    }
    if (signs == 7) std::ranges::next_permutation(axes);
  }
}

/// A vector, in units of the sides of the cell, in orientation i of a process: of a cube, for 24 or 48, or reflected in
/// x, for the last half of 8 or 12, and rotated about z.
Vector turned(const ModelFile& model, const Process& process, int i, const Vector& from) {
  std::array<Vector, 3> c, matrix{Vector{}, Vector{}, Vector{0, 0, 1}};
  for (std::size_t k = 0; k < 3; ++k) std::ranges::copy(model.cell[k], c[k].begin());
  if (!model.in_space) c = {Vector{c[0][0], c[0][1], 0}, Vector{c[1][0], c[1][1], 0}, Vector{0, 0, 1}};
  if (process.orientations >= 24) {
    matrix = of_cube(i);
  } else {
    const int rotations = process.orientations > 6 ? process.orientations / 2 : process.orientations;
    const double angle = 2 * std::numbers::pi * (i % rotations) / rotations, side = i >= rotations ? -1 : 1;
    matrix[0] = {side * std::cos(angle), -std::sin(angle), 0};
    matrix[1] = {side * std::sin(angle), std::cos(angle), 0};
  }
  Vector at{}, to{};
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column)
      for (std::size_t k = 0; k < 3; ++k) at[row] += matrix[row][column] * from[k] * c[k][column];
  const auto volume = [](const Vector& a, const Vector& b, const Vector& d) {
    return a[0] * (b[1] * d[2] - b[2] * d[1]) + a[1] * (b[2] * d[0] - b[0] * d[2]) + a[2] * (b[0] * d[1] - b[1] * d[0]);
  };
  for (std::size_t k = 0; k < 3; ++k) to[k] = volume(at, c[(k + 1) % 3], c[(k + 2) % 3]) / volume(c[0], c[1], c[2]);
  return to;
}

constexpr double nearly = 0.01;  ///< tolerance of positions, which permits 0.333

/// Throws InputError if the sides of the cell in orientation i are nearly, but not to 0.05 %, sides of cells or, where
/// a cell has several sites, multiples of a simple fraction of them.
void check_cell(const ModelFile& model, const Process& process, int i) {
  std::vector<double> sides;
  for (std::size_t k = 0; k < 3; ++k) {
    Vector side{};
    side[k] = 1;
    std::ranges::copy(turned(model, process, i, side), std::back_inserter(sides));
  }
  for (std::size_t parts = 1; parts <= std::min<std::size_t>(model.sites.size(), 8); ++parts) {
    double error = 0;
    for (const double one : sides) {
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
    const auto& its = model.sites[p.site].position;
    return Vector{its[0] + p.dx, its[1] + p.dy, model.in_space ? its[2] + p.dz : 0};
  };
  const Vector zero = position(centre), at = position(from),
               moved = turned(model, process, i, {at[0] - zero[0], at[1] - zero[1], at[2] - zero[2]});
  std::optional<LatticeSite> image;  // of several that differ in height, in two dimensions, the one at the same height
  const auto height_difference = [&](std::size_t site) {
    return std::abs(model.sites[site].position[2] - model.sites[from.site].position[2]);
  };
  for (std::size_t site = 0; site < model.sites.size(); ++site) {
    const Vector its = position({0, 0, site});
    const double steps[] = {zero[0] + moved[0] - its[0], zero[1] + moved[1] - its[1], zero[2] + moved[2] - its[2]};
    const auto is_whole = [](double one) { return std::abs(one - std::round(one)) < nearly && std::abs(one) < 1e6; };
    const auto whole = [&](int axis) { return static_cast<int>(std::round(steps[axis])); };
    if (std::ranges::all_of(steps, is_whole) && (!image || height_difference(site) < height_difference(image->site)))
      image = {whole(0), whole(1), site, whole(2)};
  }
  if (image) return *image;
  model.source.refuse(process.line, "orientations of " + process.name + ": site " + model.sites[from.site].name +
                                        " is not rotated onto another site; define each process separately");
}

/// Canonical form of a process, equal for copies that differ by a translation.
auto form_of(Process process) {
  std::ranges::sort(process.conditions);
  if (!process.conditions.empty()) process = relative_to(process.conditions.front().at, process);
  std::ranges::sort(process.actions);
  std::ranges::sort(process.bystanders);
  return std::tuple(process.conditions, process.actions, process.bystanders);
}

/// The changes that a process makes, from its conditions without its bystanders; `reversed`: those of the reverse
/// process, or nothing if a site that changes may hold several species.
std::optional<Process> changes_of(const Process& process, bool reversed) {
  Process result = process;
  result.bystanders.clear();
  std::erase_if(result.actions, [&](const Action& action) { return !process.changes(action); });
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

LatticeSite site_in(std::size_t cell) {
  const int k = static_cast<int>(cell) - 1;
  return k < 0 ? LatticeSite{} : LatticeSite{kmc::neighbour_dx<12>(k), kmc::neighbour_dy<12>(k)};
}

std::size_t cell_of(const LatticeSite& at) {
  std::size_t cell = 0;
  while (cell < most_cells && site_in(cell) != at.cell()) ++cell;
  return cell;
}

void add_cells(const Process& process, CellSet& cells) {
  for (const LatticeSite& cell : cells_read(process)) cells[cell_of(cell)] = true;
}

std::optional<Process> from_its_cell(const Process& process, int neighbours, const CellSet& known) {
  Cells changed;
  for (const Action& one : process.actions)
    if (process.changes(one)) add(changed, one.at);
  const Cells read = cells_read(process);
  Cells candidates = read;
  for (const LatticeSite& cell : read)
    for (std::size_t k = 1; k <= static_cast<std::size_t>(neighbours); ++k) add(candidates, cell + site_in(k));
  const LatticeSite* best = nullptr;
  std::tuple<std::ptrdiff_t, std::ptrdiff_t, std::ptrdiff_t> fewest;
  for (const LatticeSite& candidate : candidates) {
    const auto number = [&](const LatticeSite& cell) { return cell_of(cell - candidate); };
    const auto is_near = [&](const LatticeSite& cell) { return number(cell) <= static_cast<std::size_t>(neighbours); };
    if (!std::ranges::all_of(read, is_near)) continue;
    const auto others = [&](const Cells& cells) {
      return std::ranges::ssize(cells) - std::ranges::count(cells, candidate);
    };
    const auto is_nearest = [&](const LatticeSite& cell) { return number(cell) <= 4; };
    if (neighbours != 8 && (others(changed) > 1 || !std::ranges::all_of(changed, is_nearest))) continue;
    const auto is_new = [&](const LatticeSite& cell) { return cell != candidate && !known[number(cell)]; };
    const std::tuple count(neighbours == 12 ? others(changed) : 0, std::ranges::count_if(read, is_new), others(read));
    if (best != nullptr && count >= fewest) continue;
    best = &candidate;
    fewest = count;
  }
  if (best == nullptr) return std::nullopt;
  return relative_to(*best, process);
}

std::optional<Process> from_a_cell(const Process& process, int reads, int writes) {
  const Cells read = cells_read(process);
  Cells candidates;
  // A process and its reverse, whose dE is opposite, have the same cell, and so one table.
  for (const Action& one : process.actions)
    if (!process.change.empty() && process.changes(one)) add(candidates, one.at);
  std::ranges::sort(candidates);
  for (const LatticeSite& cell : read) add(candidates, cell);
  for (const LatticeSite& cell : read)
    for (const LatticeSite& other : read)
      add(candidates, {(cell.dx + other.dx) / 2, (cell.dy + other.dy) / 2, 0, (cell.dz + other.dz) / 2});
  for (const LatticeSite& candidate : candidates)
    if (std::ranges::all_of(read, [&](const auto& cell) { return (cell - candidate).distance() <= reads; }) &&
        std::ranges::all_of(process.actions, [&](const Action& action) {
          return !process.changes(action) || (action.at - candidate).distance() <= writes;
        }))
      return relative_to(candidate, process);
  return std::nullopt;
}

void refuse_cells(const ModelFile& model, const Process& process) {
  const bool is_cluster = process.actions.empty() && !process.change.empty();
  const bool is_configuration = process.actions.empty() && !is_cluster;
  const auto block = [&](const std::string& side) {
    return side + " x " + side + (model.in_space ? " x " + side : "");
  };
  model.source.refuse(
      process.line,
      (is_cluster         ? "[Cluster "
       : is_configuration ? "[Configuration "
                          : "[Process ") +
          process.name + "]: depends on the unit cells " +
          program::joined(cells_read(process), ", ", [&](const auto& cell) { return cell.offset(model.in_space); }) +
          "; use only cells within a " + (model.in_space ? "cube of " : "square of ") +
          (is_configuration ? block("3") : block("9") + ", of which those in the middle " + block("5") + " change"));
}

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
