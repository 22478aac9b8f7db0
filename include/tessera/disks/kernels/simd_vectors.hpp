// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <bit>
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
struct SimdDisks {
  Floats x, y;
};

inline Floats in_all_lanes(float value) { return Floats{value, value, value, value}; }

/// For each lane, a where the mask is set, else b.
inline Floats select(const Integers& mask, const Floats& a, const Floats& b) {
  return reinterpret_cast<Floats>((mask & reinterpret_cast<Integers>(a)) | (~mask & reinterpret_cast<Integers>(b)));
}
/// a, or NaN where the mask is set.
inline Floats nan_where(const Integers& mask, const Floats& a) {
  return reinterpret_cast<Floats>(mask | reinterpret_cast<Integers>(a));
}
/// b where a is NaN.
inline Floats smaller(const Floats& a, const Floats& b) { return a < b ? a : b; }
inline Floats square(const SimdDisks& a, const SimdDisks& b) {
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

/// Four bytes, the lowest first, as integers.
inline Integers unpack(std::uint32_t bytes) {
  using Bytes = std::uint8_t __attribute__((vector_size(16)));
  using Halves = std::uint16_t __attribute__((vector_size(16)));
  static_assert(std::endian::native == std::endian::little, "the first byte of an integer is its lowest");
  const auto b = reinterpret_cast<Bytes>(Integers{static_cast<std::int32_t>(bytes), 0, 0, 0});
  const auto h = reinterpret_cast<Halves>(
      __builtin_shufflevector(b, Bytes{}, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23));
  return reinterpret_cast<Integers>(__builtin_shufflevector(h, Halves{}, 0, 8, 1, 9, 2, 10, 3, 11));
}

/// Two disks and two more, each x and y.
inline SimdDisks disks_of(const Floats& a, const Floats& b) {
  return {__builtin_shufflevector(a, b, 0, 2, 4, 6), __builtin_shufflevector(a, b, 1, 3, 5, 7)};
}

/// Four positions that lie side by side in memory.
inline SimdDisks load_disks(const Position* from) {
  Floats a, b;
  std::memcpy(&a, from, sizeof(a));
  std::memcpy(&b, from + 2, sizeof(b));
  return disks_of(a, b);
}
inline void store_disks(const SimdDisks& disks, Position* to) {
  const Floats a = __builtin_shufflevector(disks.x, disks.y, 0, 4, 1, 5);
  const Floats b = __builtin_shufflevector(disks.x, disks.y, 2, 6, 3, 7);
  std::memcpy(to, &a, sizeof(a));
  std::memcpy(to + 2, &b, sizeof(b));
}

/// A list of disks for each lane.
class NeighbourLists {
 public:
  static constexpr int room = 8;

  NeighbourLists() : sizes_(in_all_lanes(0) > 0) {}

  /// Puts a disk at the origin to where number i of each list is to come.
  void clear(int i) {
    for (auto& list : disks_) list[i] = {0, 0};
  }
  /// Appends a disk where the mask is set, without a branch: what is not kept is written over next.
  void append(const Integers& mask, const SimdDisks& disks) {
    const auto a = reinterpret_cast<Words>(__builtin_shufflevector(disks.x, disks.y, 0, 4, 1, 5));
    const auto b = reinterpret_cast<Words>(__builtin_shufflevector(disks.x, disks.y, 2, 6, 3, 7));
    const std::uint64_t both[vector_lanes] = {a[0], a[1], b[0], b[1]};
    for (int l = 0; l < vector_lanes; ++l) std::memcpy(&disks_[l][sizes_[l]], &both[l], sizeof(Position));
    sizes_ -= mask;
  }
  /// Number i of each list; of those that are shorter, what has been put there.
  SimdDisks at(int i) const {
    // Two disks are loaded one by one: a core waits before it loads at once what it has just stored in parts.
    std::uint64_t both[vector_lanes];
    for (int l = 0; l < vector_lanes; ++l) std::memcpy(&both[l], &disks_[l][i], sizeof(Position));
    return disks_of(reinterpret_cast<Floats>(Words{both[0], both[1]}),
                    reinterpret_cast<Floats>(Words{both[2], both[3]}));
  }
  const Integers& sizes() const { return sizes_; }

 private:
  Position disks_[vector_lanes][room];
  Integers sizes_;
};

}  // namespace tessera::disks
