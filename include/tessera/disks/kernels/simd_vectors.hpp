// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <tessera/disks/state/state.hpp>
#include <tessera/disks/state/sweep_plan.hpp>
#include <type_traits>

/// SIMD vectors of four numbers by the vector extensions of GCC and Clang, in classes for overload resolution. Lanes of
/// a mask have all bits set or none. The functions of numbers.hpp are overloaded.
namespace tessera::disks {

inline constexpr int vector_lanes = 4;
using Words = std::uint64_t __attribute__((vector_size(16)));  ///< two 64-bit words

template <class T>
struct Simd {
  using Vector [[gnu::vector_size(16)]] = T;
  using Mask = Simd<std::int32_t>;
  Vector v;

  Simd() = default;
  Simd(const Vector& vector) : v(vector) {}
  Simd(T value) : v{value, value, value, value} {}
  Simd(T a, T b, T c, T d) : v{a, b, c, d} {}

  T operator[](int lane) const { return v[lane]; }
  void set(int lane, T value) { v[lane] = value; }

  friend Simd operator+(const Simd& a, const Simd& b) { return a.v + b.v; }
  friend Simd operator-(const Simd& a, const Simd& b) { return a.v - b.v; }
  friend Simd operator*(const Simd& a, const Simd& b) { return a.v * b.v; }
  friend Simd operator&(const Simd& a, const Simd& b) { return a.v & b.v; }
  friend Simd operator|(const Simd& a, const Simd& b) { return a.v | b.v; }
  friend Simd operator^(const Simd& a, const Simd& b) { return a.v ^ b.v; }
  friend Simd operator~(const Simd& a) { return ~a.v; }
  friend Simd operator>>(const Simd& a, int bits) { return a.v >> bits; }
  friend Simd operator<<(const Simd& a, int bits) { return a.v << bits; }
  friend Mask operator==(const Simd& a, const Simd& b) { return a.v == b.v; }
  friend Mask operator<(const Simd& a, const Simd& b) { return a.v < b.v; }
  friend Mask operator<=(const Simd& a, const Simd& b) { return a.v <= b.v; }
  friend Mask operator>(const Simd& a, const Simd& b) { return a.v > b.v; }
  friend Mask operator>=(const Simd& a, const Simd& b) { return a.v >= b.v; }
  Simd& operator+=(const Simd& b) { return *this = *this + b; }
  Simd& operator-=(const Simd& b) { return *this = *this - b; }
};
using Floats = Simd<float>;
using Integers = Simd<std::int32_t>;

inline Integers bits_of(const Floats& a) { return reinterpret_cast<Integers::Vector>(a.v); }
inline Floats floats_of(const Integers& bits) { return reinterpret_cast<Floats::Vector>(bits.v); }
inline Floats to_floats(const Integers& a) { return __builtin_convertvector(a.v, Floats::Vector); }

/// A disk or a displacement in each lane.
struct SimdDisks {
  Floats x, y;
};

/// In each lane a if the mask is set, else b.
inline Integers select(const Integers& mask, const Integers& a, const Integers& b) { return (mask & a) | (~mask & b); }
inline Floats select(const Integers& mask, const Floats& a, const Floats& b) {
  return floats_of(select(mask, bits_of(a), bits_of(b)));
}
/// a, or NaN if the mask is set, which lesser() ignores.
inline Floats far_where(const Integers& mask, const Floats& a) { return floats_of(mask | bits_of(a)); }
inline Integers ones(const Integers& mask) { return Integers() - mask; }

inline Floats order_key(const Floats& a) { return a; }
inline Floats of_order_key(const Floats& a) { return a; }
/// The smaller number; b if a is NaN.
inline Floats lesser(const Floats& a, const Floats& b) { return a.v < b.v ? a.v : b.v; }
inline Floats about_sum(const Floats& a, const Floats& b, const Floats& c) { return a * b + c; }

/// Sets `result` to settle(one) in the lanes of the mask; one(value) is the value in that lane.
template <class Settle>
inline void settle_where(const Integers& mask, Integers& result, const Settle& settle) {
  const auto words = reinterpret_cast<Words>(mask.v);
  if ((words[0] | words[1]) == 0) return;
  for (int l = 0; l < vector_lanes; ++l) {
    if (mask[l] == 0) continue;
    const auto one = [l](const auto& value) {
      if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(value)>>)
        return value;
      else
        return value[l];
    };
    result.set(l, settle(one) ? -1 : 0);
  }
}

