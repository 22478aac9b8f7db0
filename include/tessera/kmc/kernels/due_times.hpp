// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>

namespace tessera::kmc {

/// The times of a step in two parts: a key of 27 bits, which orders all but those that lie next to each other, and the
/// rest, of at most 37 bits, which settles their order. Times are not negative, so that they order as their bits do;
/// what is taken apart is the difference to the bits of the step's begin. The bits that a rest leaves of a word of 64
/// have room for a stamp, the beginning of another time: of 27 bits at least, and all of it where a step is short.
class DueTimes {
 public:
  static constexpr int key_bits = 27;
  static constexpr std::uint32_t never = (1u << key_bits) - 1;  ///< the key of no time of the step
  static constexpr std::uint32_t last = never - 1;              ///< the largest of a time

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
  /// Two stamps that are the same may be of two times, which lie next to each other.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t stamp(double time) const {
    const int dropped = 2 * shift_ > 64 - key_bits ? 2 * shift_ - (64 - key_bits) : 0;
    return (Kokkos::bit_cast<std::uint64_t>(time) - begin_) >> dropped;
  }
  /// Both in one word.
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
  int shift_;  ///< at most 64 - key_bits: a difference has less than 64 bits
};

}  // namespace tessera::kmc
