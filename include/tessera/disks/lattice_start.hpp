// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/disks/contents.hpp>
#include <vector>

namespace tessera::disks {

/// A triangular lattice in a periodic box: an even number of rows, every other one shifted by half a spacing.
struct TriangularLattice {
  std::int64_t columns = 0, rows = 0;  ///< sites
  double nearest = 0;                  ///< distance of nearest sites, in sigma
};

/// The lattice with at least `sites` sites whose nearest ones are farthest apart.
inline TriangularLattice triangular_lattice(std::int64_t sites, double box_x, double box_y) {
  TriangularLattice best;
  const auto most_rows = std::min(sites, static_cast<std::int64_t>(std::ceil(1.2 * box_y)) + 2);
  for (std::int64_t rows = 2; rows <= most_rows; rows += 2) {
    const std::int64_t columns = (sites + rows - 1) / rows;
    const double spacing = box_x / static_cast<double>(columns);
    const double diagonal = std::hypot(spacing / 2, box_y / static_cast<double>(rows));
    const double nearest = std::min(spacing, diagonal);
    const bool fewer_vacancies = nearest == best.nearest && columns * rows < best.columns * best.rows;
    if (nearest > best.nearest || fewer_vacancies) best = {columns, rows, nearest};
  }
  return best;
}

/// `particles` disks on the triangular lattice that leaves them most room; where it has more sites, the vacant ones are
/// spread evenly. Throws InputError if neighbours would overlap.
inline std::vector<Point> lattice_start(std::int64_t particles, double box_x, double box_y) {
  const TriangularLattice lattice = triangular_lattice(particles, box_x, box_y);
  // Room for the rounding of coordinates to steps.
  if (lattice.nearest < 1 + 1e-6)
    throw InputError("--start lattice: a triangular lattice of " + std::to_string(particles) +
                     " disks at this packing fraction does not fit the box; take another number of particles or "
                     "another aspect, or --start random");
  const std::int64_t sites = lattice.columns * lattice.rows;
  std::vector<Point> points;
  points.reserve(static_cast<std::size_t>(particles));
  std::int64_t site = 0;
  for (std::int64_t row = 0; row < lattice.rows; ++row)
    for (std::int64_t column = 0; column < lattice.columns; ++column, ++site) {
      // Site number s is taken if the line s * particles / sites crosses a whole number there.
      const auto crossed = [&](std::int64_t s) { return s * particles / sites; };
      if (crossed(site + 1) == crossed(site)) continue;
      const double shifted = static_cast<double>(column) + (row % 2 == 0 ? 0.25 : 0.75);
      points.push_back({shifted * box_x / static_cast<double>(lattice.columns),
                        (static_cast<double>(row) + 0.5) * box_y / static_cast<double>(lattice.rows)});
    }
  return points;
}

}  // namespace tessera::disks
