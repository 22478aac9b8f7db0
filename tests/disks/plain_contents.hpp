// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tessera/disks/configuration.hpp>
#include <vector>

/// What place_points() and points_of() do, as plain loops on the host.
namespace tessera::disks {

/// Sorts points into the cells: `points[r]` are those of replica r in a box of sides (box_x, box_y), which is stretched
/// by the little that the grid's box differs. In each cell the disks have the order of the points.
inline Configuration plain_contents(const std::vector<std::vector<Point>>& points, double box_x, double box_y,
                                    const Geometry& g) {
  Configuration c;
  const auto steps = [](double value, double box, std::int64_t side) {
    const double fraction = value / box - std::floor(value / box);
    return std::min(static_cast<std::int64_t>(std::floor(fraction * static_cast<double>(side))), side - 1);
  };
  for (const auto& replica : points) {
    std::vector<std::vector<float>> of_cell(static_cast<std::size_t>(g.cells()));
    for (const Point& point : replica) {
      const std::int64_t x = steps(point[0], box_x, g.steps_x()), y = steps(point[1], box_y, g.steps_y());
      auto& disks = of_cell[static_cast<std::size_t>(y / g.height * g.columns + x / g.width)];
      disks.push_back(static_cast<float>(x % g.width) * step);
      disks.push_back(static_cast<float>(y % g.height) * step);
    }
    for (const auto& disks : of_cell) {
      c.counts.push_back(static_cast<std::uint8_t>(std::min<std::size_t>(disks.size() / 2, 255)));
      c.positions.insert(c.positions.end(), disks.begin(), disks.end());
    }
    c.origins.insert(c.origins.end(), {0, 0});
    c.moves.insert(c.moves.end(), {0, 0});
  }
  return c;
}

/// Where the disks of each replica are in the box: origin + cell corner + position, in [0, box).
inline std::vector<std::vector<Point>> plain_points(const Configuration& c, const Geometry& g) {
  std::vector<std::vector<Point>> points(static_cast<std::size_t>(g.replicas));
  const float* next = c.positions.data();
  const std::uint8_t* count = c.counts.data();
  for (std::size_t r = 0; r < points.size(); ++r)
    for (int y = 0; y < g.rows; ++y)
      for (int x = 0; x < g.columns; ++x, ++count)
        for (int slot = 0; slot < *count; ++slot, next += 2) {
          const auto at = [&](int cell, std::int32_t side, float local, std::int64_t origin, std::int64_t box) {
            const auto steps =
                std::int64_t{cell} * side + static_cast<std::int64_t>(local * steps_per_diameter) + origin;
            return static_cast<double>(steps % box) / steps_per_diameter;
          };
          points[r].push_back({at(x, g.width, next[0], c.origins[2 * r], g.steps_x()),
                               at(y, g.height, next[1], c.origins[2 * r + 1], g.steps_y())});
        }
  return points;
}

}  // namespace tessera::disks
