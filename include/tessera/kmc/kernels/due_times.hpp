// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/kmc/state/scratch.hpp>

namespace tessera::kmc {

/// Times of a step in two parts: a key of 27 bits, whose order is that of all times but nearly equal ones, and a rest
/// of at most 37 bits, which orders these. Times are not negative, so that their bits have the same order; the key and
/// the rest divide the difference to the bits of the step's begin. A 64-bit word has room for a rest and a stamp, the
/// leading bits of another time: at least 27 bits, and the whole time if the step is short.
class DueTimes {
 public:
  static constexpr int key_bits = 27;
  static constexpr std::uint32_t never = (1u << key_bits) - 1;  ///< key of times outside the step
  static constexpr std::uint32_t last = never - 1;              ///< largest key of a time

  /// For times from `begin` up to, but not including, `end`.
  KOKKOS_FORCEINLINE_FUNCTION DueTimes(double begin, double end) : begin_(Kokkos::bit_cast<std::uint64_t>(begin)) {
    const std::uint64_t largest = (Kokkos::bit_cast<std::uint64_t>(end) - begin_ - 1) | 1;
    const int bits = 64 - Kokkos::Experimental::countl_zero_builtin(largest);
    shift_ = bits > key_bits ? bits - key_bits : 0;
    if (largest >> shift_ > last) ++shift_;
  }

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t key(double time) const {
    return static_cast<std::uint32_t>((Kokkos::bit_cast<std::uint64_t>(time) - begin_) >> shift_);
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t rest(double time) const {
    return (Kokkos::bit_cast<std::uint64_t>(time) - begin_) & ((std::uint64_t{1} << shift_) - 1);
  }
  /// Leading bits of a time. Nearly equal times may have the same stamp.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t stamp(double time) const {
    const int dropped = 2 * shift_ > 64 - key_bits ? 2 * shift_ - (64 - key_bits) : 0;
    return (Kokkos::bit_cast<std::uint64_t>(time) - begin_) >> dropped;
  }
  /// A rest and a stamp in one word.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t packed(std::uint64_t rest, std::uint64_t stamp) const {
    return rest << 1 << (63 - shift_) | stamp;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t rest_of(std::uint64_t packed) const { return packed >> 1 >> (63 - shift_); }
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t stamp_of(std::uint64_t packed) const {
    return packed & (~std::uint64_t{0} >> shift_);
  }
  KOKKOS_FORCEINLINE_FUNCTION double time(std::uint32_t key, std::uint64_t rest) const {
    return Kokkos::bit_cast<double>(begin_ + (std::uint64_t{key} << shift_ | rest));
  }

 private:
  std::uint64_t begin_;
  int shift_;  ///< at most 64 - key_bits, since a difference has less than 64 bits
};

/// Word of a cell of a window: its key, its position in its block (BlockWords), and whether it has been redrawn in this
/// step. Words have the order of keys.
inline constexpr int key_shift = 32 - DueTimes::key_bits;
inline constexpr std::uint32_t beyond_window = ~0u;  ///< word of cells and blocks outside the window

KOKKOS_FORCEINLINE_FUNCTION std::uint32_t cell_word(std::uint32_t key, int x, int y, bool redrawn) {
  constexpr unsigned width = TeamLayout::block_width, height = TeamLayout::block_height;
  static_assert(1 << (key_shift - 1) == width * height);
  const std::uint32_t position = static_cast<unsigned>(y) % height * width + static_cast<unsigned>(x) % width;
  return key << key_shift | position << 1 | (redrawn ? 1u : 0u);
}
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t key_of(std::uint32_t word) { return word >> key_shift; }
KOKKOS_FORCEINLINE_FUNCTION bool is_redrawn(std::uint32_t word) { return (word & 1u) != 0; }

/// A cell in one number.
KOKKOS_FORCEINLINE_FUNCTION int packed(int x, int y) { return y << 8 | x; }
KOKKOS_FORCEINLINE_FUNCTION int x_of(int packed) { return packed & 0xff; }
KOKKOS_FORCEINLINE_FUNCTION int y_of(int packed) { return packed >> 8; }

}  // namespace tessera::kmc
