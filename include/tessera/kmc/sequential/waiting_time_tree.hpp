// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
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
/// the origin of assign(), rounded; exact times decide between equal keys. Keys are the bits of numbers that are not
/// negative, which have the order of these numbers.
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
    levels_.assign(1, Level(count));
    for (std::uint32_t cell = 0; cell < count; ++cell) levels_[0].set(cell, entry(cell, times[cell]));
    for (std::size_t nodes = count; levels_.size() == 1 || nodes > 1;) {
      const Level& children = levels_.back();
      nodes = children.keys.size() / width;
      Level parents(nodes);
      for (std::size_t i = 0; i < nodes; ++i) parents.set(i, earliest_of(children, i));
      levels_.push_back(std::move(parents));
    }
  }

  /// The cell with the earliest time.
  std::uint32_t earliest() const { return levels_.back().cells[0]; }

  double time(std::uint32_t cell) const {
    const Time& its = times_[cell];
    return its.time < far_ ? its.time - (moved_ - its.moved) : its.time;
  }

  /// Changes the time of a cell.
  void change(std::uint32_t cell, double time) {
    const Entry its = entry(cell, time), node = levels_[1].at(cell / width);
    const std::uint64_t key_before = std::exchange(levels_[0].keys[cell], its.key);
    ++changes_;
    const bool stays = its.key == never && key_before == never, is_later = node.cell != cell && node.key < its.key;
    if (!stays && !is_later) climb(its);
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
    std::size_t nodes = whole(cells), level = nodes;
    do {
      level = whole(level) / width;
      nodes += whole(level);
    } while (level > 1);
    return nodes * (sizeof(std::uint64_t) + sizeof(std::uint32_t)) + cells * sizeof(Time);
  }

 private:
  struct Entry {
    std::uint64_t key;
    std::uint32_t cell;
  };
  struct Time {
    double time;   // from far_ on it does not change with the origin
    double moved;  // the sum of all passes when it was set
  };

  static constexpr std::uint64_t never = std::uint64_t{0x7ff} << 52;  // infinity
  static constexpr std::size_t width = 8;                             // children of a node
  /// Nodes of a level, with those at infinity that complete the last children. The keys of the children of a node are
  /// in one cache line.
  struct Level {
    explicit Level(std::size_t nodes) : keys(whole(nodes), never), cells(keys.size(), ~0u) {}

    Entry at(std::size_t i) const { return {keys[i], cells[i]}; }
    void set(std::size_t i, const Entry& one) {
      keys[i] = one.key;
      cells[i] = one.cell;
    }
    std::vector<std::uint64_t> keys;
    std::vector<std::uint32_t> cells;
  };
  static std::size_t whole(std::size_t nodes) { return (nodes + width - 1) / width * width; }

  /// The entry of a cell with a new time. The keys of far times are beyond all others.
  Entry entry(std::uint32_t cell, double time) {
    times_[cell] = {time, moved_};
    if (time >= far_ && time < least_far_) least_far_ = time;
    return {Kokkos::bit_cast<std::uint64_t>(time + (time < far_ ? moved_ : far_)), cell};
  }

  bool before(const Entry& a, const Entry& b) const {
    if (a.key != b.key) return a.key < b.key;
    if (moved_ == 0 || a.key == never) return a.cell < b.cell;
    const double of_a = time(a.cell), of_b = time(b.cell);
    return of_a < of_b || (of_a == of_b && a.cell < b.cell);
  }

  /// Changes the nodes above a cell with a new entry.
  void climb(Entry its) {
    std::uint32_t was_earliest = its.cell;  // of the children
    std::size_t i = its.cell;
    for (std::size_t level = 1; level < levels_.size(); ++level) {
      i /= width;
      const Entry node = levels_[level].at(i);
      if (node.cell == was_earliest && its.key >= node.key)
        its = earliest_of(levels_[level - 1], i);
      else if (!before(its, node))
        return;
      levels_[level].set(i, its);
      was_earliest = node.cell;
    }
  }

  /// Of the children of node i, which are in the order of their cells.
  Entry earliest_of(const Level& level, std::size_t i) const {
    const std::uint64_t* const k = &level.keys[width * i];
    using std::min;
    const std::uint64_t least = min(min(min(k[0], k[1]), min(k[2], k[3])), min(min(k[4], k[5]), min(k[6], k[7])));
    unsigned equal = 0;
    for (std::size_t child = width; child-- > 0;) equal += equal + (k[child] <= least ? 1u : 0u);
    Entry earliest{least, level.cells[width * i + first_bit(equal)]};
    if (moved_ == 0 || least == never) return earliest;
    while ((equal &= equal - 1) != 0)
      if (const Entry other{least, level.cells[width * i + first_bit(equal)]}; before(other, earliest))
        earliest = other;
    return earliest;
  }
  static std::size_t first_bit(unsigned bits) {
    return static_cast<std::size_t>(Kokkos::Experimental::countr_zero_builtin(bits));
  }

  std::uint64_t changes_ = 0;  // since assign()
  double moved_ = 0;           // by how much the origin has moved since assign()
  double far_ = 0;             // 2^53 epochs
  double least_far_ = 0;       // the least time set since assign() from far_ on
  std::vector<Level> levels_;  // from the cells to the root
  std::vector<Time> times_;    // by cell
};

}  // namespace tessera::kmc
