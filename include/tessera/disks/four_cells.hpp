// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <cstring>
#include <tessera/disks/state.hpp>
#include <tessera/disks/vectors.hpp>

namespace tessera::disks {

/// Every other cell of a row lies side by side with the next: a line of columns / 2 cells, periodic.
struct Line {
  std::int64_t begin;  ///< its first cell
  int length;
};
inline Line line_of(const Geometry& g, int replica, int row, int parity) {
  return {g.index(replica, parity, row), g.columns / 2};
}

/// Numbers of disks of four cells, a byte each.
struct FourCounts {
  std::uint32_t bytes;

  /// Whether a cell has a disk in this slot.
  bool any_in(int slot) const {
    static_assert(most_in_a_cell == 4);
    return ((bytes + static_cast<std::uint32_t>(most_in_a_cell - 1 - slot) * 0x01010101u) & 0x04040404u) != 0;
  }
  /// The number of slots in which a cell has a disk.
  int slots() const {
    int slot = 0;
    while (slot < most_in_a_cell && any_in(slot)) ++slot;
    return slot;
  }
};

/// Four cells of a line, where they are stored, or copies of them if they go around its end.
template <class MemorySpace>
class FourCells {
 public:
  /// Cells first .. first + count - 1, first >= -1, first + count <= length + 1; those beyond have no disks.
  FourCells(const Cells<MemorySpace>& cells, const Line& line, int first, int count) {
    if (first >= 0 && first + vector_lanes <= line.length) {
      std::memcpy(&counts_.bytes, &cells.counts(line.begin + first), vector_lanes);
      disks_ = &cells.position(0, line.begin + first);
      next_slot_ = cells.geometry.all_cells();
    } else {
      copy(cells, line, first, count);
    }
  }
  FourCells(const FourCells&) = delete;
  FourCells& operator=(const FourCells&) = delete;

  const FourCounts& counts() const { return counts_; }
  DisksOfLanes disks(int slot) const { return load_disks(disks_ + slot * next_slot_); }

 private:
  void copy(const Cells<MemorySpace>& cells, const Line& line, int first, int count) {
    std::uint8_t counts[vector_lanes] = {};
    for (int l = 0; l < count; ++l) {
      const int at = first + l;
      const std::int64_t cell = line.begin + (at < 0 ? at + line.length : at < line.length ? at : at - line.length);
      counts[l] = cells.counts(cell);
      for (int slot = 0; slot < most_in_a_cell; ++slot) copies_[slot][l] = cells.position(slot, cell);
    }
    for (int l = count; l < vector_lanes; ++l)
      for (auto& slot : copies_) slot[l] = {0, 0};
    std::memcpy(&counts_.bytes, counts, vector_lanes);
    disks_ = copies_[0];
    next_slot_ = vector_lanes;
  }

  FourCounts counts_{};
  const Position* disks_ = nullptr;  ///< in slot 0
  std::int64_t next_slot_ = 0;       ///< from there to the next one
  Position copies_[most_in_a_cell][vector_lanes];
};

/// The first `count` of four disks go to the cells that begin at `to`.
inline void write_disks(const DisksOfLanes& disks, int count, Position* to) {
  if (count == vector_lanes) {
    store_disks(disks, to);
  } else {
    for (int l = 0; l < count; ++l) to[l] = {disks.x[l], disks.y[l]};
  }
}

}  // namespace tessera::disks
