// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <limits>
#include <tessera/kmc/kernels/window.hpp>

namespace tessera::kmc {

/// The cell with the smallest waiting time, one event at a time, for a team of one lane: a binary heap of the waiting
/// times before the end of the step, which are few. A cell that is redrawn leaves its old entry in the heap, where it
/// is seen to be stale when it comes to the top. Ties: the smaller site. See event_queue.hpp for what an order has to
/// offer.
template <class StateType>
class LazyHeap {
 public:
  KOKKOS_FORCEINLINE_FUNCTION LazyHeap(const Window<StateType>& window, double, double end)
      : w_(window), end_(end), heap_(reinterpret_cast<Entry*>(window.heap)), room_(2 * window.cells) {}

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void clear(const Team&) {
    size_ = 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION void load(int cell, double time) { set(cell, time); }
  KOKKOS_FORCEINLINE_FUNCTION void set(int cell, double time) {
    w_.times[cell] = time;
    if (!(time < end_)) return;
    if (size_ == room_) return rebuild();
    rise(size_++, Entry{time, cell});
  }
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void begin(const Team&) {}
  KOKKOS_FORCEINLINE_FUNCTION int cell(int) const { return cell_; }
  /// Events come in the order of their times by construction.
  KOKKOS_FORCEINLINE_FUNCTION bool in_order(int, int) const { return true; }
  KOKKOS_FORCEINLINE_FUNCTION bool precedes(int, int) const { return true; }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int fire(const Team&) {
    while (size_ > 0) {
      const Entry top = heap_[0];
      pop();
      if (w_.times[top.cell] == top.time) {
        cell_ = top.cell;
        return 1;
      }
    }
    return 0;
  }

 private:
  struct Entry {
    double time;
    int cell;
  };
  static_assert(sizeof(Entry) == WindowLayout::heap_entry);

  KOKKOS_FORCEINLINE_FUNCTION bool before(const Entry& a, const Entry& b) const {
    return a.time < b.time || (a.time == b.time && w_.site(a.cell) < w_.site(b.cell));
  }

  KOKKOS_FORCEINLINE_FUNCTION void rise(int at, const Entry& entry) {
    while (at > 0 && before(entry, heap_[(at - 1) / 2])) {
      heap_[at] = heap_[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    heap_[at] = entry;
  }

  KOKKOS_FORCEINLINE_FUNCTION void pop() {
    const Entry last = heap_[--size_];
    int at = 0;
    for (int child = 1; child < size_; child = 2 * at + 1) {
      if (child + 1 < size_ && before(heap_[child + 1], heap_[child])) ++child;
      if (!before(heap_[child], last)) break;
      heap_[at] = heap_[child];
      at = child;
    }
    heap_[at] = last;
  }

  /// One entry for each cell with an event before the end of the step: the heap has room for two. (A cell may have
  /// several entries that are not stale, where redraws have given it the same time again.)
  KOKKOS_FUNCTION void rebuild() {
    size_ = 0;
    for (int y = 1; y < w_.side - 1; ++y)
      for (int cell = y * w_.stride + 1; cell < y * w_.stride + w_.side - 1; ++cell)
        if (w_.times[cell] < end_) rise(size_++, Entry{w_.times[cell], cell});
  }

  const Window<StateType>& w_;
  double end_;
  Entry* heap_;
  int room_;
  int size_ = 0;
  int cell_ = -1;
};

}  // namespace tessera::kmc
