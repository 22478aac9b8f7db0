// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/orientations.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

namespace tessera::processes {
namespace {

/// The elements of a 2 x 2 matrix.
struct Turn {
  int xx, xy, yx, yy;
};

/// By 0, 180, 90 and 270 degrees; then the same after a reflection of x.
constexpr Turn turns[8] = {{1, 0, 0, 1},  {-1, 0, 0, -1}, {0, -1, 1, 0},  {0, 1, -1, 0},
                           {-1, 0, 0, 1}, {1, 0, 0, -1},  {0, -1, -1, 0}, {0, 1, 1, 0}};

/// The site where a place is after the turn about `centre`.
Place turned(const ModelFile& model, const Process& process, const Turn& turn, const Place& centre,
             const Place& place) {
  const auto position = [&](const Place& p) {
    return std::pair((model.sites[p.site].x + p.dx) * model.side_x, (model.sites[p.site].y + p.dy) * model.side_y);
  };
  const auto [x0, y0] = position(centre);
  const auto [x1, y1] = position(place);
  const double x = (x0 + turn.xx * (x1 - x0) + turn.xy * (y1 - y0)) / model.side_x,
               y = (y0 + turn.yx * (x1 - x0) + turn.yy * (y1 - y0)) / model.side_y;
  for (std::size_t site = 0; site < model.sites.size(); ++site) {
    const double dx = x - model.sites[site].x, dy = y - model.sites[site].y;
    constexpr double tolerance = 1e-6;
    if (std::abs(dx - std::round(dx)) < tolerance && std::abs(dy - std::round(dy)) < tolerance)
      return {static_cast<int>(std::round(dx)), static_cast<int>(std::round(dy)), site};
  }
  model.source.refuse(process.line, "orientations of " + process.name + ": site " + model.sites[place.site].name +
                                        " does not fall on a site when it is turned; write the processes one by one");
}

/// What two copies have in common if one is the other, shifted.
auto form_of(Process process) {
  std::ranges::sort(process.conditions);
  const int dx = process.conditions.front().at.dx, dy = process.conditions.front().at.dy;
  const auto shift = [&](auto& list) {
    for (auto& one : list) {
      one.at.dx -= dx;
      one.at.dy -= dy;
    }
    std::ranges::sort(list);
  };
  shift(process.conditions);
  shift(process.actions);
  shift(process.bystanders);
  return std::tuple(process.conditions, process.actions, process.bystanders);
}

}  // namespace

std::vector<Process> oriented(const ModelFile& model, const Process& process) {
  std::vector<Process> copies;
  const Place centre = process.conditions.front().at;
  for (int i = 0; i < process.orientations; ++i) {
    Process copy = process;
    const auto turn = [&](auto& list) {
      for (auto& one : list) one.at = turned(model, process, turns[i], centre, one.at);
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
