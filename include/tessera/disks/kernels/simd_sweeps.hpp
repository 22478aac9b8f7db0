// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <tessera/core/kokkos_ext/runs_on_host.hpp>
#include <tessera/disks/kernels/bands.hpp>
#include <tessera/disks/kernels/simd_shift.hpp>
#include <tessera/disks/kernels/simd_update.hpp>
#include <tessera/disks/state/state.hpp>
#include <tessera/disks/state/sweep_plan.hpp>

/// Sweeps on a host, four cells per SIMD vector, in one parallel region. Threads have bands of rows, which wait for
/// neighbouring bands only.
namespace tessera::disks {

/// Updates the active cells in two rows of a replica, from row 2 * pair on.
template <class MemorySpace>
inline MoveCount update_rows_simd(const Cells<MemorySpace>& cells, const SweepPlan& plan, const MoveRules& rules,
                                  int set, int replica, int pair) {
  const int in_row = cells.geometry.columns / 2;
  MoveCount count;
  for (int first = 0; first < in_row; first += vector_lanes) {
    const MoveCount some = update_simd(
        cells, plan, rules, {replica, 2 * pair + (set >> 1), set & 1, first, std::min(in_row - first, vector_lanes)});
    count.tried += some.tried;
    count.accepted += some.accepted;
  }
  return count;
}

/// Makes `count` sweeps of the plans from number `first` on. Each of them shifts all cells into the other buffer.
/// `bands` is the number of bands, or 0 for several per thread.
template <class ExecutionSpace, class MemorySpace, class Plans, class Radii>
void sweep_simd(const ExecutionSpace& space, const State<MemorySpace>& state, const Plans& plans, int first, int count,
                const MoveRules& common, const Radii& radii, int bands) {
  constexpr int steps = 5;  // four sub-sweeps and the shift
  const Cells<MemorySpace> buffers[2] = {state.cells, state.shifted};
  const auto moves = state.moves;
  const int pairs_of_replica = state.geometry().rows / 2;
  const int workers = space.concurrency();
  constexpr int bands_of_worker = 8;
  Bands work(pairs_of_replica, state.geometry().replicas, bands > 0 ? bands : bands_of_worker * workers, steps * count);
  const auto make_step = [&](const RowPairs& rows, int number) {
    const int sweep = number / steps, sub_sweep = number % steps, replica = rows.replica;
    const Cells<MemorySpace>&cells = buffers[sweep % 2], &shifted = buffers[1 - sweep % 2];
    const SweepPlan plan = plans(first + sweep, replica);
    if (sub_sweep == steps - 1) {
      for (int row = 2 * rows.begin; row < 2 * rows.end; ++row)
        for (const int parity : {0, 1}) shift_simd(cells, shifted, plan, replica, row, parity);
      return;
    }
    const MoveRules rules{common.moves, radii(replica), common.shuffle_particles};
    MoveCount made;
    for (int pair = rows.begin; pair < rows.end; ++pair) {
      const MoveCount some = update_rows_simd(cells, plan, rules, plan.order[sub_sweep], replica, pair);
      made.tried += some.tried;
      made.accepted += some.accepted;
    }
    Kokkos::atomic_add(&moves(replica).tried, made.tried);
    Kokkos::atomic_add(&moves(replica).accepted, made.accepted);
  };
  Kokkos::parallel_for("tessera::disks::sweep_bands", Kokkos::RangePolicy<ExecutionSpace>(space, 0, workers),
                       [&](int worker) { work.work(worker, workers, make_step); });
  space.fence("tessera::disks::sweep_bands");
}

}  // namespace tessera::disks
