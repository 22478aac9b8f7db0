// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <sstream>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/disks/configuration.hpp>
#include <tessera/disks/state/cell_list.hpp>
#include <utility>
#include <vector>

namespace tessera::disks {

/// Thrown when the construction of a start is stopped; handled by start_points().
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

/// Throws InputError with `what` and the first disk of `points` that overlaps an earlier one, numbered from 1, in a
/// periodic box with sides of at least two diameters. Points may lie on the edge of the box. `lines`: of a text file,
/// the line of each disk. Takes 8 bytes of memory per disk.
inline void require_no_overlap(const std::string& what, const std::vector<Point>& points, const Point& box,
                               StartWatch& watch, const std::vector<std::size_t>& lines = {}) {
  // Cells of about one disk, at least a diameter wide: before a cell has many disks, two of them overlap.
  const double spacing = std::max(1.0, std::sqrt(box[0] * box[1] / static_cast<double>(points.size())));
  CellList cells(box, spacing, points.size());
  std::uint32_t first = 0, second = 0;
  double square = 0;
  for (; second < points.size(); ++second) {
    watch.step();
    if (cells.any_near(points[second], [&](std::uint32_t other, int, int) {
          first = other;
          square = cells.square_distance(points[second], points[other]);
          return square < 1;
        }))
      break;
    cells.insert(second, points[second]);
  }
  if (second == points.size()) return;
  const auto disk = [&](std::size_t i) {
    std::ostringstream text;
    text << i + 1 << " at (" << points[i][0] << ", " << points[i][1] << ")";
    return text.str();
  };
  std::ostringstream message;
  message.precision(std::numeric_limits<double>::max_digits10);
  message << what << "disks " << disk(first) << " and " << disk(second) << " overlap: they are " << std::sqrt(square)
          << " diameters apart";
  if (!lines.empty()) message << ", in lines " << lines[first] << " and " << lines[second];
  throw InputError(message.str());
}

}  // namespace tessera::disks
