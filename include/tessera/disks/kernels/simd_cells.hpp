// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <cstring>
#include <tessera/disks/kernels/simd_vectors.hpp>
#include <tessera/disks/state/state.hpp>

namespace tessera::disks {

/// The cells of one parity in a row, contiguous in memory: a periodic line of columns / 2 cells.
struct Line {
  std::int64_t begin;  ///< its first cell
  int length;
};
inline Line line_of(const Geometry& g, int replica, int row, int parity) {
  return {g.index(replica, parity, row), g.columns / 2};
}

using HostCells = Cells<Kokkos::HostSpace>;
struct StoredCells {
  Position* positions;
  std::uint8_t* counts;
  std::int64_t next_slot;  ///< distance between consecutive slots of a cell

  explicit StoredCells(const HostCells& cells)
      : positions(cells.positions.data()), counts(cells.counts.data()), next_slot(cells.geometry.all_cells()) {}
};

/// Four cells of a line: in place, or copied if they wrap around its end and are not contiguous.
class FourCells {
 public:
  /// Cells first .. first + count - 1, with first >= -1 and first + count <= length + 1; further cells have no disks.
  FourCells(const StoredCells& cells, const Line& line, int first, int count) {
    if (first < 0 || first + vector_lanes > line.length) {
      copy(cells, line, first, count);
      return;
    }
    in_slot_0_ = cells.positions + line.begin + first;
    next_slot_ = cells.next_slot;
    std::memcpy(&counts_, cells.counts + line.begin + first, vector_lanes);
  }
  FourCells(const FourCells&) = delete;

  /// Numbers of disks, one byte per cell.
  std::uint32_t counts() const { return counts_; }
  /// Whether any cell has a disk in this slot.
  bool any_in(int slot) const {
    static_assert(most_in_a_cell == 4);
    return ((counts_ + static_cast<std::uint32_t>(most_in_a_cell - 1 - slot) * 0x01010101u) & 0x04040404u) != 0;
  }
  int slots() const {
    int slot = 0;
    while (slot < most_in_a_cell && any_in(slot)) ++slot;
    return slot;
  }
  SimdDisks disks(int slot) const { return load_disks(in_slot_0_ + slot * next_slot_); }

 private:
  void copy(const StoredCells& cells, const Line& line, int first, int count) {
    std::uint8_t counts[vector_lanes] = {};
    for (auto& slot : copies_)
      for (auto& copy : slot) copy = {0, 0};
    for (int l = 0; l < count; ++l) {
      const int at = first + l;
      const std::int64_t cell = line.begin + (at < 0 ? at + line.length : at < line.length ? at : at - line.length);
      counts[l] = cells.counts[cell];
      for (int slot = 0; slot < counts[l]; ++slot) copies_[slot][l] = cells.positions[slot * cells.next_slot + cell];
    }
    in_slot_0_ = copies_[0];
    next_slot_ = vector_lanes;
    std::memcpy(&counts_, counts, vector_lanes);
  }

  std::uint32_t counts_;
  const Position* in_slot_0_;
  std::int64_t next_slot_;  ///< distance between slots
  Position copies_[most_in_a_cell][vector_lanes];
};

/// Writes the first `count` of four disks to consecutive cells.
inline void write_disks(const SimdDisks& disks, int count, Position* to) {
  if (count == vector_lanes) {
    store_disks(disks, to);
  } else {
    for (int l = 0; l < count; ++l) to[l] = {disks.x[l], disks.y[l]};
  }
}

}  // namespace tessera::disks
