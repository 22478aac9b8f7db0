// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>

/// The bit code of the octahedron model: one bit per site, 32 sites of a row in a word.
///
/// Heights of neighbours differ by 1, and h - x - y is even at all sites (x, y). The bit c is the parity of
/// (h - x - y) / 2. The right and the upper neighbour are higher if their c equals that of the site, the left and the
/// lower neighbour if it differs. Inversion of all bits shifts the surface by 2 layers.
namespace tessera::kpz {

inline constexpr int word_sites = 32;      ///< sites per word; bit i is the i-th site from the left
inline constexpr int log2_word_sites = 5;  ///< log2 of word_sites

/// Mask of the lowest `count` bits, up to 32.
KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint32_t lowest_bits(int count) {
  return count < word_sites ? (1u << count) - 1 : ~0u;
}

/// The words of row y of a flat surface, with heights 0 where x + y is even and 1 where it is odd.
KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint32_t flat_word(int y) {
  const std::uint32_t upper = (y & 2) != 0 ? ~0u : 0u;
  return ((y & 1) != 0 ? 0x66666666u : 0xccccccccu) ^ upper;
}

/// Bits of up to 32 sites and of their neighbours.
struct Neighbourhood {
  std::uint32_t centre, right, up, left, down;  ///< bits c of the sites, and of their neighbours

  /// Sites whose four neighbours are all higher or all lower (equation 1).
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t open() const { return ~(right ^ up) & (right ^ left) & ~(left ^ down); }
  /// Sites whose right neighbour is lower. An open site is open to removal there, and to deposition elsewhere.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t removable() const { return centre ^ right; }
  /// Sites where an octahedron fits.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t open_to_deposition() const { return open() & ~removable(); }
  /// Sites with an octahedron that can be removed.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t open_to_removal() const { return open() & removable(); }
};

/// Slopes of sites, from the bits c: 1 if the height rises from the left or lower neighbour to the site, 0 if it falls.
KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint32_t rises(std::uint32_t neighbour, std::uint32_t site) {
  return ~(neighbour ^ site);
}

/// Mask of the sites with odd x + y among 32 sites of a row; `first`: x + y of the first one. Inverting these bits
/// turns the surface upside down, up to a shift: sites open to removal become open to deposition.
KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint32_t odd_sites(int first) {
  return (first & 1) != 0 ? 0x55555555u : 0xaaaaaaaau;
}

/// A site with x in the lower and y in the upper half of 32 bits, so that one operation applies to both.
using PackedSite = std::uint32_t;

/// The site with these coordinates, less than 2^16.
KOKKOS_FORCEINLINE_FUNCTION constexpr PackedSite packed_site(int x, int y) {
  return static_cast<PackedSite>(x) | (static_cast<PackedSite>(y) << 16);
}
KOKKOS_FORCEINLINE_FUNCTION constexpr int x_of(PackedSite p) { return static_cast<int>(p & 0xffffu); }  ///< its x
KOKKOS_FORCEINLINE_FUNCTION constexpr int y_of(PackedSite p) { return static_cast<int>(p >> 16); }      ///< its y

}  // namespace tessera::kpz
