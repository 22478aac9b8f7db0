// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <tessera/core/host_array.hpp>
#include <tessera/disks/state/cell_layout.hpp>
#include <tessera/disks/state/state.hpp>
#include <vector>

namespace tessera::disks {

/// Host copy of the disks of all replicas (on a rank: in its own cells), in the order replica, row, column, slot.
struct Configuration {
  std::vector<std::uint8_t> counts;   ///< [replicas, rows, columns]
  std::vector<float> positions;       ///< [disks, 2]
  std::vector<std::int64_t> origins;  ///< [replicas, 2]
  std::vector<std::uint64_t> moves;   ///< [replicas, 2]: tried, accepted since sweep 0

  bool operator==(const Configuration&) const = default;  ///< bit for bit
};

/// A point of a box, in sigma.
using Point = std::array<double, 2>;

/// The cell with this number among the owned cells, in the order replica, row, column.
struct NumberedCell {
  int replica, x, y;    ///< replica, column and row
  std::int64_t stored;  ///< index in memory

  /// `number`: less than Geometry::all_own_cells().
  KOKKOS_FORCEINLINE_FUNCTION NumberedCell(const Geometry& g, std::int64_t number) {
    const int own_columns = g.own_columns(), own_rows = g.own_rows();
    const std::int64_t all_rows = number / own_columns;
    replica = static_cast<int>(all_rows / own_rows);
    y = g.ghost_y + static_cast<int>(all_rows - std::int64_t{replica} * own_rows);
    x = g.ghost_x + static_cast<int>(number - all_rows * own_columns);
    stored = g.index(replica, x, y);
  }
};

/// Number of coordinates of all disks, from the number of disks in each cell.
inline std::size_t coordinates_of(std::span<const std::uint8_t> counts) {
  return 2 * std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

/// Writes the disks disk(0) .. disk(number - 1) to the cell stored at `cell`.
template <class MemorySpace, class Disk>
KOKKOS_FORCEINLINE_FUNCTION void put_disks(const Cells<MemorySpace>& cells, std::int64_t cell, int number,
                                           const Disk& disk) {
  cells.counts(cell) = static_cast<std::uint8_t>(number);
  for (int slot = 0; slot < most_in_a_cell; ++slot) {
    Position p = slot < number ? disk(slot) : absent;
    if (slot == 0 && number > 2 && cells.arrangement == Arrangement::pairs) p.y = -p.y;
    cells.positions(cells.index(slot, cell)) = p;
  }
}

/// Copies the disks of a state to the host.
template <class ExecutionSpace, class MemorySpace>
Configuration configuration_of(const ExecutionSpace& space, const State<MemorySpace>& state) {
  const Cells<MemorySpace> cells = state.cells;
  const Geometry g = cells.geometry;
  Configuration c;
  c.origins.resize(2 * state.origins.size());
  c.moves.resize(2 * state.moves.size());
  c.counts.resize(static_cast<std::size_t>(g.all_own_cells()));
  const auto counts = Kokkos::create_mirror_view(Kokkos::WithoutInitializing, MemorySpace(), host_array(c.counts));
  const Indices<ExecutionSpace> all(space, 0, g.all_own_cells());
  Kokkos::parallel_for(
      "tessera::disks::count_disks", all,
      KOKKOS_LAMBDA(std::int64_t number) { counts(number) = cells.counts(NumberedCell(g, number).stored); });
  copy_and_wait(space, host_array(c.counts), counts);
  c.positions.resize(coordinates_of(c.counts));
  const auto host_positions = host_array(viewed_as<Position>(c.positions));
  const auto positions = Kokkos::create_mirror_view(Kokkos::WithoutInitializing, MemorySpace(), host_positions);
  Kokkos::parallel_scan(
      "tessera::disks::configuration_of", all, KOKKOS_LAMBDA(std::int64_t number, std::int64_t & disks, bool last) {
        const std::int64_t cell = NumberedCell(g, number).stored;
        const int n = counts(number);
        for (int slot = 0; slot < n && last; ++slot) positions(disks + slot) = cells.position(slot, cell);
        disks += n;
      });
  copy_and_wait(space, host_positions, positions);
  copy_and_wait(space, host_array(viewed_as<Origin>(c.origins)), state.origins);
  copy_and_wait(space, host_array(viewed_as<MoveCount>(c.moves)), state.moves);
  return c;
}

/// Copies the disks of a configuration to a state. The counts must be at most four, and their sum the number of
/// positions. Returns the number of disks that are outside their cells or not at multiples of `step`.
template <class ExecutionSpace, class MemorySpace>
std::int64_t put_configuration(const ExecutionSpace& space, const Configuration& c, const State<MemorySpace>& state) {
  const Cells<MemorySpace> cells = state.cells;
  const Geometry g = cells.geometry;
  const auto counts = Kokkos::create_mirror_view_and_copy(MemorySpace(), host_array(c.counts));
  const auto positions =
      Kokkos::create_mirror_view_and_copy(MemorySpace(), host_array(viewed_as<Position>(c.positions)));
  Kokkos::parallel_scan(
      "tessera::disks::put_configuration", Indices<ExecutionSpace>(space, 0, g.all_own_cells()),
      KOKKOS_LAMBDA(std::int64_t number, std::int64_t & disks, bool last) {
        const int n = counts(number);
        if (last)
          put_disks(cells, NumberedCell(g, number).stored, n, [&](int slot) { return positions(disks + slot); });
        disks += n;
      });
  copy_and_wait(space, state.origins, host_array(viewed_as<Origin>(c.origins)));
  copy_and_wait(space, state.moves, host_array(viewed_as<MoveCount>(c.moves)));
  std::int64_t strays = 0;
  Kokkos::parallel_reduce(
      "tessera::disks::count_strays", Indices<ExecutionSpace>(space, 0, static_cast<std::int64_t>(positions.size())),
      KOKKOS_LAMBDA(std::int64_t disk, std::int64_t & sum) { sum += on_grid(g, positions(disk)) ? 0 : 1; }, strays);
  return strays;
}

}  // namespace tessera::disks
