// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/error.hpp>
#include <tessera/core/host_array.hpp>
#include <tessera/disks/configuration.hpp>
#include <tessera/disks/state/state.hpp>
#include <tessera/parallel/communicator.hpp>
#include <utility>
#include <vector>

/// Assignment of points of the box to cells.
namespace tessera::disks {

/// A Point in kernels.
struct BoxPoint {
  double x, y;
};

/// Points on the device, [replica][disk].
template <class MemorySpace>
struct ListedPoints {
  Kokkos::View<BoxPoint*, MemorySpace> points;
  std::int64_t particles;

  /// `replicas`: the same number of points for each replica.
  explicit ListedPoints(const std::vector<std::vector<Point>>& replicas)
      : points(Kokkos::view_alloc(Kokkos::WithoutInitializing, "tessera::disks::points"),
               replicas.size() * replicas[0].size()),
        particles(static_cast<std::int64_t>(replicas[0].size())) {
    static_assert(sizeof(BoxPoint) == sizeof(Point));
    const std::size_t n = replicas[0].size();
    for (std::size_t r = 0; r < replicas.size(); ++r)
      Kokkos::deep_copy(Kokkos::subview(points, std::pair(r * n, (r + 1) * n)),
                        host_array(viewed_as<BoxPoint>(replicas[r])));
  }

  KOKKOS_FORCEINLINE_FUNCTION BoxPoint operator()(int replica, std::int64_t i) const {
    return points(replica * particles + i);
  }
};

/// Position on the grid of a point of a box, which is scaled to the slightly different box of the grid.
struct GridPoint {
  std::int64_t x, y;  ///< in steps

  KOKKOS_FORCEINLINE_FUNCTION GridPoint(const BoxPoint& p, const BoxPoint& box, const Geometry& g)
      : x(steps(p.x, box.x, g.steps_x())), y(steps(p.y, box.y, g.steps_y())) {}

  /// Storage index of the cell; -1 if this rank does not own it.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t cell(const Geometry& g, int replica) const {
    const int column = g.column_of_grid(static_cast<int>(x / g.width));
    const int row = g.row_of_grid(static_cast<int>(y / g.height));
    return g.owns(column, row) ? g.index(replica, column, row) : -1;
  }
  KOKKOS_FORCEINLINE_FUNCTION Position position(const Geometry& g) const {
    return {static_cast<float>(x % g.width) * step, static_cast<float>(y % g.height) * step};
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static std::int64_t steps(double value, double box, std::int64_t side) {
    const double fraction = value / box - Kokkos::floor(value / box);
    const auto at = static_cast<std::int64_t>(Kokkos::floor(fraction * static_cast<double>(side)));
    return at < side ? at : side - 1;
  }
};

/// Collective, with all points at all ranks. Assigns point_of(replica, i), 0 <= i < particles, of a box with these
/// sides to the cells of a state, in the order of i within each cell. Throws InputError if a cell has more than four.
template <class ExecutionSpace, class MemorySpace, class PointOf>
void place_points(const ExecutionSpace& space, const PointOf& point_of, std::int64_t particles, const Point& sides,
                  const State<MemorySpace>& state, const parallel::Communicator& ranks = {}) {
  const Cells<MemorySpace> cells = state.cells;
  const Geometry g = cells.geometry;
  const BoxPoint box{sides[0], sides[1]};
  const auto all = static_cast<std::size_t>(g.all_cells());
  const Kokkos::View<std::uint32_t*, MemorySpace> numbers("tessera::disks::numbers", all);
  const Kokkos::View<std::uint32_t* [most_in_a_cell], Kokkos::LayoutRight, MemorySpace> members(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, "tessera::disks::members"), all);
  Kokkos::parallel_for(
      "tessera::disks::find_cells", Indices<ExecutionSpace>(space, 0, particles * g.replicas),
      KOKKOS_LAMBDA(std::int64_t number) {
        const auto replica = static_cast<int>(number / particles);
        // Reversed, so that the sorting below is used even if threads run in order.
        const std::int64_t i = (replica + 1) * particles - 1 - number;
        const std::int64_t cell = GridPoint(point_of(replica, i), box, g).cell(g, replica);
        if (cell < 0) return;
        const std::uint32_t slot = Kokkos::atomic_fetch_add(&numbers(cell), 1u);
        if (slot < most_in_a_cell) members(cell, slot) = static_cast<std::uint32_t>(i);
      });
  std::int64_t overfull_cells = 0;
  Kokkos::parallel_reduce(
      "tessera::disks::place_points", Indices<ExecutionSpace>(space, 0, g.all_cells()),
      KOKKOS_LAMBDA(std::int64_t cell, std::int64_t & sum) {
        if (numbers(cell) > most_in_a_cell) {
          ++sum;
          return;
        }
        const auto n = static_cast<int>(numbers(cell));
        for (int last = 1; last < n; ++last)
          for (int at = last; at > 0 && members(cell, at) < members(cell, at - 1); --at) {
            const std::uint32_t later = members(cell, at - 1);
            members(cell, at - 1) = members(cell, at);
            members(cell, at) = later;
          }
        const auto replica = static_cast<int>(cell / g.cells());
        put_disks(cells, cell, n,
                  [&](int slot) { return GridPoint(point_of(replica, members(cell, slot)), box, g).position(g); });
      },
      overfull_cells);
  if (ranks.sum(overfull_cells) > 0)
    throw InputError("--start: the disks overlap: five are in a cell that has room for four");
}

}  // namespace tessera::disks
