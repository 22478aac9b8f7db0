// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/kpz/state/decomposition.hpp>
#include <tessera/kpz/state/word.hpp>

namespace tessera::kpz {

/// Slopes of 32 sites of a row; a bit is 1 if the height rises from the left or lower neighbour to the site.
struct Slopes {
  std::uint32_t x, y;
};

/// Slope of one site, +1 or -1.
KOKKOS_FORCEINLINE_FUNCTION int slope(std::uint32_t slopes, int site) {
  return 2 * static_cast<int>((slopes >> site) & 1u) - 1;
}

/// Rise over 32 sites, the slope of the first one included.
KOKKOS_FORCEINLINE_FUNCTION int rise(std::uint32_t slopes) {
  return 2 * Kokkos::Experimental::popcount_builtin(slopes) - word_sites;
}

/// Calls what(height, x) for 32 sites with these slopes in x; `left`: height of the site to the left of them.
template <class What>
KOKKOS_FORCEINLINE_FUNCTION void for_each_height(std::uint32_t slopes, int left, const What& what) {
  int height = left;
  for (int x = 0; x < word_sites; ++x) {
    height += slope(slopes, x);
    what(height, x);
  }
}

/// Bits of surfaces, at Lattice::word.
template <class ExecutionSpace>
using Words = Kokkos::View<std::uint32_t*, typename ExecutionSpace::memory_space>;

template <class Words>
KOKKOS_FORCEINLINE_FUNCTION Slopes slopes_at(const Lattice& lattice, const Words& words, int replica, int x, int y) {
  const std::uint32_t word = words(lattice.word(replica, x, y)), left = words(lattice.word(replica, x - 1, y)),
                      below = words(lattice.word(replica, x, y - 1));
  return {rises((word << 1) | (left >> 31), word), rises(below, word)};
}

}  // namespace tessera::kpz
