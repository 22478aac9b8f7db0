// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <cstdint>
#include <tessera/core/host_array.hpp>
#include <tessera/disks/state/cell_layout.hpp>
#include <tessera/disks/state/state.hpp>
#include <vector>

namespace tessera::disks {

/// The disks of all replicas on the host, cell by cell: replica, row, column, slot. Columns are in their natural order.
/// For a rank, only the cells that it owns.
struct Configuration {
  std::vector<std::uint8_t> counts;   ///< [replicas, rows, columns]
  std::vector<float> positions;       ///< [disks, 2]
  std::vector<std::int64_t> origins;  ///< [replicas, 2]
  std::vector<std::uint64_t> moves;   ///< [replicas, 2]: tried, accepted since sweep 0

  bool operator==(const Configuration&) const = default;
};

/// A point of a box, in sigma.
using Point = std::array<double, 2>;

/// A cell by its number in the natural order of the owned cells: replica, row, column.
struct NumberedCell {
  int replica, x, y;
  std::int64_t stored;  ///< index in memory

  KOKKOS_FORCEINLINE_FUNCTION NumberedCell(const Geometry& g, std::int64_t number) {
    const int own_columns = g.own_columns(), own_rows = g.own_rows();
    const std::int64_t all_rows = number / own_columns;
    replica = static_cast<int>(all_rows / own_rows);
    y = g.ghost_y + static_cast<int>(all_rows - std::int64_t{replica} * own_rows);
    x = g.ghost_x + static_cast<int>(number - all_rows * own_columns);
    stored = g.index(replica, x, y);
  }
};

/// Number of disks in all owned cells.
template <class ExecutionSpace, class MemorySpace>
std::int64_t count_disks(const ExecutionSpace& space, const Cells<MemorySpace>& cells) {
  std::int64_t disks = 0;
  const Geometry g = cells.geometry;
  Kokkos::parallel_reduce(
      "tessera::disks::count_disks", Indices<ExecutionSpace>(space, 0, g.all_own_cells()),
      KOKKOS_LAMBDA(std::int64_t number, std::int64_t & sum) { sum += cells.counts(NumberedCell(g, number).stored); },
      disks);
  return disks;
}

/// Writes `number` disks, disk(slot), to the cell stored at `cell`.
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
  const auto replicas = static_cast<std::size_t>(g.replicas);
  Configuration c;
  c.counts.resize(static_cast<std::size_t>(g.all_own_cells()));
  c.positions.resize(2 * static_cast<std::size_t>(count_disks(space, cells)));
  const auto host_counts = host_array(c.counts);
  const auto host_positions = host_array(c.positions);
  const auto counts = Kokkos::create_mirror_view(Kokkos::WithoutInitializing, MemorySpace(), host_counts);
  const auto positions = Kokkos::create_mirror_view(Kokkos::WithoutInitializing, MemorySpace(), host_positions);
  Kokkos::parallel_scan(
      "tessera::disks::configuration_of", Indices<ExecutionSpace>(space, 0, g.all_own_cells()),
      KOKKOS_LAMBDA(std::int64_t number, std::int64_t & disks, bool last) {
        const std::int64_t cell = NumberedCell(g, number).stored;
        const int n = cells.counts(cell);
        if (last) {
          counts(number) = static_cast<std::uint8_t>(n);
          for (int slot = 0; slot < n; ++slot) {
            const Position p = cells.position(slot, cell);
            positions(2 * (disks + slot)) = p.x;
            positions(2 * (disks + slot) + 1) = p.y;
          }
        }
        disks += n;
      });
  copy_and_wait(space, host_counts, counts);
  copy_and_wait(space, host_positions, positions);
  const auto origins = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), state.origins);
  const auto moves = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), state.moves);
  for (std::size_t r = 0; r < replicas; ++r) {
    c.origins.insert(c.origins.end(), {origins(r).x, origins(r).y});
    c.moves.insert(c.moves.end(), {moves(r).tried, moves(r).accepted});
  }
  return c;
}

/// Copies the disks of a configuration to a state. The number of positions must equal the sum of the counts, none of
/// which may exceed four. Returns the number of disks that are outside their cells or not at a multiple of `step`.
template <class ExecutionSpace, class MemorySpace>
std::int64_t put_configuration(const ExecutionSpace& space, const Configuration& c, const State<MemorySpace>& state) {
  const Cells<MemorySpace> cells = state.cells;
  const Geometry g = cells.geometry;
  const auto counts = Kokkos::create_mirror_view_and_copy(MemorySpace(), host_array(c.counts));
  const auto positions = Kokkos::create_mirror_view_and_copy(MemorySpace(), host_array(c.positions));
  Kokkos::parallel_scan(
      "tessera::disks::put_configuration", Indices<ExecutionSpace>(space, 0, g.all_own_cells()),
      KOKKOS_LAMBDA(std::int64_t number, std::int64_t & disks, bool last) {
        const int n = counts(number);
        if (last)
          put_disks(cells, NumberedCell(g, number).stored, n, [&](int slot) {
            return Position{positions(2 * (disks + slot)), positions(2 * (disks + slot) + 1)};
          });
        disks += n;
      });
  const auto origins = Kokkos::create_mirror_view(Kokkos::HostSpace(), state.origins);
  const auto moves = Kokkos::create_mirror_view(Kokkos::HostSpace(), state.moves);
  for (std::size_t r = 0; r < static_cast<std::size_t>(g.replicas); ++r) {
    origins(r) = {c.origins[2 * r], c.origins[2 * r + 1]};
    moves(r) = {c.moves[2 * r], c.moves[2 * r + 1]};
  }
  Kokkos::deep_copy(space, state.origins, origins);
  Kokkos::deep_copy(space, state.moves, moves);
  std::int64_t strays = 0;
  Kokkos::parallel_reduce(
      "tessera::disks::count_strays",
      Indices<ExecutionSpace>(space, 0, static_cast<std::int64_t>(positions.size() / 2)),
      KOKKOS_LAMBDA(std::int64_t disk, std::int64_t & sum) {
        sum += on_grid(g, {positions(2 * disk), positions(2 * disk + 1)}) ? 0 : 1;
      },
      strays);
  return strays;
}

}  // namespace tessera::disks
