// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <cstring>
#include <tessera/disks/kernels/simd_vectors.hpp>
#include <tessera/disks/state/state.hpp>

namespace tessera::disks {

/// Alternate cells of a row are contiguous in memory: a periodic line of columns / 2 cells.
struct Line {
  std::int64_t begin;  ///< its first cell
  int length;
};
inline Line line_of(const Geometry& g, int replica, int row, int parity) {
  return {g.index(replica, parity, row), g.columns / 2};
}

/// The cells of a state in memory.
struct StoredCells {
  Position* positions;
  std::uint8_t* counts;
  std::int64_t next_slot;  ///< distance from a slot of a cell to its next slot

  template <class MemorySpace>
  explicit StoredCells(const Cells<MemorySpace>& cells)
      : positions(cells.positions.data()), counts(cells.counts.data()), next_slot(cells.geometry.all_cells()) {}
};

/// Numbers of disks of four cells, a byte each.
struct FourCounts {
  std::uint32_t bytes;

  /// Whether any cell has a disk in this slot.
  bool any_in(int slot) const {
    static_assert(most_in_a_cell == 4);
    return ((bytes + static_cast<std::uint32_t>(most_in_a_cell - 1 - slot) * 0x01010101u) & 0x04040404u) != 0;
  }
  /// The number of slots in which any cell has a disk.
  int slots() const {
    int slot = 0;
    while (slot < most_in_a_cell && any_in(slot)) ++slot;
    return slot;
  }
};

/// Four contiguous cells.
struct FourCells {
  FourCounts counts;
  const Position* in_slot_0;
  std::int64_t next_slot;  ///< distance between slots

  SimdDisks disks(int slot) const { return load_disks(in_slot_0 + slot * next_slot); }
};

/// Buffer for copies of four cells that wrap around the end of their line, and so are not contiguous.
class CopiesOfCells {
 public:
  /// Cells first .. first + count - 1, with first >= -1 and first + count <= length + 1; further cells have no disks.
  /// Returns the stored cells if they can be read in place, else copies that are valid until the next call.
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

/// Writes the first `count` of four disks to consecutive cells from `to` on.
inline void write_disks(const SimdDisks& disks, int count, Position* to) {
  if (count == vector_lanes) {
    store_disks(disks, to);
  } else {
    for (int l = 0; l < count; ++l) to[l] = {disks.x[l], disks.y[l]};
  }
}

}  // namespace tessera::disks
