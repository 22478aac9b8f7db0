// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace tessera::kmc {

/// Indexed heap of the waiting times of all cells: access to the earliest time, and changes of any time in O(log
/// cells). Nodes have four children, which halves the number of levels and reduces cache misses. Among equal times the
/// smaller cell comes first, so that the order does not depend on earlier changes.
class WaitingTimeHeap {
 public:
  struct Entry {
    double time;
    std::uint32_t cell;
  };

  /// Sets the times of cells 0, 1, ...; at least one, and fewer than 2^32 - 1.
  void assign(std::span<const double> times) {
    count_ = static_cast<std::uint32_t>(times.size());
    // Three entries at infinity complete the children of the last inner entry.
    entries_.assign(times.size() + 3, Entry{std::numeric_limits<double>::infinity(), count_});
    position_.resize(times.size());
    for (std::uint32_t cell = 0; cell < count_; ++cell) {
      entries_[cell] = {times[cell], cell};
      position_[cell] = cell;
    }
    for (std::uint32_t parent = (count_ + 2) / 4; parent-- > 0;) sink(parent, entries_[parent]);
  }

  /// The cell with the earliest time.
  const Entry& earliest() const { return entries_[0]; }

  double time(std::uint32_t cell) const { return entries_[position_[cell]].time; }

  /// Changes the time of a cell.
  void change(std::uint32_t cell, double time) {
    const std::uint32_t at = position_[cell];
    const Entry entry{time, cell};
    if (at > 0 && before(entry, entries_[(at - 1) / 4]))
      rise(at, entry);
    else
      sink(at, entry);
  }

  std::size_t size() const { return count_; }
  std::size_t bytes() const { return bytes(count_); }
  /// Size of a heap of this number of cells.
  static std::size_t bytes(std::size_t cells) { return (cells + 3) * sizeof(Entry) + cells * sizeof(std::uint32_t); }

 private:
  static bool before(const Entry& a, const Entry& b) {
    return a.time < b.time || (a.time == b.time && a.cell < b.cell);
  }

  void place(std::uint32_t at, const Entry& entry) {
    entries_[at] = entry;
    position_[entry.cell] = at;
  }

  void rise(std::uint32_t at, Entry entry) {
    while (at > 0) {
      const std::uint32_t parent = (at - 1) / 4;
      if (!before(entry, entries_[parent])) break;
      place(at, entries_[parent]);
      at = parent;
    }
    place(at, entry);
  }

  void sink(std::uint32_t at, Entry entry) {
    while (4 * at + 1 < count_) {
      const std::uint32_t first = 4 * at + 1;
      const std::uint32_t a = first + (before(entries_[first + 1], entries_[first]) ? 1 : 0);
      const std::uint32_t b = first + 2 + (before(entries_[first + 3], entries_[first + 2]) ? 1 : 0);
      const std::uint32_t child = before(entries_[b], entries_[a]) ? b : a;
      if (!before(entries_[child], entry)) break;
      place(at, entries_[child]);
      at = child;
    }
    place(at, entry);
  }

  std::uint32_t count_ = 0;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> position_;
};

}  // namespace tessera::kmc
