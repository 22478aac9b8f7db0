// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/disks/configuration.hpp>
#include <vector>

/// Checks that a run with these parameters can reach the state of a checkpoint.
namespace tessera::disks {

/// Throws InputError about the entry, with the fault `wrong`, unless the condition holds.
inline void require_of_entry(bool holds, const std::string& entry, const std::string& wrong) {
  if (!holds) refuse_loaded(entry, wrong + "; use an undamaged copy");
}

/// Checks the number of completed sweeps, and that each replica made `least` to `most` trial moves per sweep.
inline void require_progress(std::int64_t done, const std::vector<MoveCount>& moves, std::int64_t least,
                             std::int64_t most) {
  require_of_entry(done >= 0 && done < std::int64_t{1} << 53, "sweeps", std::to_string(done) + " sweeps");
  constexpr double rounding = 1e-9;
  const auto sweeps = static_cast<double>(done);
  for (const MoveCount& count : moves) {
    const auto tried = static_cast<double>(count.tried);
    require_of_entry(tried >= sweeps * static_cast<double>(least) * (1 - rounding) &&
                         tried <= sweeps * static_cast<double>(most) * (1 + rounding),
                     "moves", std::to_string(count.tried) + " trial moves in " + std::to_string(done) + " sweeps");
    require_of_entry(count.accepted <= count.tried, "moves", "more moves were accepted than attempted");
  }
}

/// Checks the number of disks per replica, and the position of the grid in the box.
inline void require_contents(const Configuration& c, const Geometry& g, std::int64_t particles) {
  const auto cells = static_cast<std::size_t>(g.grid_cells());
  for (std::size_t first = 0; first < c.counts.size(); first += cells) {
    std::int64_t disks = 0;
    for (std::size_t cell = first; cell < first + cells; ++cell) {
      require_of_entry(c.counts[cell] <= most_in_a_cell, "count", "more than four disks in a cell");
      disks += c.counts[cell];
    }
    require_of_entry(disks == particles, "count", std::to_string(disks) + " disks in a replica");
  }
  for (std::size_t i = 0; i < c.origins.size(); ++i) {
    const std::int64_t side = i % 2 == 0 ? g.steps_x() : g.steps_y();
    require_of_entry(c.origins[i] >= 0 && c.origins[i] < side, "origin", "the grid is outside the box");
  }
}

/// Checks that points are in the box, including its upper edge, to which coordinates may be rounded.
inline void require_in_box(const std::vector<Point>& points, const Point& box) {
  constexpr double rounding = 1e-9;
  for (const Point& p : points)
    for (const std::size_t axis : {std::size_t{0}, std::size_t{1}})
      require_of_entry(p[axis] >= -rounding && p[axis] <= box[axis] + rounding, "position",
                       "a disk is outside the box");
}

}  // namespace tessera::disks
