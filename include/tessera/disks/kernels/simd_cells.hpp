// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <cstring>
#include <tessera/disks/impl/state.hpp>
#include <tessera/disks/kernels/simd_vectors.hpp>

namespace tessera::disks {

/// Every other cell of a row lies side by side with the next: a line of columns / 2 cells, periodic.
struct Line {
  std::int64_t begin;  ///< its first cell
  int length;
};
inline Line line_of(const Geometry& g, int replica, int row, int parity) {
  return {g.index(replica, parity, row), g.columns / 2};
}

/// Where the cells of a state stand in memory.
struct StoredCells {
  Position* positions;
  std::uint8_t* counts;
  std::int64_t next_slot;  ///< from a slot of a cell to its next one

  template <class MemorySpace>
  explicit StoredCells(const Cells<MemorySpace>& cells)
      : positions(cells.positions.data()), counts(cells.counts.data()), next_slot(cells.geometry.all_cells()) {}
};

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

/// Four cells that lie side by side.
struct FourCells {
  FourCounts counts;
  const Position* in_slot_0;
  std::int64_t next_slot;  ///< from there to the next one

  SimdDisks disks(int slot) const { return load_disks(in_slot_0 + slot * next_slot); }
};

/// Room for copies of four cells that do not lie side by side, since they go around the end of their line.
class CopiesOfCells {
 public:
  /// Cells first .. first + count - 1, first >= -1, first + count <= length + 1; those beyond have no disks. Where they
  /// are stored, if they can be read there, or copies, until the next call.
  FourCells four(const StoredCells& cells, const Line& line, int first, int count) {
    if (first < 0 || first + vector_lanes > line.length) return copied(cells, line, first, count);
    FourCells there{{}, cells.positions + line.begin + first, cells.next_slot};
    std::memcpy(&there.counts.bytes, cells.counts + line.begin + first, vector_lanes);
    return there;
  }

 private:
  FourCells copied(const StoredCells& cells, const Line& line, int first, int count) {
    std::uint8_t counts[vector_lanes] = {};
    for (auto& slot : copies_)
      for (auto& copy : slot) copy = {0, 0};
    for (int l = 0; l < count; ++l) {
      const int at = first + l;
      const std::int64_t cell = line.begin + (at < 0 ? at + line.length : at < line.length ? at : at - line.length);
      counts[l] = cells.counts[cell];
      for (int slot = 0; slot < counts[l]; ++slot) copies_[slot][l] = cells.positions[slot * cells.next_slot + cell];
    }
    FourCells copies{{}, copies_[0], vector_lanes};
    std::memcpy(&copies.counts.bytes, counts, vector_lanes);
    return copies;
  }

  Position copies_[most_in_a_cell][vector_lanes];
};

/// The first `count` of four disks go to the cells that begin at `to`.
inline void write_disks(const SimdDisks& disks, int count, Position* to) {
  if (count == vector_lanes) {
    store_disks(disks, to);
  } else {
    for (int l = 0; l < count; ++l) to[l] = {disks.x[l], disks.y[l]};
  }
}

}  // namespace tessera::disks
