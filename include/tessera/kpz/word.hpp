// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <tessera/core/kokkos_ext/word_bits.hpp>

/// The bit code of the octahedron model: 4 x 4 sites in a word of 32 bits, two slopes to a site, 1 for up and 0 for
/// down. Bit 4 x + y is the slope from the left neighbour of site (x, y) to it, bit 16 + 4 y + x that from its lower
/// neighbour. With slopes in x column by column and slopes in y row by row, a word and its right neighbour side by side
/// hold both slopes in x at any of its sites four bits apart, and a word and its upper neighbour those in y.
namespace tessera::kpz {

inline constexpr int word_side = 4;

/// A flat surface, whose heights alternate between 0 where x + y is even and 1 where it is odd.
inline constexpr std::uint32_t flat_word = 0x5a5a5a5au;

/// A place is a pair of coordinates in sites, x in the lower and y in the upper half of 32 bits, so that one operation
/// does for both.
using Place = std::uint32_t;

KOKKOS_FORCEINLINE_FUNCTION constexpr Place place(int x, int y) {
  return static_cast<Place>(x) | (static_cast<Place>(y) << 16);
}
KOKKOS_FORCEINLINE_FUNCTION constexpr int x_of(Place p) { return static_cast<int>(p & 0xffffu); }
KOKKOS_FORCEINLINE_FUNCTION constexpr int y_of(Place p) { return static_cast<int>(p >> 16); }

/// Where the slopes of a site stand in its word, in the lowest five bits: 4 x + y of x and y modulo 4.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t x_slope_bit(Place p) {
  const std::uint32_t inside = p & 0x00030003u;
  return (inside * 0x00040001u) >> 16;
}
/// 4 y + x, likewise.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t y_slope_bit(Place p) {
  const std::uint32_t inside = p & 0x00030003u;
  return (inside >> 14) + inside;
}

/// A site's own slope and that of the next site, as bits 0 and 4 of 0x11.
inline constexpr std::uint32_t two_slopes = 0x11;
/// Both slopes in x, and both in y, where an octahedron can be deposited: down to the site, up from it. Where one can
/// be removed it is the reverse (equation 1).
inline constexpr std::uint32_t open_to_deposition = 0x10;
inline constexpr std::uint32_t open_to_removal = 0x01;

/// The four slopes at a site: those in x, and those in y, in bits 0 and 4; higher bits are of other sites.
struct Slopes {
  std::uint32_t x, y;

  /// Whether the slopes are those that `open` asks for.
  KOKKOS_FORCEINLINE_FUNCTION bool are(std::uint32_t open) const {
    return (((x ^ open) | (y ^ open)) & two_slopes) == 0;
  }
};

/// The slopes at the site of `word` whose own stand at x_bit and y_bit, given the words to the right and above.
KOKKOS_FORCEINLINE_FUNCTION Slopes slopes_at(std::uint32_t x_bit, std::uint32_t y_bit, std::uint32_t word,
                                             std::uint32_t right, std::uint32_t above) {
  return {shifted_right(low_halves(word, right), x_bit), shifted_right(high_halves(word, above), y_bit)};
}
KOKKOS_FORCEINLINE_FUNCTION Slopes slopes_at(Place p, std::uint32_t word, std::uint32_t right, std::uint32_t above) {
  return slopes_at(x_slope_bit(p), y_slope_bit(p), word, right, above);
}

/// What an update at a site flips in its own word, in the one to the right, and in the one above.
struct Flips {
  std::uint32_t word, right, above;
};
KOKKOS_FORCEINLINE_FUNCTION Flips flips_at(std::uint32_t x_bit, std::uint32_t y_bit) {
  const std::uint32_t x = shifted_left(two_slopes, x_bit), y = shifted_left(two_slopes, y_bit);
  return {low_halves(x, y), x >> 16, y & 0xffff0000u};
}
KOKKOS_FORCEINLINE_FUNCTION Flips flips_at(Place p) { return flips_at(x_slope_bit(p), y_slope_bit(p)); }

namespace detail {
/// Four bits, repeated in all four nibbles of a half word.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t in_all_nibbles(std::uint32_t bits) { return bits * 0x1111u; }

/// Columns of four bits each: columns `shift`, 0 to 4, to `shift` + 3 of `first` and `second` side by side.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t shifted_columns(std::uint32_t first, std::uint32_t second, int shift) {
  return (((first & 0xffffu) | (second << 16)) >> (4 * shift)) & 0xffffu;
}
/// The same where each nibble is a row.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t shifted_rows(std::uint32_t first, std::uint32_t second, int shift) {
  const std::uint32_t from_first = in_all_nibbles(0xfu >> shift);
  return (((first & 0xffffu) >> shift) & from_first) | (((second & 0xffffu) << (4 - shift)) & ~from_first & 0xffffu);
}
}  // namespace detail

/// The 4 x 4 sites that begin `shift` sites, 0 to 4, to the right of the corner of `word`.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t shifted_in_x(std::uint32_t word, std::uint32_t right, int shift) {
  return detail::shifted_columns(word, right, shift) | (detail::shifted_rows(word >> 16, right >> 16, shift) << 16);
}
/// Likewise `shift` sites above it.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t shifted_in_y(std::uint32_t word, std::uint32_t above, int shift) {
  return detail::shifted_rows(word, above, shift) | (detail::shifted_columns(word >> 16, above >> 16, shift) << 16);
}

}  // namespace tessera::kpz
