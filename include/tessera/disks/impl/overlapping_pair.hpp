// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/disks/configuration.hpp>
#include <tessera/disks/impl/start_watch.hpp>
#include <vector>

namespace tessera::disks {

/// Numbers of two disks, and their distance in sigma.
struct OverlappingPair {
  std::size_t first, second;
  double distance;
};

/// The first disk of `points` that overlaps an earlier one, in a periodic box with sides of at least two diameters.
/// Empty if no two overlap. Points may lie on the edge of the box. Takes 8 bytes of memory per disk.
inline std::optional<OverlappingPair> find_overlapping_pair(const std::vector<Point>& points, double box_x,
                                                            double box_y, StartWatch& watch) {
  // Cells of about one disk, at least a diameter wide: before a cell has many disks, two of them overlap.
  const double spacing = std::max(1.0, std::sqrt(box_x * box_y / static_cast<double>(points.size())));
  const auto columns = static_cast<std::int64_t>(std::max(1.0, std::floor(box_x / spacing)));
  const auto rows = static_cast<std::int64_t>(std::max(1.0, std::floor(box_y / spacing)));
  constexpr std::uint32_t none = 0xffffffff;
  std::vector<std::uint32_t> last(static_cast<std::size_t>(columns * rows), none), before(points.size(), none);
  const auto along = [](double value, double box, std::int64_t cells) {
    const auto cell = static_cast<std::int64_t>(value / box * static_cast<double>(cells));
    return std::clamp(cell, std::int64_t{0}, cells - 1);
  };
  const auto nearest_image = [](double d, double box) { return std::min(std::abs(d), box - std::abs(d)); };
  for (std::size_t i = 0; i < points.size(); ++i) {
    watch.step();
    const std::int64_t x = along(points[i][0], box_x, columns), y = along(points[i][1], box_y, rows);
    for (std::int64_t v = y - 1; v <= y + 1; ++v)
      for (std::int64_t u = x - 1; u <= x + 1; ++u) {
        const auto cell = static_cast<std::size_t>((v + rows) % rows * columns + (u + columns) % columns);
        for (std::uint32_t j = last[cell]; j != none; j = before[j]) {
          const double dx = nearest_image(points[i][0] - points[j][0], box_x);
          const double dy = nearest_image(points[i][1] - points[j][1], box_y);
          if (dx * dx + dy * dy < 1) return OverlappingPair{j, i, std::sqrt(dx * dx + dy * dy)};
        }
      }
    std::uint32_t& list = last[static_cast<std::size_t>(y * columns + x)];
    before[i] = list;
    list = static_cast<std::uint32_t>(i);
  }
  return std::nullopt;
}

/// Throws InputError with `what` and the two disks, numbered from 1, if two of them overlap. `lines`: of a text file,
/// the line of each disk.
inline void require_no_overlap(const std::string& what, const std::vector<Point>& points, double box_x, double box_y,
                               StartWatch& watch, const std::vector<std::size_t>& lines = {}) {
  const auto pair = find_overlapping_pair(points, box_x, box_y, watch);
  if (!pair) return;
  const auto disk = [&](std::size_t i) {
    std::ostringstream text;
    text << i + 1 << " at (" << points[i][0] << ", " << points[i][1] << ")";
    return text.str();
  };
  std::ostringstream message;
  message.precision(std::numeric_limits<double>::max_digits10);
  message << what << "disks " << disk(pair->first) << " and " << disk(pair->second) << " overlap: they are "
          << pair->distance << " diameters apart";
  if (!lines.empty()) message << ", in lines " << lines[pair->first] << " and " << lines[pair->second];
  throw InputError(message.str());
}

}  // namespace tessera::disks
