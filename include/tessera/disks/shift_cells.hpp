// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/disks/state.hpp>
#include <tessera/disks/sweep_plan.hpp>

namespace tessera::disks {

/// What the shift of a sweep does to the coordinates that it is along, x or y.
struct CoordinateShift {
  bool forward;    ///< to larger coordinates go the cells, and disks come from the next one
  float side;      ///< of a cell
  float change;    ///< of all coordinates
  float entering;  ///< further change of those that come from the neighbour

  KOKKOS_FORCEINLINE_FUNCTION CoordinateShift(const SweepPlan& plan, bool along_x, const Geometry& g)
      : forward((plan.direction & 1) != 0),
        side(along_x ? g.cell_width() : g.cell_height()),
        change(forward ? -plan.shift : plan.shift),
        entering(forward ? side : -side) {}
};

/// Algorithm 4 for one cell: collects from the cell and from its neighbour in the direction of the shift the disks that
/// are in the cell once the grid has moved by `plan.shift`. All of its arithmetic is exact, so that the two cells that
/// decide about a disk cannot disagree.
template <class MemorySpace>
KOKKOS_FORCEINLINE_FUNCTION void shift_cell(const Cells<MemorySpace>& from, const Cells<MemorySpace>& to,
                                            const SweepPlan& plan, int replica, int x, int y) {
  const Geometry& g = from.geometry;
  const bool along_x = plan.direction < 2;
  const CoordinateShift shift(plan, along_x, g);
  const int ahead = shift.forward ? 1 : -1;
  const std::int64_t cell = g.index(replica, x, y);
  const std::int64_t neighbour =
      along_x ? g.index(replica, g.wrap_column(x + ahead), y) : g.index(replica, x, g.wrap_row(y + ahead));
  const int own = from.counts(cell), others = from.counts(neighbour);
  int n = 0;
  for (int i = 0; i < most_in_a_cell; ++i) {
    if (i >= own) break;
    Position p = from.position(i, cell);
    float& moved = along_x ? p.x : p.y;
    moved += shift.change;
    if (moved >= 0 && moved < shift.side) to.position(n++, cell) = p;
  }
  for (int i = 0; i < most_in_a_cell; ++i) {
    if (i >= others) break;
    Position p = from.position(i, neighbour);
    float& moved = along_x ? p.x : p.y;
    moved += shift.change;
    if (moved >= 0 && moved < shift.side) continue;
    moved += shift.entering;
    if (n < most_in_a_cell) to.position(n, cell) = p;
    ++n;
  }
  if (n > most_in_a_cell) Kokkos::abort("tessera::disks: more than four disks in a cell, so that some of them overlap");
  to.counts(cell) = static_cast<std::uint8_t>(n);
}

}  // namespace tessera::disks
