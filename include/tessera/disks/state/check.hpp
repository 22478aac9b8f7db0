// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>
#include <tessera/analysis/exact_sums.hpp>
#include <tessera/core/error.hpp>
#include <tessera/core/host_array.hpp>
#include <tessera/disks/configuration.hpp>
#include <tessera/disks/state/state.hpp>
#include <tessera/parallel/communicator.hpp>

namespace tessera::disks {

/// Invariants of all replicas together.
struct Census {
  std::uint64_t disks = 0;
  std::uint64_t overlaps = 0;  ///< overlapping pairs
  std::uint64_t outside = 0;   ///< disks outside their cell, or not at a multiple of `step`
};

/// Counts all disks, and tests all pairs exactly. Collective.
template <class ExecutionSpace, class MemorySpace>
Census take_census(const ExecutionSpace& space, const Cells<MemorySpace>& cells,
                   const parallel::Communicator& ranks = {}) {
  analysis::ExactSums<3> total;  // as in a Census
  const Geometry g = cells.geometry;
  Kokkos::parallel_reduce(
      "tessera::disks::take_census", Indices<ExecutionSpace>(space, 0, g.all_own_cells()),
      KOKKOS_LAMBDA(std::int64_t number, analysis::ExactSums<3> & sum) {
        const NumberedCell cell(g, number);
        const int n = cells.counts(cell.stored);
        sum.value[0] += static_cast<std::uint64_t>(n);
        for (int a = 0; a < n && a < most_in_a_cell; ++a) {
          const Position p = cells.position(a, cell.stored);
          if (!on_grid(g, p)) ++sum.value[2];
          for (int j = -1; j <= 1; ++j)
            for (int i = -1; i <= 1; ++i) {
              const std::int64_t other_cell = g.index(cell.replica, g.wrap_column(cell.x + i), g.wrap_row(cell.y + j));
              for (int b = 0; b < cells.counts(other_cell) && b < most_in_a_cell; ++b) {
                if (i == 0 && j == 0 && a == b) continue;
                const Position q = cells.position(b, other_cell);
                if (overlap(q.x - p.x + static_cast<float>(i) * g.cell_width(),
                            q.y - p.y + static_cast<float>(j) * g.cell_height()))
                  ++sum.value[1];  // counted from both disks
              }
            }
        }
      },
      Kokkos::Sum<analysis::ExactSums<3>>(total));
  ranks.sum(total.value);
  return {total.value[0], total.value[1] / 2, total.value[2]};
}

/// Throws RunError unless there are `expected` disks, all in their cells, and none overlap. Collective.
template <class ExecutionSpace, class MemorySpace>
void require_intact(const ExecutionSpace& space, const Cells<MemorySpace>& cells, std::uint64_t expected,
                    const parallel::Communicator& ranks = {}) {
  const Census census = take_census(space, cells, ranks);
  if (census.disks == expected && census.overlaps == 0 && census.outside == 0) return;
  throw RunError("the state is damaged: " + std::to_string(census.disks) + " disks of " + std::to_string(expected) +
                 ", " + std::to_string(census.overlaps) + " overlaps, " + std::to_string(census.outside) +
                 " disks outside their cells");
}

}  // namespace tessera::disks
