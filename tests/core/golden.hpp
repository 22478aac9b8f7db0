// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Macros.hpp>
#include <cstdint>
#include <tessera/core/exponential_variate.hpp>
#include <tessera/core/streams.hpp>

/// Bits that every compiler and every backend must give. The constants were recorded once; a change of them is a change
/// of every trajectory.
namespace tessera {

inline constexpr std::uint64_t golden_inputs = 1'000'000;
inline constexpr std::uint64_t golden_exponential_variates = 11871674866240266895ULL;
inline constexpr std::uint64_t golden_exponentials = 14567177800158769914ULL;

/// Random bits with 0 to 63 leading zeros.
KOKKOS_INLINE_FUNCTION std::uint64_t golden_input(std::uint64_t i) { return hash(1, i) >> (i % 64); }

KOKKOS_INLINE_FUNCTION std::uint64_t golden_term(std::uint64_t i) {
  return mix(Kokkos::bit_cast<std::uint64_t>(exponential_variate(golden_input(i))) + i);
}

/// The checksum of golden_inputs exponential variates.
inline std::uint64_t golden_checksum() {
  std::uint64_t checksum = 0;
  for (std::uint64_t i = 0; i < golden_inputs; ++i) checksum += golden_term(i);
  return checksum;
}

/// The checksum of portable_exp() at multiples of 1/128 in -700 .. 700.
inline std::uint64_t golden_exp_checksum() {
  std::uint64_t checksum = 0;
  for (int i = -700 * 128; i <= 700 * 128; ++i)
    checksum += mix(Kokkos::bit_cast<std::uint64_t>(portable_exp(i / 128.0)) + static_cast<std::uint64_t>(i));
  return checksum;
}

}  // namespace tessera
