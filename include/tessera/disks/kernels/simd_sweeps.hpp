// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <tessera/core/kokkos_ext/runs_on_host.hpp>
#include <tessera/disks/kernels/simd_shift.hpp>
#include <tessera/disks/kernels/simd_update.hpp>
#include <tessera/disks/state.hpp>
#include <tessera/disks/sweep_plan.hpp>

/// Sweeps on a host, four cells by SIMD.
namespace tessera::disks {

/// Updates the cells of the checkerboard set whose turn it is, which is another one in each replica. A thread has one
/// share of them, but no share has less than about `least` cells or cells of several replicas.
template <class ExecutionSpace, class MemorySpace, class Plans, class Radii>
void update_set_simd(const ExecutionSpace& space, const State<MemorySpace>& state, const Plans& plans,
                     const MoveRules& common, const Radii& radii, int sweep, int sub_sweep, int least) {
  const Cells<MemorySpace> cells = state.cells;
  const auto moves = state.moves;
  const int in_row = cells.geometry.columns / 2;
  const int fours = (in_row + vector_lanes - 1) / vector_lanes;  // in a row
  const int all = fours * (cells.geometry.rows / 2);
  const auto parts = [](std::int64_t n, std::int64_t size) { return static_cast<int>((n + size - 1) / size); };
  const int at_once = std::max(parts(least, vector_lanes),
                               std::min(all, parts(std::int64_t{all} * cells.geometry.replicas, space.concurrency())));
  const int items = parts(all, at_once);
  const std::int64_t all_items = std::int64_t{items} * cells.geometry.replicas;
  Kokkos::parallel_for(
      "tessera::disks::update_set",
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(space, 0, all_items), [=](std::int64_t i) {
        const auto replica = static_cast<int>(i / items);
        const auto begin = static_cast<int>(i - std::int64_t{replica} * items) * at_once;
        const SweepPlan plan = plans(sweep, replica);
        const int set = plan.order[sub_sweep];
        const MoveRules rules{common.moves, radii(replica), common.shuffle_particles};
        MoveCount count;
        for (int four = begin; four < begin + at_once && four < all; ++four) {
          const int row = four / fours, first = (four - row * fours) * vector_lanes;
          const int left = in_row - first;
          const MoveCount some =
              update_simd(cells, plan, rules,
                          {replica, 2 * row + (set >> 1), set & 1, first, left < vector_lanes ? left : vector_lanes});
          count.tried += some.tried;
          count.accepted += some.accepted;
        }
        Kokkos::atomic_add(&moves(replica).tried, count.tried);
        Kokkos::atomic_add(&moves(replica).accepted, count.accepted);
      });
}

/// Shifts all cells into the second buffer.
template <class ExecutionSpace, class MemorySpace, class Plans>
void shift_cells_simd(const ExecutionSpace& space, const State<MemorySpace>& state, const Plans& plans, int sweep) {
  const Cells<MemorySpace> from = state.cells, to = state.shifted;
  const int rows = from.geometry.rows;
  const std::int64_t all_lines = std::int64_t{2} * rows * from.geometry.replicas;
  Kokkos::parallel_for("tessera::disks::shift_cells",
                       Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(space, 0, all_lines),
                       [=](std::int64_t i) {
                         const auto row = static_cast<int>(i / 2), parity = static_cast<int>(i % 2);
                         const int replica = row / rows;
                         shift_simd(from, to, plans(sweep, replica), replica, row - replica * rows, parity);
                       });
}

}  // namespace tessera::disks
