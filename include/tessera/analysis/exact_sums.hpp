// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/analysis/moments.hpp>

/// Sums that a device adds up as integers: exact, so that no order of summation shows.
namespace tessera::analysis {

/// Several 64-bit integers, added modulo 2^64; signed ones as their two's complement.
template <int Count>
struct ExactSums {
  std::uint64_t value[Count] = {};

  KOKKOS_FORCEINLINE_FUNCTION ExactSums& operator+=(const ExactSums& other) {
    for (int i = 0; i < Count; ++i) value[i] += other.value[i];
    return *this;
  }
  std::int64_t as_signed(int i) const { return static_cast<std::int64_t>(value[i]); }
};

/// Sums of d, d^2, d^3 (upper, lower 32 bits of it), d^4 (likewise), and the number of those d that are out of range.
using PowerWords = ExactSums<7>;
inline constexpr int out_of_range = 6;

/// The sums of powers of `count` integers d.
inline PowerSums power_sums(std::int64_t count, const PowerWords& words) {
  const Wide upper = std::int64_t{1} << 32;
  return {count, words.as_signed(0), words.as_signed(1), words.as_signed(2) * upper + words.value[3],
          Wide{words.value[4]} * upper + words.value[5]};
}

}  // namespace tessera::analysis

template <int Count>
struct Kokkos::reduction_identity<tessera::analysis::ExactSums<Count>> {
  KOKKOS_FORCEINLINE_FUNCTION static tessera::analysis::ExactSums<Count> sum() { return {}; }
};
