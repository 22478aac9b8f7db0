// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <tessera/core/kokkos_ext/lanes.hpp>
#include <tessera/disks/kernels/held_disks.hpp>
#include <tessera/disks/kernels/update_cell.hpp>
#include <tessera/disks/state/state.hpp>

namespace tessera::disks {

/// Neighbour m = 0 to 7 of a cell: 0 to 3 and 4 to 7 are on opposite sides of it.
struct Neighbour {
  int x, y;
  KOKKOS_FORCEINLINE_FUNCTION explicit Neighbour(int m) {
    const int side = m < 4 ? -1 : 1, place = m & 3;
    x = place < 3 ? place - 1 : side;
    y = place < 3 ? side : 0;
  }
};

/// An active cell whose disks and neighbours are distributed over the registers of lanes_per_cell lanes of a GPU. All
/// loops have a fixed length, so that lanes do not diverge. All lanes of a warp update cells together.
template <int lanes_per_cell>
struct LaneCell {
  using Index = int;
  using Mask = bool;
  using Groups = LaneGroups<lanes_per_cell>;
  static constexpr int neighbours = 8 / lanes_per_cell, chains = 4;
  static constexpr int number_near = neighbours * most_in_a_cell, number_own = most_in_a_cell / lanes_per_cell;

  int lane, part;  ///< lane of the warp, and its number among the lanes of the cell
  int disks;
  DiskAtHand<float> near_disks[number_near], own_disks[number_own];

  KOKKOS_FORCEINLINE_FUNCTION LaneCell(int rank, int number)
      : lane(rank % Groups::warp), part(lane / Groups::groups), disks(number) {}

  /// The cell's neighbour with number m in this lane.
  KOKKOS_FORCEINLINE_FUNCTION Neighbour neighbour(int m) const { return Neighbour(part * neighbours + m); }

  KOKKOS_FORCEINLINE_FUNCTION static constexpr int near_count() { return number_near; }
  KOKKOS_FORCEINLINE_FUNCTION const DiskAtHand<float>& near(int k) const { return near_disks[k]; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int own_count() { return number_own; }
  KOKKOS_FORCEINLINE_FUNCTION DiskAtHand<float>& own(int i) { return own_disks[i]; }
  KOKKOS_FORCEINLINE_FUNCTION const DiskAtHand<float>& own(int i) const { return own_disks[i]; }
  KOKKOS_FORCEINLINE_FUNCTION int own_number(int i) const { return part * number_own + i; }

  KOKKOS_FORCEINLINE_FUNCTION Position take(int moved) const {
    Position p{own_disks[0].x, own_disks[0].y};
    for (int i = 1; i < number_own; ++i) p = moved % number_own == i ? Position{own_disks[i].x, own_disks[i].y} : p;
    return {Groups::from(lane, p.x, moved / number_own), Groups::from(lane, p.y, moved / number_own)};
  }
  KOKKOS_FORCEINLINE_FUNCTION float nearest(int moved, float x, float y) const {
    return nearest_held(*this, moved, x, y);
  }
  template <class Test>
  KOKKOS_FORCEINLINE_FUNCTION bool any_other(int moved, const Test& test) const {
    return any_other_held(*this, moved, test);
  }
  KOKKOS_FORCEINLINE_FUNCTION void put(int moved, const Position&, float x, float y, bool goes) {
    put_held(*this, moved, x, y, goes);
  }
  KOKKOS_FORCEINLINE_FUNCTION int next(int moved) const { return moved + 1 == disks ? 0 : moved + 1; }
  KOKKOS_FORCEINLINE_FUNCTION bool all(bool free) const { return !Groups::any(lane, !free); }
};

}  // namespace tessera::disks
