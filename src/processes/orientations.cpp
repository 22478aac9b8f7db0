// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numbers>
#include <tuple>
#include <utility>

#include "processes/belongs.hpp"

namespace tessera::processes {
namespace {

/// The image of site `from` in orientation i: reflected in x, for the last half of 8 or 12, and rotated about `centre`.
LatticeSite turned(const ModelFile& model, const Process& process, int i, const LatticeSite& centre,
                   const LatticeSite& from) {
  const int rotations = process.orientations > 6 ? process.orientations / 2 : process.orientations;
  const double angle = 2 * std::numbers::pi * (i % rotations) / rotations, cosine = std::cos(angle),
               sine = std::sin(angle);
  const auto& c = model.cell;
  const auto position = [&](const LatticeSite& p) {
    const double a = model.sites[p.site].position[0] + p.dx, b = model.sites[p.site].position[1] + p.dy;
    return std::pair(a * c[0][0] + b * c[1][0], a * c[0][1] + b * c[1][1]);
  };
  const auto [x0, y0] = position(centre);
  const auto [x1, y1] = position(from);
  const double dx = i >= rotations ? x0 - x1 : x1 - x0, dy = y1 - y0;
  const double x = x0 + cosine * dx - sine * dy, y = y0 + sine * dx + cosine * dy;
  const double area = c[0][0] * c[1][1] - c[0][1] * c[1][0];
  const double a = (x * c[1][1] - y * c[1][0]) / area, b = (y * c[0][0] - x * c[0][1]) / area;
  for (std::size_t site = 0; site < model.sites.size(); ++site) {
    const double steps_a = a - model.sites[site].position[0], steps_b = b - model.sites[site].position[1];
    const auto is_whole = [](double steps) {
      constexpr double tolerance = 0.01, farthest = 1e6;  // permits 0.333 and 0.866
      return std::abs(steps - std::round(steps)) < tolerance && std::abs(steps) < farthest;
    };
    if (is_whole(steps_a) && is_whole(steps_b))
      return {static_cast<int>(std::round(steps_a)), static_cast<int>(std::round(steps_b)), site};
  }
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
    if (reversed && !std::has_single_bit(before)) return {};
    const auto after = action.species;
    if (reversed)
      action.species = static_cast<std::size_t>(std::countr_zero(std::exchange(before, SpeciesSet{1} << after)));
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
      for (auto& one : list) one.at = turned(model, process, i, centre, one.at);
    };
    if (i > 0) {
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
