// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <cstring>
#include <tessera/disks/state.hpp>

/// Four numbers that a core of a host computes with at once: vectors as GCC and Clang have them for every processor.
/// Comparisons give masks, in which a lane has all bits or none.
namespace tessera::disks {

inline constexpr int vector_lanes = 4;
using Floats = float __attribute__((vector_size(16)));
using Integers = std::int32_t __attribute__((vector_size(16)));
using Words = std::uint64_t __attribute__((vector_size(16)));  ///< two of them

/// A disk, or a displacement, in each lane.
struct DisksOfLanes {
  Floats x, y;
};

inline Floats in_all_lanes(float value) { return Floats{value, value, value, value}; }

/// For each lane, a where the mask is set, else b.
inline Floats select(const Integers& mask, const Floats& a, const Floats& b) {
  return reinterpret_cast<Floats>((mask & reinterpret_cast<Integers>(a)) | (~mask & reinterpret_cast<Integers>(b)));
}
/// b where a is NaN.
inline Floats smaller(const Floats& a, const Floats& b) { return a < b ? a : b; }
inline Floats square(const DisksOfLanes& a, const DisksOfLanes& b) {
  const Floats dx = a.x - b.x, dy = a.y - b.y;
  return dx * dx + dy * dy;
}

inline bool any(const Integers& mask) {
  const Words words = reinterpret_cast<Words>(mask);
  return (words[0] | words[1]) != 0;
}

/// Exchanges a and b in the lanes of the mask.
inline void exchange(const Integers& mask, Floats& a, Floats& b) {
  const Integers change = (reinterpret_cast<Integers>(a) ^ reinterpret_cast<Integers>(b)) & mask;
  a = reinterpret_cast<Floats>(reinterpret_cast<Integers>(a) ^ change);
  b = reinterpret_cast<Floats>(reinterpret_cast<Integers>(b) ^ change);
}

/// Four bytes, in the order in which they lie in memory, as integers.
inline Integers unpack(std::uint32_t bytes) {
  std::uint8_t in_memory[vector_lanes];
  std::memcpy(in_memory, &bytes, sizeof(bytes));
  return Integers{in_memory[0], in_memory[1], in_memory[2], in_memory[3]};
}

/// Four positions that lie side by side in memory.
inline DisksOfLanes load_disks(const Position* from) {
  Floats a, b;
  std::memcpy(&a, from, sizeof(a));
  std::memcpy(&b, from + 2, sizeof(b));
  return {__builtin_shufflevector(a, b, 0, 2, 4, 6), __builtin_shufflevector(a, b, 1, 3, 5, 7)};
}
inline void store_disks(const DisksOfLanes& disks, Position* to) {
  const Floats a = __builtin_shufflevector(disks.x, disks.y, 0, 4, 1, 5);
  const Floats b = __builtin_shufflevector(disks.x, disks.y, 2, 6, 3, 7);
  std::memcpy(to, &a, sizeof(a));
  std::memcpy(to + 2, &b, sizeof(b));
}

/// A list of disks for each lane.
class ListsOfLanes {
 public:
  static constexpr int room = 8;

  /// Appends a disk where the mask is set, without a branch: what is not kept is written over next.
  void append(const Integers& mask, const DisksOfLanes& disks) {
    for (int l = 0; l < vector_lanes; ++l) {
      x_[size_[l]][l] = disks.x[l];
      y_[size_[l]][l] = disks.y[l];
      size_[l] -= mask[l];
    }
  }
  void put(int i, int lane, const Position& disk) {
    x_[i][lane] = disk.x;
    y_[i][lane] = disk.y;
  }
  /// Number i of each list; of those that are shorter, anything finite.
  DisksOfLanes at(int i) const {
    DisksOfLanes disks;
    std::memcpy(&disks.x, x_[i], sizeof(disks.x));
    std::memcpy(&disks.y, y_[i], sizeof(disks.y));
    return disks;
  }
  int size(int lane) const { return size_[lane]; }

 private:
  alignas(16) float x_[room][vector_lanes] = {}, y_[room][vector_lanes] = {};
  int size_[vector_lanes] = {};
};

}  // namespace tessera::disks
