// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <tessera/disks/state/geometry.hpp>
#include <tessera/disks/state/numbers.hpp>
#include <tessera/disks/state/sweep_plan.hpp>
#include <tessera/disks/state/trial_moves.hpp>

/// Algorithm 2, independent of the mapping to the hardware: a cell per GPU lane, several cells in a SIMD vector of a
/// CPU, or a cell distributed over a group of lanes. A mapping represents an active cell by a class with these members:
///
///   Number, Index, Mask      float, int and bool, or vectors of them
///   Index disks              number of disks in the cell; 0 in lanes without a cell
///   take(moved)              position of disk `moved`, which is hidden from other disks until put()
///   nearest(moved, x, y)     squared distance of (x, y) to the nearest other disk; relative error 2^-16 near sigma
///   any_other(moved, test)   whether test(disk) is true for another disk
///   put(moved, from, x, y, goes)
///                            puts disk `moved` at (x, y) if `goes` is set, else back at `from`
///   next(moved)              the next disk; the first one, Index{}, after the last
///   all(mask)                whether the mask is set in all lanes of the group
///
/// and the random choices by a class with these members:
///
///   displacement(s)          displacement of move s of the present group, at first group 0
///   draw(group, moves)       draws the moves of another group
namespace tessera::disks {

/// Fisher-Yates shuffle of n items, at most `slots`; `fraction` is the random number.
template <class Item, class Index, class Fraction>
KOKKOS_FORCEINLINE_FUNCTION void shuffle(Item* items, int slots, const Index& n, Fraction fraction) {
  for (int i = slots - 1; i > 0; --i) {
    Fraction rest = fraction;
    const Index other = select(i < n, choose(rest, i + 1), Index{} + i);
    fraction = select(i < n, rest, fraction);
    for (int k = 0; k < i; ++k) exchange(other == k, items[i], items[k]);
  }
}

/// Whether `stays` is set and disk `moved` overlaps no other disk at (x, y), by an exact test for close distances.
template <class Cell, class Index, class Number, class Mask>
KOKKOS_FORCEINLINE_FUNCTION Mask has_room(const Cell& cell, const Index& moved, const Number& x, const Number& y,
                                          const Mask& stays) {
  const Number least = cell.nearest(moved, x, y);
  Mask free = stays & (least > surely_apart);
  settle_where(stays & (least >= surely_overlap) & (least <= surely_apart), free, [&](const auto& one) {
    return !cell.any_other(one(moved), [&](const auto& disk) {
      const float dx = one(disk.x) - one(x), dy = one(disk.y) - one(y);
      return about_square(dx, dy) <= surely_apart && overlap(dx, dy);
    });
  });
  return cell.all(free);
}

/// Makes the trial moves of the cell's disks in order, rejecting those that leave it; returns the number accepted.
template <class Cell, class Chance>
KOKKOS_FORCEINLINE_FUNCTION auto make_trial_moves(Cell& cell, const Geometry& g, int moves, Chance& chance) {
  using Mask = typename Cell::Mask;
  const float w = g.cell_width(), h = g.cell_height();
  typename Cell::Index moved{};
  decltype(ones(Mask{})) accepted{};
  for (int first = 0; first < moves; first += moves_of_a_group) {
    const int some = moves - first < moves_of_a_group ? moves - first : moves_of_a_group;
    if (first > 0) chance.draw(first / moves_of_a_group, some);
    for (int s = 0; s < some; ++s) {
      const auto from = cell.take(moved), by = chance.displacement(s);
      const auto x = from.x + by.x, y = from.y + by.y;
      const Mask stays = (cell.disks > 0) & (x >= 0) & (x < w) & (y >= 0) & (y < h);
      const Mask goes = has_room(cell, moved, x, y, stays);
      cell.put(moved, from, x, y, goes);
      accepted += ones(goes);
      moved = cell.next(moved);
    }
  }
  return accepted;
}

}  // namespace tessera::disks
