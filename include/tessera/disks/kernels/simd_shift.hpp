// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/disks/kernels/shift_cell.hpp>
#include <tessera/disks/kernels/simd_cells.hpp>
#include <tessera/disks/kernels/simd_vectors.hpp>
#include <tessera/disks/state/sweep_plan.hpp>

namespace tessera::disks {

/// Algorithm 4 on a host: the cells of one parity in a row, four at a time.
template <class MemorySpace>
inline void shift_simd(const Cells<MemorySpace>& from, const Cells<MemorySpace>& to, const SweepPlan& plan, int replica,
                       int y, int parity) {
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
    CopiesOfCells own_copies, other_copies;
    const FourCells own = own_copies.four(source, line, first, count);
    const FourCells others = other_copies.four(source, beside, first + ahead, count);
    NeighbourLists lists;
    for (int slot = 0; slot < most_in_a_cell; ++slot) lists.clear(slot);
    const auto take = [&](const FourCells& cells, const Integers& n, int slot, bool enter) {
      const SimdDisks d = cells.disks(slot);
      const auto add = [&](const Integers& mask, const SimdDisks& disk) { lists.append(mask, disk); };
      enter ? shift.take(n > slot, d, add) : shift.keep(n > slot, d, add);
    };
    for (const bool enter : {false, true}) {
      const FourCells& cells = enter ? others : own;
      const Integers n = unpack(cells.counts.bytes);
      take(cells, n, 0, enter);
      take(cells, n, 1, enter);
      if (cells.counts.any_in(2)) take(cells, n, 2, enter);
      if (cells.counts.any_in(3)) take(cells, n, 3, enter);
    }
    const std::int64_t cell = line.begin + first;
    int most = 0;
    for (int l = 0; l < count; ++l) {
      const int size = lists.sizes()[l];
      most = size > most ? size : most;
      target.counts[cell + l] = static_cast<std::uint8_t>(size);
    }
    if (most > most_in_a_cell) {
      // Ghosts may take disks from cells that are not their neighbours in the grid; such ghosts are not used
      // afterwards.
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

}  // namespace tessera::disks
