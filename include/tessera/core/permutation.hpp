// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <tessera/core/streams.hpp>

namespace tessera {

/// A pseudo-random permutation of 0 .. size - 1 that depends on `seed`: the image of `index`, by a Feistel network of six
/// rounds on the next power of four, repeated until the image is less than `size` (Black and Rogaway, CT-RSA 2002).
KOKKOS_INLINE_FUNCTION std::uint64_t permuted(std::uint64_t index, std::uint64_t size, std::uint64_t seed) {
  int half = 1;
  while (half < 32 && std::uint64_t{1} << (2 * half) < size) ++half;
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  do {
    std::uint64_t left = index >> half, right = index & mask;
    for (std::uint64_t round = 0; round < 6; ++round) {
      const std::uint64_t next = left ^ (mix(mix(seed + round * golden) + right * golden) & mask);
      left = right;
      right = next;
    }
    index = left << half | right;
  } while (index >= size);
  return index;
}

}  // namespace tessera
