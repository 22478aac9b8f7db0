// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>

namespace tessera::kmc {

/// The times of a step as two words of 32 bits: the key, which orders all but those that lie next to each other, and
/// the low word, which settles the rest. Times are not negative, so that they order as their bits do; what is taken
/// apart is the difference to the bits of the step's begin.
class DueTimes {
 public:
  /// Keys that stand for no time of the step: of a cell that is not due, and of one that is on the list nevertheless.
  static constexpr std::uint32_t unlisted = 0xffffffffu, not_due = 0xfffffffeu;
  static constexpr std::uint32_t last = 0xfffffffdu;   ///< the largest of a time
  static constexpr std::uint32_t slice = 0x20000000u;  ///< an eighth of all keys, or a quarter

  /// For times from `begin` up to, but not including, `end`.
  KOKKOS_FORCEINLINE_FUNCTION DueTimes(double begin, double end) : begin_(Kokkos::bit_cast<std::uint64_t>(begin)) {
    const std::uint64_t largest = (Kokkos::bit_cast<std::uint64_t>(end) - begin_ - 1) | 1;
    const int bits = 64 - Kokkos::Experimental::countl_zero_builtin(largest);
    shift_ = bits > 32 ? bits - 32 : 0;
    if (largest >> shift_ > last) ++shift_;
  }

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t key(double time) const {
    return static_cast<std::uint32_t>((Kokkos::bit_cast<std::uint64_t>(time) - begin_) >> shift_);
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t low(double time) const {
    return static_cast<std::uint32_t>(Kokkos::bit_cast<std::uint64_t>(time) - begin_) &
           ((std::uint32_t{1} << shift_) - 1);
  }
  KOKKOS_FORCEINLINE_FUNCTION double time(std::uint32_t key, std::uint32_t low) const {
    return Kokkos::bit_cast<double>(begin_ + (std::uint64_t{key} << shift_ | low));
  }

 private:
  std::uint64_t begin_;
  int shift_;  ///< at most 31: all times have less than 63 bits, and a step ends before 2^1000
};

}  // namespace tessera::kmc