/// choose() in each lane.
inline Integers choose(Integers& fractions, int choices) {
  Integers chosen;
  for (int l = 0; l < vector_lanes; ++l) {
    auto fraction = static_cast<std::uint32_t>(fractions[l]);
    chosen.set(l, choose(fraction, choices));
    fractions.set(l, static_cast<std::int32_t>(fraction));
  }
  return chosen;
}

/// Exchanges a and b in the lanes of the mask.
inline void exchange(const Integers& mask, Floats& a, Floats& b) {
  const Integers change = (bits_of(a) ^ bits_of(b)) & mask;
  a = floats_of(bits_of(a) ^ change);
  b = floats_of(bits_of(b) ^ change);
}
inline void exchange(const Integers& mask, SimdDisks& a, SimdDisks& b) {
  exchange(mask, a.x, b.x);
  exchange(mask, a.y, b.y);
}

/// Four bytes, the lowest first, as integers.
inline Integers unpack(std::uint32_t bytes) {
  using Bytes = std::uint8_t __attribute__((vector_size(16)));
  using Halves = std::uint16_t __attribute__((vector_size(16)));
  static_assert(std::endian::native == std::endian::little, "the first byte of an integer is its lowest");
  const auto b = reinterpret_cast<Bytes>(Integers::Vector{static_cast<std::int32_t>(bytes), 0, 0, 0});
  const auto h = reinterpret_cast<Halves>(
      __builtin_shufflevector(b, Bytes{}, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23));
  return reinterpret_cast<Integers::Vector>(__builtin_shufflevector(h, Halves{}, 0, 8, 1, 9, 2, 10, 3, 11));
}

/// Four disks from two vectors with two disks each; below, the inverse.
inline SimdDisks disks_of(const Floats::Vector& a, const Floats::Vector& b) {
  return {__builtin_shufflevector(a, b, 0, 2, 4, 6), __builtin_shufflevector(a, b, 1, 3, 5, 7)};
}
inline Floats::Vector first_two(const SimdDisks& disks) {
  return __builtin_shufflevector(disks.x.v, disks.y.v, 0, 4, 1, 5);
}
inline Floats::Vector last_two(const SimdDisks& disks) {
  return __builtin_shufflevector(disks.x.v, disks.y.v, 2, 6, 3, 7);
}

inline SimdDisks load_disks(const Position* from) {
  Floats::Vector a, b;
  std::memcpy(&a, from, sizeof(a));
  std::memcpy(&b, from + 2, sizeof(b));
  return disks_of(a, b);
}
inline void store_disks(const SimdDisks& disks, Position* to) {
  const auto a = first_two(disks), b = last_two(disks);
  std::memcpy(to, &a, sizeof(a));
  std::memcpy(to + 2, &b, sizeof(b));
}

/// A list of disks for each lane.
class NeighbourLists {
 public:
  static constexpr int room = 8;

  /// Writes a disk at the origin to position i of each list.
  void clear(int i) {
    for (auto& list : disks_) list[i] = {0, 0};
  }
  /// Appends a disk in the lanes of the mask, without a branch: in other lanes the next call overwrites it.
  void append(const Integers& mask, const SimdDisks& disks) {
    const auto a = reinterpret_cast<Words>(first_two(disks)), b = reinterpret_cast<Words>(last_two(disks));
    const std::uint64_t both[vector_lanes] = {a[0], a[1], b[0], b[1]};
    for (int l = 0; l < vector_lanes; ++l) std::memcpy(&disks_[l][sizes_[l]], &both[l], sizeof(Position));
    sizes_ -= mask;
  }
  /// Disk i of each list; in shorter lists, the disk that clear() wrote.
  SimdDisks at(int i) const {
    // Disk by disk: a wide load right after narrow stores stalls the core.
    std::uint64_t both[vector_lanes];
    for (int l = 0; l < vector_lanes; ++l) std::memcpy(&both[l], &disks_[l][i], sizeof(Position));
    return disks_of(reinterpret_cast<Floats::Vector>(Words{both[0], both[1]}),
                    reinterpret_cast<Floats::Vector>(Words{both[2], both[3]}));
  }
  const Integers& sizes() const { return sizes_; }

 private:
  Position disks_[vector_lanes][room];
  Integers sizes_{};
};

}  // namespace tessera::disks
