// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <bit>
#include <cstdint>

/// Bits of 32-bit words in as few instructions as a device has for them.
namespace tessera {

/// `word` shifted right by the lowest five bits of `count`; higher bits of it do not count.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t shifted_right(std::uint32_t word, std::uint32_t count) {
#if defined(__CUDA_ARCH__)
  return __funnelshift_r(word, 0u, count);
#else
  return word >> (count & 31u);
#endif
}

/// `word` shifted left by the lowest five bits of `count`; higher bits of it do not count.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t shifted_left(std::uint32_t word, std::uint32_t count) {
#if defined(__CUDA_ARCH__)
  return __funnelshift_l(0u, word, count);
#else
  return word << (count & 31u);
#endif
}

/// The low halves of two words: that of `low` below that of `high`.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t low_halves(std::uint32_t low, std::uint32_t high) {
#if defined(__CUDA_ARCH__)
  return __byte_perm(low, high, 0x5410);
#else
  return (low & 0xffffu) | (high << 16);
#endif
}

/// The high halves of two words: that of `low` below that of `high`.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t high_halves(std::uint32_t low, std::uint32_t high) {
#if defined(__CUDA_ARCH__)
  return __byte_perm(low, high, 0x7632);
#else
  return (low >> 16) | (high & 0xffff0000u);
#endif
}

/// Flips the bits of `mask` in a word of the team's scratch, of which other lanes may flip other bits at the same time.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION void flip_bits(const Team& team, std::uint32_t* word, std::uint32_t mask) {
#if defined(__CUDA_ARCH__)
  (void)team;
  atomicXor(word, mask);
#else
  if (team.team_size() > 1) {
    Kokkos::atomic_xor(word, mask);
  } else {
    *word ^= mask;
  }
#endif
}

}  // namespace tessera
