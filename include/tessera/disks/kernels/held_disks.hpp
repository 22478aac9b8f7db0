// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <tessera/disks/state/numbers.hpp>
#include <tessera/disks/state/state.hpp>

/// An active cell whose disks, and those around it, have fixed slots: in SIMD vectors on CPUs, or in registers on GPUs.
namespace tessera::disks {

/// Position in an empty slot: more than sigma away from all disks, also in the coordinates of neighbouring cells.
inline constexpr Position nowhere{16, 16};

/// A disk at p with p.p + 4. Its squared distance to a point t in the cell is p.p - 2 p.t + t.t. The last term, below
/// 4, is the same for all disks and left out of comparisons; with the added 4 the compared values are not negative.
template <class Number>
struct DiskAtHand {
  static constexpr float raised = 4;
  Number x, y, square;

  KOKKOS_FORCEINLINE_FUNCTION void put(const Number& at_x, const Number& at_y) {
    x = at_x;
    y = at_y;
    square = about_sum(x, x, about_sum(y, y, Number{} + raised));
  }
  /// Squared distance to t, minus t.t, plus 4.
  KOKKOS_FORCEINLINE_FUNCTION Number distance(const Number& minus_2x, const Number& minus_2y) const {
    return about_sum(x, minus_2x, about_sum(y, minus_2y, square));
  }
};

/// Functions that update_cell.hpp requires of a cell, for a `Cell` with near_count() disks near(k) around it, a
/// multiple of `chains`, and own_count() disks own(i) in it, whose numbers are own_number(i).
template <class Cell>
struct HeldDisks {
  template <class Index, class Number>
  KOKKOS_FORCEINLINE_FUNCTION Number nearest(const Index& moved, const Number& x, const Number& y) const {
    const Cell& cell = static_cast<const Cell&>(*this);
    constexpr int chains = Cell::chains;
    constexpr float far = 16;
    const Number minus_2x = x * -2.0f, minus_2y = y * -2.0f;
    auto key = order_key(Number{} + far);
    decltype(key) closest[chains];
    for (int c = 0; c < chains; ++c) closest[c] = key;
    for (int k = 0; k < cell.near_count(); k += chains)
      for (int c = 0; c < chains; ++c)
        closest[c] = lesser(order_key(cell.near(k + c).distance(minus_2x, minus_2y)), closest[c]);
    for (int i = 0; i < cell.own_count(); ++i)
      closest[i % chains] =
          lesser(order_key(far_where(moved == cell.own_number(i), cell.own(i).distance(minus_2x, minus_2y))),
                 closest[i % chains]);
    for (int c = 0; c < chains; ++c) key = lesser(closest[c], key);
    return of_order_key(key) + about_sum(x, x, about_sum(y, y, Number{} - DiskAtHand<Number>::raised));
  }
  template <class Test>
  KOKKOS_FORCEINLINE_FUNCTION bool any_other(int moved, const Test& test) const {
    const Cell& cell = static_cast<const Cell&>(*this);
    for (int i = 0; i < cell.own_count(); ++i)
      if (moved != cell.own_number(i) && test(cell.own(i))) return true;
    for (int k = 0; k < cell.near_count(); ++k)
      if (test(cell.near(k))) return true;
    return false;
  }
  template <class Index, class Disk, class Number, class Mask>
  KOKKOS_FORCEINLINE_FUNCTION void put(const Index& moved, const Disk&, const Number& x, const Number& y,
                                       const Mask& goes) {
    Cell& cell = static_cast<Cell&>(*this);
    DiskAtHand<Number> to;
    to.put(x, y);
    for (int i = 0; i < cell.own_count(); ++i) {
      const Mask here = goes & (moved == cell.own_number(i));
      auto& disk = cell.own(i);
      disk.x = select(here, to.x, disk.x);
      disk.y = select(here, to.y, disk.y);
      disk.square = select(here, to.square, disk.square);
    }
  }
};

}  // namespace tessera::disks
