// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/disks/configuration.hpp>
#include <tessera/disks/state/cell_list.hpp>
#include <utility>
#include <vector>

namespace tessera::disks {

/// Thrown when the construction of a start is stopped; handled by the simulation.
struct StartStopped {};

/// Calls keep_going() at regular intervals during the construction of a start.
class StartWatch {
 public:
  explicit StartWatch(std::function<bool()> keep_going) : keep_going_(std::move(keep_going)) {}

  /// Called once per disk, move or line. Throws StartStopped if keep_going() returns false.
  void step() {
    constexpr std::uint64_t between = 1 << 16;  // steps between two calls, about a hundredth of a second
    if (++steps_ % between == 0 && !keep_going_()) throw StartStopped();
  }

 private:
  std::function<bool()> keep_going_;
  std::uint64_t steps_ = 0;
};

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
  CellList cells({box_x, box_y}, spacing, points.size());
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    watch.step();
    std::optional<OverlappingPair> pair;
    cells.any_near(points[i], [&](std::uint32_t j, int, int) {
      const double square = cells.square_distance(points[i], points[j]);
      if (square < 1) pair = {j, i, std::sqrt(square)};
      return pair.has_value();
    });
    if (pair) return pair;
    cells.insert(i, points[i]);
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
