// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace tessera::kmc {

/// The waiting times of all cells, and the earliest one. A tree of the earliest entries of eight nodes each: most
/// changes of a time are later than the earliest one of eight cells, and end there. Among equal times the smaller cell
/// comes first, so that the order does not depend on earlier changes.
///
/// The origin of times moves without a pass over the cells (move_origin()): a time stays relative to the origin at
/// which it was set. The order does not change with the origin, so entries are in the order of `key`, the time since
/// the origin of assign(), rounded; exact times decide between equal keys.
class WaitingTimeTree {
 public:
  /// Sets the times of cells 0, 1, ...; at least one, and fewer than 2^32 - 1. `epoch`: the origin moves by multiples
  /// of this power of two.
  void assign(std::span<const double> times, double epoch) {
    const auto count = static_cast<std::uint32_t>(times.size());
    moved_ = 0;
    changes_ = 0;
    far_ = epoch * 0x1p53;
    least_far_ = std::numeric_limits<double>::infinity();
    times_.resize(count);
    levels_.assign(1, {});
    levels_[0].reserve(whole(count));
    for (std::uint32_t cell = 0; cell < count; ++cell) levels_[0].push_back(entry(cell, times[cell]));
    while (levels_.back().size() > 1) {
      std::vector<Entry>& children = levels_.back();
      children.resize(whole(children.size()), Entry{std::numeric_limits<double>::infinity(), count});
      std::vector<Entry> nodes;
      nodes.reserve(whole(children.size() / width));
      for (std::size_t i = 0; i < children.size(); i += width) nodes.push_back(earliest_of(&children[i]));
      levels_.push_back(std::move(nodes));
    }
  }

  /// The cell with the earliest time.
  std::uint32_t earliest() const { return levels_.back()[0].cell; }

  double time(std::uint32_t cell) const {
    const Time& its = times_[cell];
    return its.time < far_ ? its.time - (moved_ - its.moved) : its.time;
  }

  /// Changes the time of a cell.
  void change(std::uint32_t cell, double time) {
    const bool never = std::isinf(time) && std::isinf(levels_[0][cell].key);
    Entry its = levels_[0][cell] = entry(cell, time);
    ++changes_;
    if (never) return;
    std::uint32_t was_earliest = cell;  // of the children
    std::size_t i = cell;
    for (std::size_t level = 1; level < levels_.size(); ++level) {
      i /= width;
      Entry& node = levels_[level][i];
      const std::uint32_t earliest = node.cell;
      if (earliest == was_earliest && !(its.key < node.key))
        node = earliest_of(&levels_[level - 1][width * i]);
      else if (before(its, node))
        node = its;
      else
        return;
      its = node;
      was_earliest = earliest;
    }
  }

  /// Moves the origin by `passes`, a multiple of the epoch up to the earliest time: each time t becomes t - passes,
  /// rounded. This needs a pass over the cells only after many changes, which keeps keys exact at little cost, and
  /// where a difference is rounded: below 2^53 epochs it is exact, and far beyond `passes` it is t.
  void move_origin(double passes) {
    const double moved = moved_ + passes;
    if (changes_ <= 16 * std::uint64_t{times_.size()} && passes <= least_far_ * 0x1p-55 && moved < far_ / 2) {
      moved_ = moved;
      return;
    }
    std::vector<double> times(times_.size());
    for (std::uint32_t cell = 0; cell < times.size(); ++cell) times[cell] = time(cell) - passes;
    assign(times, far_ * 0x1p-53);
  }

  /// Bytes in memory for this number of cells.
  static std::size_t bytes(std::size_t cells) {
    std::size_t nodes = 1;  // the root
    for (std::size_t level = cells; level > 1; level = whole(level) / width) nodes += whole(level);
    return nodes * sizeof(Entry) + cells * sizeof(Time);
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

  static constexpr std::size_t width = 8;  // children of a node
  /// Nodes of a level, with those at infinity that complete the last children.
  static std::size_t whole(std::size_t nodes) { return (nodes + width - 1) / width * width; }

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

  /// Of these children, which are in the order of their cells.
  Entry earliest_of(const Entry* children) const {
    double least = children[0].key;
    for (std::size_t i = 1; i < width; ++i) least = children[i].key < least ? children[i].key : least;
    unsigned equal = 0;
    for (std::size_t i = 0; i < width; ++i) equal |= (children[i].key == least ? 1u : 0u) << i;
    Entry earliest = children[Kokkos::Experimental::countr_zero_builtin(equal)];
    if (moved_ == 0 || std::isinf(least)) return earliest;
    while ((equal &= equal - 1) != 0) {
      const Entry& other = children[Kokkos::Experimental::countr_zero_builtin(equal)];
      if (before(other, earliest)) earliest = other;
    }
    return earliest;
  }

  std::uint64_t changes_ = 0;               // since assign()
  double moved_ = 0;                        // by how much the origin has moved since assign()
  double far_ = 0;                          // 2^53 epochs
  double least_far_ = 0;                    // the least time set since assign() from far_ on
  std::vector<std::vector<Entry>> levels_;  // from the cells to the root
  std::vector<Time> times_;                 // by cell
};

}  // namespace tessera::kmc
