// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Macros.hpp>
#include <tessera/disks/geometry.hpp>
#include <tessera/disks/sweep_plan.hpp>

namespace tessera::disks {

/// Algorithm 4: when the grid moves by `plan.shift`, a cell keeps some of its disks and takes others from its neighbour
/// in the direction of the shift. What that does to the coordinates that the shift is along, x or y: all of it is
/// exact, so that the two cells that decide about a disk cannot disagree.
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

}  // namespace tessera::disks
