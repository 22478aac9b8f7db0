// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/disks/state/points.hpp>
#include <vector>

namespace tessera::disks {

/// A triangular lattice in a periodic box: an even number of rows, alternate ones shifted by half a spacing.
struct TriangularLattice {
  std::int64_t columns = 0, rows = 0;  ///< sites
  double nearest = 0;                  ///< nearest-neighbour distance, in sigma
};

/// The lattice of at least `sites` sites with the largest nearest-neighbour distance.
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

/// Disks on triangular_lattice(); vacant sites are spread evenly.
struct LatticeStart {
  TriangularLattice lattice;
  std::int64_t particles;
  double box_x, box_y;

  /// Throws InputError if neighbours overlap.
  LatticeStart(std::int64_t number, double width, double height)
      : lattice(triangular_lattice(number, width, height)), particles(number), box_x(width), box_y(height) {
    // Margin for the rounding of coordinates to steps. Sites of next but one rows lie above each other.
    if (std::min(lattice.nearest, 2 * height / static_cast<double>(lattice.rows)) < 1 + 1e-6)
      throw InputError("--start lattice: a triangular lattice of " + std::to_string(particles) +
                       " disks at this packing fraction does not fit the box; use another number of particles, "
                       "another --aspect or --start random");
  }

  KOKKOS_FORCEINLINE_FUNCTION BoxPoint operator()(int, std::int64_t i) const {
    // Site s is occupied if s * particles / sites crosses an integer there, in a form that does not exceed 64 bits.
    const std::int64_t vacancies = lattice.columns * lattice.rows - particles;
    const std::int64_t site = i + ((i + 1) * vacancies + particles - 1) / particles;
    const std::int64_t row = site / lattice.columns, column = site - row * lattice.columns;
    const double shifted = static_cast<double>(column) + (row % 2 == 0 ? 0.25 : 0.75);
    return {shifted * box_x / static_cast<double>(lattice.columns),
            (static_cast<double>(row) + 0.5) * box_y / static_cast<double>(lattice.rows)};
  }
};

/// The same on the host.
inline std::vector<Point> lattice_start(std::int64_t particles, double box_x, double box_y) {
  const LatticeStart start(particles, box_x, box_y);
  std::vector<Point> points(static_cast<std::size_t>(particles));
  for (std::int64_t i = 0; i < particles; ++i) {
    const BoxPoint p = start(0, i);
    points[static_cast<std::size_t>(i)] = {p.x, p.y};
  }
  return points;
}

}  // namespace tessera::disks
