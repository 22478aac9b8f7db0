// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/analysis/moments.hpp>

/// Integer sums on a device: exact, and therefore independent of the order of summation.
namespace tessera::analysis {

/// Several 64-bit integers, added modulo 2^64; signed integers as two's complement.
template <int Count>
struct ExactSums {
  std::uint64_t value[Count] = {};

  KOKKOS_FORCEINLINE_FUNCTION ExactSums& operator+=(const ExactSums& other) {
    for (int i = 0; i < Count; ++i) value[i] += other.value[i];
    return *this;
  }
  std::int64_t as_signed(int i) const { return static_cast<std::int64_t>(value[i]); }
};

/// Sums over many teams or blocks. A 64-bit sum is stored as two parts of 32 bits, so that 2^31 of them can be added.
template <int Count>
struct WideSums {
  Wide value[Count] = {};

  std::int64_t narrow(int i) const { return static_cast<std::int64_t>(value[i]); }
};
KOKKOS_FORCEINLINE_FUNCTION void add_in_parts(std::uint64_t* parts, std::uint64_t signed_sum) {
  Kokkos::atomic_add(parts, signed_sum & 0xffffffffu);
  Kokkos::atomic_add(parts + 1, static_cast<std::uint64_t>(static_cast<std::int64_t>(signed_sum) >> 32));
}
inline Wide sum_of_parts(std::uint64_t lower, std::uint64_t upper) {
  return static_cast<std::int64_t>(upper) * (Wide{1} << 32) + lower;
}

/// Sums of d, d^2, d^3 (upper, lower 32 bits), d^4 (likewise), and the number of d that are out of range.
using PowerWords = ExactSums<7>;
inline constexpr int out_of_range = 6;

/// The sums of powers of `count` integers d.
inline PowerSums power_sums(std::int64_t count, const PowerWords& words) {
  const Wide upper = std::int64_t{1} << 32;
  return {count, words.as_signed(0), words.as_signed(1), words.as_signed(2) * upper + words.value[3],
          Wide{words.value[4]} * upper + words.value[5]};
}

/// The same if each integer was added `times` times. Only whole sums are multiples of `times`, not their parts.
inline PowerSums power_sums(std::int64_t count, const WideSums<7>& sums, int times) {
  const Wide upper = std::int64_t{1} << 32;
  return {count, sums.value[0] / times, sums.value[1] / times, (sums.value[2] * upper + sums.value[3]) / times,
          (sums.value[4] * upper + sums.value[5]) / times};
}

}  // namespace tessera::analysis

template <int Count>
struct Kokkos::reduction_identity<tessera::analysis::ExactSums<Count>> {
  KOKKOS_FORCEINLINE_FUNCTION static tessera::analysis::ExactSums<Count> sum() { return {}; }
};
