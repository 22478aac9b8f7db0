// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>

/// The bit code of the octahedron model: one bit a site, 32 sites of a row in a word.
///
/// Heights of neighbours differ by 1, and h - x - y is even at all sites (x, y). The bit c is the parity of
/// (h - x - y) / 2. The right neighbour is higher where its c is the same, and so is the upper one; the left one is
/// higher where its c is different, and so is the lower one. All c inverted are the same surface, 2 layers higher or
/// lower.
namespace tessera::kpz {

/// Sites of a word; bit i is that of the i-th one from the left.
inline constexpr int word_sites = 32, log2_word_sites = 5;

/// Where the bits of a whole number of sites are: the lowest ones. `count`: up to 32.
KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint32_t lowest_bits(int count) {
  return count < word_sites ? (1u << count) - 1 : ~0u;
}

/// A flat surface, whose heights alternate between 0 where x + y is even and 1 where it is odd: any word of row y.
KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint32_t flat_word(int y) {
  const std::uint32_t upper = (y & 2) != 0 ? ~0u : 0u;
  return ((y & 1) != 0 ? 0x66666666u : 0xccccccccu) ^ upper;
}

/// The bits of sites (of up to 32 at once), and those of their neighbours.
struct Neighbourhood {
  std::uint32_t centre, right, up, left, down;

  /// Where all four neighbours are higher, or all are lower (equation 1).
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t open() const { return ~(right ^ up) & (right ^ left) & ~(left ^ down); }
  /// Where the right neighbour is lower: an octahedron of an open site can be removed there, and else one fits.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t removable() const { return centre ^ right; }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t open_to_deposition() const { return open() & ~removable(); }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t open_to_removal() const { return open() & removable(); }
};

/// Slopes of sites: 1 where the height rises from the left, or from the lower neighbour to the site, 0 where it falls.
/// Any two neighbours' bits give one: c of the site, and that of the neighbour.
KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint32_t rises(std::uint32_t neighbour, std::uint32_t site) {
  return ~(neighbour ^ site);
}

/// Which of 32 sites of a row, which begin at one whose x + y is even or odd, have odd x + y. Bits inverted there are
/// those of the surface upside down, up to a shift: what was open to removal is open to deposition.
KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint32_t odd_sites(int first) {
  return (first & 1) != 0 ? 0x55555555u : 0xaaaaaaaau;
}

/// A place is a pair of coordinates in sites, x in the lower and y in the upper half of 32 bits, so that one operation
/// does for both.
using Place = std::uint32_t;

KOKKOS_FORCEINLINE_FUNCTION constexpr Place place(int x, int y) {
  return static_cast<Place>(x) | (static_cast<Place>(y) << 16);
}
KOKKOS_FORCEINLINE_FUNCTION constexpr int x_of(Place p) { return static_cast<int>(p & 0xffffu); }
KOKKOS_FORCEINLINE_FUNCTION constexpr int y_of(Place p) { return static_cast<int>(p >> 16); }

}  // namespace tessera::kpz
