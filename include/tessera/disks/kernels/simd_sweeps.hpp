// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <tessera/disks/kernels/bands.hpp>
#include <tessera/disks/kernels/shift_cell.hpp>
#include <tessera/disks/kernels/simd_cells.hpp>
#include <tessera/disks/kernels/simd_update.hpp>
#include <tessera/disks/kernels/simd_vectors.hpp>
#include <tessera/disks/state/state.hpp>
#include <tessera/disks/state/sweep_plan.hpp>

/// Sweeps on a CPU, four cells per SIMD vector, in one parallel region. Bands of rows wait only for neighbouring bands.
namespace tessera::disks {

/// Algorithm 4 on a CPU for the cells of one parity in a row, four at a time.
inline void shift_simd(const HostCells& from, const HostCells& to, const SweepPlan& plan, int replica, int y,
                       int parity) {
#if !defined(__CUDA_ARCH__)  // nvcc rejects vectors in device code
  const Geometry& g = from.geometry;
  const bool along_x = plan.direction < 2;
  const CellShift shift(plan, g);
  const Line line = line_of(g, replica, y, parity);
  const Line beside = along_x ? line_of(g, replica, y, 1 - parity)
                              : line_of(g, replica, g.wrap_row(shift.forward ? y + 1 : y - 1), parity);
  const int ahead = along_x ? parity - (shift.forward ? 0 : 1) : 0;
  const StoredCells source(from), target(to);
  for (int first = 0; first < line.length; first += vector_lanes) {
    const int count = line.length - first < vector_lanes ? line.length - first : vector_lanes;
    const FourCells own(source, line, first, count), others(source, beside, first + ahead, count);
    NeighbourLists lists;
    for (int slot = 0; slot < most_in_a_cell; ++slot) lists.clear(slot);
    const auto take = [&](const FourCells& cells, const Integers& n, int slot, bool enter) {
      const SimdDisks d = cells.disks(slot);
      const auto add = [&](const Integers& mask, const SimdDisks& disk) { lists.append(mask, disk); };
      enter ? shift.take(n > slot, d, add) : shift.keep(n > slot, d, add);
    };
    for (const bool enter : {false, true}) {
      const FourCells& cells = enter ? others : own;
      const Integers n = unpack(cells.counts());
      take(cells, n, 0, enter);
      take(cells, n, 1, enter);
      if (cells.any_in(2)) take(cells, n, 2, enter);
      if (cells.any_in(3)) take(cells, n, 3, enter);
    }
    const std::int64_t cell = line.begin + first;
    int most = 0;
    for (int l = 0; l < count; ++l) {
      const int size = lists.sizes()[l];
      most = size > most ? size : most;
      target.counts[cell + l] = static_cast<std::uint8_t>(size);
    }
    if (most > most_in_a_cell) {
      // Outer ghosts take disks from cells that are not their neighbours in the grid; they are not used afterwards.
      most = most_in_a_cell;
      for (int l = 0; l < count; ++l) {
        if (target.counts[cell + l] <= most_in_a_cell) continue;
        if (g.owns(2 * (first + l) + parity, y))
          Kokkos::abort("tessera::disks: more than four disks in a cell, so that some of them overlap");
        target.counts[cell + l] = most_in_a_cell;
      }
    }
    for (int slot = 0; slot < most; ++slot)
      write_disks(lists.at(slot), count, target.positions + slot * target.next_slot + cell);
  }
#endif
}

/// Makes sweeps with the plans first .. first + count - 1, each into the other buffer. `bands`: 0: several per thread.
template <class ExecutionSpace, class Plans, class Radii>
void sweep_simd(const ExecutionSpace& space, const State<Kokkos::HostSpace>& state, const Plans& plans, int first,
                int count, const MoveRules& common, const Radii& radii, int bands) {
  constexpr int steps = 5;  // four sub-sweeps and the shift
  const HostCells buffers[2] = {state.cells, state.shifted};
  const auto moves = state.moves;
  const int pairs_of_replica = state.geometry().rows / 2;
  const int workers = space.concurrency();
  constexpr int bands_of_worker = 8;
  Bands work(pairs_of_replica, state.geometry().replicas, bands > 0 ? bands : bands_of_worker * workers, steps * count);
  const auto make_step = [&](const RowPairs& rows, int number) {
    const int sweep = number / steps, sub_sweep = number % steps, replica = rows.replica;
    const HostCells &cells = buffers[sweep % 2], &shifted = buffers[1 - sweep % 2];
    const SweepPlan plan = plans(first + sweep, replica);
    if (sub_sweep == steps - 1) {
      for (int row = 2 * rows.begin; row < 2 * rows.end; ++row)
        for (const int parity : {0, 1}) shift_simd(cells, shifted, plan, replica, row, parity);
      return;
    }
    const MoveRules rules{common.moves, radii(replica), common.shuffle_particles};
    MoveCount made;
    const int set = plan.set(sub_sweep), in_row = cells.geometry.columns / 2;
    for (int pair = rows.begin; pair < rows.end; ++pair)
      for (int i = 0; i < in_row; i += vector_lanes)
        made += update_simd(cells, plan, rules,
                            {replica, 2 * pair + (set >> 1), set & 1, i, std::min(in_row - i, vector_lanes)});
    Kokkos::atomic_add(&moves(replica).tried, made.tried);
    Kokkos::atomic_add(&moves(replica).accepted, made.accepted);
  };
  Kokkos::parallel_for("tessera::disks::sweep_bands", Kokkos::RangePolicy<ExecutionSpace>(space, 0, workers),
                       [&](int worker) { work.work(worker, workers, make_step); });
  space.fence("tessera::disks::sweep_bands");
}

}  // namespace tessera::disks
