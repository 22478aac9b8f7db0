// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/kmc/kernels/window_frame.hpp>

namespace tessera::kmc {

/// The live cells of a window in the order of their waiting times, for a team of one lane: a binary heap of the times
/// before the end of the step, which are few. A cell that is redrawn leaves its old entry in the heap, where it is seen
/// to be stale when it comes to the top. Ties: the smaller site.
class LazyHeap {
 public:
  struct Entry {
    double time;
    std::int32_t site, cell;
  };

  LazyHeap() = default;
  /// For `times`, by cell, of which those before `end` count, with room for as many entries as twice the cells.
  KOKKOS_FORCEINLINE_FUNCTION LazyHeap(const double* times, Entry* entries, int room, double end)
      : times_(times), entries_(entries), room_(room), end_(end) {}

  /// Takes note of the time that live cell (x, y) of the window has got.
  KOKKOS_FORCEINLINE_FUNCTION void add(const WindowFrame& w, int x, int y) {
    const int cell = y * w.stride + x;
    if (!(times_[cell] < end_)) return;
    if (size_ == room_) return rebuild(w);
    rise(size_++, Entry{times_[cell], w.name(x, y), cell});
  }

  /// The next cell, which leaves the heap, or -1.
  KOKKOS_FORCEINLINE_FUNCTION int next() {
    while (size_ > 0) {
      const Entry top = entries_[0];
      pop();
      if (times_[top.cell] == top.time) return top.cell;
    }
    return -1;
  }

  KOKKOS_FORCEINLINE_FUNCTION int size() const { return size_; }

 private:
  /// A small window may hold a site more than once.
  KOKKOS_FORCEINLINE_FUNCTION static bool before(const Entry& a, const Entry& b) {
    if (a.time != b.time) return a.time < b.time;
    return a.site < b.site || (a.site == b.site && a.cell < b.cell);
  }

  KOKKOS_FORCEINLINE_FUNCTION void rise(int at, const Entry& entry) {
    while (at > 0 && before(entry, entries_[(at - 1) / 2])) {
      entries_[at] = entries_[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    entries_[at] = entry;
  }

  KOKKOS_FORCEINLINE_FUNCTION void pop() {
    const Entry last = entries_[--size_];
    int at = 0;
    for (int child = 1; child < size_; child = 2 * at + 1) {
      if (child + 1 < size_) child += static_cast<int>(before(entries_[child + 1], entries_[child]));
      if (!before(entries_[child], last)) break;
      entries_[at] = entries_[child];
      at = child;
    }
    entries_[at] = last;
  }

  /// One entry for each cell with an event before the end of the step: the heap has room for two. (A cell may have
  /// several entries that are not stale, where redraws have given it the same time again.)
  KOKKOS_FUNCTION void rebuild(const WindowFrame& w) {
    size_ = 0;
    for (int y = w.edge(); y < w.side - w.edge(); ++y)
      for (int x = w.edge(); x < w.side - w.edge(); ++x)
        if (const int cell = y * w.stride + x; times_[cell] < end_)
          rise(size_++, Entry{times_[cell], w.name(x, y), cell});
  }

  const double* times_ = nullptr;
  Entry* entries_ = nullptr;
  int room_ = 0;
  double end_ = 0;
  int size_ = 0;
};

}  // namespace tessera::kmc
