// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace tessera::kmc {

/// Indexed heap of the waiting times of all cells: access to the earliest time, and changes of any time in O(log
/// cells). Nodes have four children, which halves the number of levels and reduces cache misses. Among equal times the
/// smaller cell comes first, so that the order does not depend on earlier changes.
///
/// The origin of times moves without a pass over the cells (move_origin()): a time stays relative to the origin at
/// which it was set. The order does not change with the origin, so entries are in the order of `key`, the time since
/// the origin of assign(), rounded; exact times decide between equal keys.
class WaitingTimeHeap {
 public:
  /// Sets the times of cells 0, 1, ...; at least one, and fewer than 2^32 - 1. `epoch`: the origin moves by multiples
  /// of this power of two.
  void assign(std::span<const double> times, double epoch) {
    count_ = static_cast<std::uint32_t>(times.size());
    moved_ = 0;
    changes_ = 0;
    far_ = epoch * 0x1p53;
    least_far_ = std::numeric_limits<double>::infinity();
    // Three entries at infinity complete the children of the last inner entry.
    entries_.assign(times.size() + 3, Entry{std::numeric_limits<double>::infinity(), count_});
    position_.resize(times.size());
    times_.resize(times.size());
    for (std::uint32_t cell = 0; cell < count_; ++cell) {
      entries_[cell] = entry(cell, times[cell]);
      position_[cell] = cell;
    }
    for (std::uint32_t parent = (count_ + 2) / 4; parent-- > 0;) sink(parent, entries_[parent]);
  }

  /// The cell with the earliest time.
  std::uint32_t earliest() const { return entries_[0].cell; }

  double time(std::uint32_t cell) const {
    const Time& its = times_[cell];
    return its.time < far_ ? its.time - (moved_ - its.moved) : its.time;
  }

  /// Changes the time of a cell.
  void change(std::uint32_t cell, double time) {
    const std::uint32_t at = position_[cell];
    const Entry changed = entry(cell, time);
    ++changes_;
    if (std::isinf(time) && std::isinf(entries_[at].key)) return;
    if (at > 0 && before(changed, entries_[(at - 1) / 4]))
      rise(at, changed);
    else
      sink(at, changed);
  }

  /// Moves the origin by `passes`, a multiple of the epoch up to the earliest time: each time t becomes t - passes,
  /// rounded. This needs a pass over the cells only after many changes, which keeps keys exact at little cost, and
  /// where a difference is rounded: below 2^53 epochs it is exact, and far beyond `passes` it is t.
  void move_origin(double passes) {
    const double moved = moved_ + passes;
    if (changes_ <= 16 * std::uint64_t{count_} && passes <= least_far_ * 0x1p-55 && moved < far_ / 2) {
      moved_ = moved;
      return;
    }
    std::vector<double> times(count_);
    for (std::uint32_t cell = 0; cell < count_; ++cell) times[cell] = time(cell) - passes;
    assign(times, far_ * 0x1p-53);
  }

  std::size_t size() const { return count_; }
  std::size_t bytes() const { return bytes(count_); }
  /// Size of a heap of this number of cells.
  static std::size_t bytes(std::size_t cells) {
    return (cells + 3) * sizeof(Entry) + cells * (sizeof(std::uint32_t) + sizeof(Time));
  }

 private:
  struct Entry {
    double key;
    std::uint32_t cell;
  };
  struct Time {
    double time;   // from far_ on it does not change with the origin
    double moved;  // the sum of all passes when it was set
  };

  /// The entry of a cell with a new time. The keys of far times are beyond all others.
  Entry entry(std::uint32_t cell, double time) {
    times_[cell] = {time, moved_};
    if (time < far_) return {time + moved_, cell};
    if (time < least_far_) least_far_ = time;
    return {time + far_, cell};
  }

  bool before(const Entry& a, const Entry& b) const {
    if (a.key != b.key) return a.key < b.key;
    if (moved_ == 0 || std::isinf(a.key)) return a.cell < b.cell;
    const double of_a = time(a.cell), of_b = time(b.cell);
    return of_a < of_b || (of_a == of_b && a.cell < b.cell);
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
  std::uint64_t changes_ = 0;  // since assign()
  double moved_ = 0;           // by how much the origin has moved since assign()
  double far_ = 0;             // 2^53 epochs
  double least_far_ = 0;       // the least time set since assign() from far_ on
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> position_;
  std::vector<Time> times_;  // by cell
};

}  // namespace tessera::kmc
