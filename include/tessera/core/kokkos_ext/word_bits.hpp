// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>

/// Operations on bits of 32-bit words, in the fewest instructions of a device.
namespace tessera {

/// Bits `count` to `count` + 31 of the 64-bit number high * 2^32 + low; only five bits of `count` are used.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t funnel_right(std::uint32_t low, std::uint32_t high, std::uint32_t count) {
#if defined(__CUDA_ARCH__)
  return __funnelshift_r(low, high, count);
#else
  return static_cast<std::uint32_t>(((std::uint64_t{high} << 32) | low) >> (count & 31u));
#endif
}

/// `word` rotated to the right by the lowest five bits of `count`.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t rotated_right(std::uint32_t word, std::uint32_t count) {
  return funnel_right(word, word, count);
}

/// `word` shifted to the left by the lowest five bits of `count`.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t shifted_left(std::uint32_t word, std::uint32_t count) {
#if defined(__CUDA_ARCH__)
  return __funnelshift_l(0u, word, count);
#else
  return word << (count & 31u);
#endif
}

/// `sum` + (lower half of `pair`) * `low` + (upper half) * `high`. Both factors are less than 256.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t add_halves_times(std::uint32_t pair, std::uint32_t low, std::uint32_t high,
                                                           std::uint32_t sum) {
#if defined(__CUDA_ARCH__)
  return __dp2a_lo(pair, low | (high << 8), sum);
#else
  return sum + (pair & 0xffffu) * low + (pair >> 16) * high;
#endif
}

/// `count` + 1 if any bit is set, else `count`.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t add_if_any(std::uint32_t count, std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  asm("{.reg .pred any; setp.ne.u32 any, %1, 0; @any add.u32 %0, %0, 1;}" : "+r"(count) : "r"(bits));
  return count;
#else
  return count + (bits != 0);
#endif
}

}  // namespace tessera
