// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <tessera/disks/state/geometry.hpp>
#include <tessera/disks/state/sweep_plan.hpp>

namespace tessera::disks {

/// Algorithm 4: when the grid moves by `plan.shift`, a cell keeps some of its disks and takes others from its neighbour
/// in the direction of the shift. Arithmetic is exact, so that two cells agree on which of them has a disk.
struct CellShift {
  bool along_x;
  bool forward;    ///< cells move to larger coordinates, disks come from the next cell
  float side;      ///< of a cell
  float change;    ///< change of all coordinates
  float entering;  ///< additional change for disks from the neighbour

  KOKKOS_FORCEINLINE_FUNCTION CellShift(const SweepPlan& plan, const Geometry& g)
      : along_x(plan.direction < 2),
        forward((plan.direction & 1) != 0),
        side(along_x ? g.cell_width() : g.cell_height()),
        change(forward ? -plan.shift : plan.shift),
        entering(forward ? side : -side) {}

  /// Calls add(mask, disk) for the disks that the cell keeps.
  template <class Mask, class Disk, class Add>
  KOKKOS_FORCEINLINE_FUNCTION void keep(const Mask& present, const Disk& disk, const Add& add) const {
    const auto moved = (along_x ? disk.x : disk.y) + change;
    add(present & (moved >= 0) & (moved < side), with(disk, moved));
  }
  /// The same for disks that it takes from its neighbour.
  template <class Mask, class Disk, class Add>
  KOKKOS_FORCEINLINE_FUNCTION void take(const Mask& present, const Disk& disk, const Add& add) const {
    const auto moved = (along_x ? disk.x : disk.y) + change;
    add(present & ((moved < 0) | (moved >= side)), with(disk, moved + entering));
  }

 private:
  template <class Disk, class Number>
  KOKKOS_FORCEINLINE_FUNCTION Disk with(const Disk& disk, const Number& coordinate) const {
    return {along_x ? coordinate : disk.x, along_x ? disk.y : coordinate};
  }
};

}  // namespace tessera::disks
