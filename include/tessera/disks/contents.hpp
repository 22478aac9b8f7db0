// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/disks/pairs.hpp>
#include <tessera/disks/state.hpp>
#include <vector>

namespace tessera::disks {

/// The disks of all replicas on the host, cell by cell: replica, row, column, slot. Columns are in their natural order.
struct Contents {
  std::vector<std::uint8_t> counts;   ///< [replicas, rows, columns]
  std::vector<float> positions;       ///< [disks, 2]
  std::vector<std::int64_t> origins;  ///< [replicas, 2]
  std::vector<std::uint64_t> moves;   ///< [replicas, 2]: tried, accepted

  bool operator==(const Contents&) const = default;
};

/// A point of a box in sigma.
using Point = std::array<double, 2>;

/// Copies the disks of a state to the host.
template <class ExecutionSpace, class MemorySpace>
Contents contents_of(const ExecutionSpace& space, const State<MemorySpace>& state) {
  space.fence("tessera::disks::contents_of");
  const Geometry& g = state.geometry();
  Cells<Kokkos::HostSpace> cells;
  cells.geometry = g;
  cells.arrangement = state.cells.arrangement;
  cells.positions = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), state.cells.positions);
  cells.counts = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), state.cells.counts);
  const auto origins = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), state.origins);
  const auto moves = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), state.moves);
  Contents c;
  for (int r = 0; r < g.replicas; ++r) {
    for (int y = 0; y < g.rows; ++y)
      for (int x = 0; x < g.columns; ++x) {
        const auto cell = static_cast<std::size_t>(g.index(r, x, y));
        c.counts.push_back(cells.counts(cell));
        for (int slot = 0; slot < cells.counts(cell); ++slot) {
          const Position p = cells.position(slot, static_cast<std::int64_t>(cell));
          c.positions.insert(c.positions.end(), {p.x, p.y});
        }
      }
    const auto at = static_cast<std::size_t>(r);
    c.origins.insert(c.origins.end(), {origins(at).x, origins(at).y});
    c.moves.insert(c.moves.end(), {moves(at).tried, moves(at).accepted});
  }
  return c;
}

/// Puts the disks of the host into a state. Throws InputError if there are more than four in a cell.
template <class ExecutionSpace, class MemorySpace>
void put_contents(const ExecutionSpace& space, const Contents& c, const State<MemorySpace>& state) {
  const Geometry& g = state.geometry();
  const auto counts = Kokkos::create_mirror_view(Kokkos::HostSpace(), state.cells.counts);
  const auto positions = Kokkos::create_mirror_view(Kokkos::HostSpace(), state.cells.positions);
  const auto origins = Kokkos::create_mirror_view(Kokkos::HostSpace(), state.origins);
  const auto moves = Kokkos::create_mirror_view(Kokkos::HostSpace(), state.moves);
  const float* next = c.positions.data();
  const std::uint8_t* count = c.counts.data();
  for (int r = 0; r < g.replicas; ++r) {
    for (int y = 0; y < g.rows; ++y)
      for (int x = 0; x < g.columns; ++x, ++count) {
        if (*count > most_in_a_cell) throw InputError("the disks overlap: there are five in a cell that holds four");
        const auto cell = static_cast<std::size_t>(g.index(r, x, y));
        counts(cell) = *count;
        const auto place = [&](int slot) -> Position& {
          return positions(static_cast<std::size_t>(state.cells.place(slot, static_cast<std::int64_t>(cell))));
        };
        for (int slot = *count; slot < most_in_a_cell; ++slot) place(slot) = absent;
        for (int slot = 0; slot < *count; ++slot, next += 2) place(slot) = {next[0], next[1]};
        if (state.cells.arrangement == Arrangement::pairs && *count > 2) place(0).y = -place(0).y;
      }
    const auto at = static_cast<std::size_t>(r);
    origins(at) = {c.origins[2 * at], c.origins[2 * at + 1]};
    moves(at) = {c.moves[2 * at], c.moves[2 * at + 1]};
  }
  Kokkos::deep_copy(space, state.cells.counts, counts);
  Kokkos::deep_copy(space, state.cells.positions, positions);
  Kokkos::deep_copy(space, state.origins, origins);
  Kokkos::deep_copy(space, state.moves, moves);
  space.fence("tessera::disks::put_contents");
}

/// Sorts points into the cells: `points[r]` are those of replica r in a box of sides (box_x, box_y), which is stretched
/// by the little that the grid's box differs. In each cell the disks have the order of the points.
inline Contents contents_from(const std::vector<std::vector<Point>>& points, double box_x, double box_y,
                              const Geometry& g) {
  Contents c;
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
inline std::vector<std::vector<Point>> points_of(const Contents& c, const Geometry& g) {
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
