// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tessera/kpz/decomposition.hpp>
#include <tessera/kpz/kernels/scratch_columns.hpp>
#include <tessera/kpz/word.hpp>

/// A domain as a core of a host works on it fastest: a byte for each site, which holds all four slopes at the site, so
/// that one comparison tells whether it is open.
namespace tessera::kpz {

/// The bits of a site's byte: whether the height rises from the left neighbour to the site, whether it falls from there
/// to the right one, and likewise in y. 0 is open to deposition, all of them to removal. Each slope stands in two
/// bytes.
namespace site {
inline constexpr std::uint8_t own_x = 0x01, next_x = 0x02, own_y = 0x10, next_y = 0x20;
inline constexpr std::uint8_t all = own_x | next_x | own_y | next_y;
}  // namespace site

/// Flips the slopes at the site with this byte; `row` is from there to the byte of the site above.
inline void flip_site(std::uint8_t* byte, std::ptrdiff_t row) {
  std::uint32_t around;  // from the site to the left on
  std::memcpy(&around, byte - 1, sizeof(around));
  around ^= site::next_x | (site::all << 8) | (site::own_x << 16);
  std::memcpy(byte - 1, &around, sizeof(around));
  byte[row] ^= site::own_y;
  byte[-row] ^= site::next_y;
}

namespace detail {

/// Sixteen bytes that a core computes with at once.
using Bytes = std::uint8_t __attribute__((vector_size(16)));
static_assert(std::endian::native == std::endian::little, "the first byte of a word is its lowest");

template <class Vector>
inline Vector load(const void* from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof(vector));
  return vector;
}
template <class Vector>
inline void store(const Vector& vector, void* to) {
  std::memcpy(to, &vector, sizeof(vector));
}

/// 32 bits as bytes that are `flag` or 0.
template <std::uint8_t flag>
struct BytesOfBits {
  Bytes first, second;

  explicit BytesOfBits(std::uint32_t bits) {
    constexpr std::uint64_t each[2] = {0x8040201008040201, 0x8040201008040201};
    const Bytes select = load<Bytes>(each);
    const Bytes once = load<Bytes>(Quad{bits, bits, bits, bits}.words);
    const Bytes low = __builtin_shufflevector(once, once, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
    const Bytes high = __builtin_shufflevector(once, once, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
    first = ((low & select) == select) & flag;
    second = ((high & select) == select) & flag;
  }

 private:
  struct Quad {
    std::uint32_t words[4];
  };
};
/// The lowest bits of 32 bytes.
inline std::uint32_t bits_of_bytes(const std::uint8_t* bytes) {
  std::uint32_t bits = 0;
  for (int part = 0; part < 4; ++part) {
    const std::uint64_t lowest = load<std::uint64_t>(bytes + 8 * part) & 0x0101010101010101;
    bits |= static_cast<std::uint32_t>(lowest * 0x0102040810204080 >> 56) << (8 * part);
  }
  return bits;
}

}  // namespace detail

/// The bytes of a domain's sites, from those bits in a team's scratch and back. There is room for what is flipped
/// around them, too.
class SiteBytes {
 public:
  static std::size_t bytes(const Decomposition& d) { return static_cast<std::size_t>((d.domain + 3) * row(d)); }

  SiteBytes(const Decomposition& d, const ScratchColumns& columns, std::uint8_t* bytes)
      : columns_(columns), bytes_(bytes), rows_(d.domain), count_(d.columns()), row_(row(d)) {
    bytes_[0] = site::own_x | site::next_y;
  }

  /// From a site to the one above.
  int row() const { return row_; }
  /// The domain's lower left site.
  std::uint8_t* begin() { return line(0); }
  /// From there to a byte that is no site's and open to nothing.
  int closed() { return static_cast<int>(bytes_ - begin()); }

  void from_columns() {
    // Each site's own slopes first, and those to the right of the domain and above it.
    for (int y = 0; y <= rows_; ++y)
      for (int column = 0; column < count_; ++column) {
        const std::uint32_t word = columns_.at(column, y);
        const detail::BytesOfBits<site::own_x> in_x(rises((word << 1) | (columns_.at(column - 1, y) >> 31), word));
        const detail::BytesOfBits<site::own_y> in_y(rises(columns_.at(column, y - 1), word));
        std::uint8_t* const to = line(y) + column * word_sites;
        detail::store(in_x.first | in_y.first, to);
        detail::store(in_x.second | in_y.second, to + sizeof(detail::Bytes));
      }
    for (int y = 0; y < rows_; ++y) {
      const std::uint32_t last = columns_.at(count_ - 1, y);
      line(y)[count_ * word_sites] = rises(last >> 31, columns_.at(count_, y)) & site::own_x;
    }
    // In place: the bits of the slopes that are read stay where they are.
    constexpr std::uint8_t falls = site::next_x | site::next_y;
    for (int y = 0; y < rows_; ++y)
      for (std::uint8_t *bytes = line(y), *end = bytes + count_ * word_sites; bytes != end;
           bytes += sizeof(detail::Bytes)) {
        const detail::Bytes next = (detail::load<detail::Bytes>(bytes + 1) & site::own_x) |
                                   (detail::load<detail::Bytes>(bytes + row_) & site::own_y);
        detail::store(detail::load<detail::Bytes>(bytes) ^ (next + next) ^ falls, bytes);
      }
  }

  void to_columns() {
    for (int column = 0; column < count_; ++column)
      for (int y = 0; y < rows_; ++y) {
        // Bits change where the height falls, from that to the left of the word on.
        std::uint32_t changes = ~detail::bits_of_bytes(line(y) + column * word_sites);
        for (int distance = 1; distance < word_sites; distance *= 2) changes ^= changes << distance;
        columns_.at(column, y) = changes ^ (0u - (columns_.at(column - 1, y) >> 31));
      }
  }

 private:
  static constexpr int margin = 16;
  static int row(const Decomposition& d) { return d.columns() * word_sites + margin; }
  /// The bytes of a line of sites.
  std::uint8_t* line(int y) { return bytes_ + margin + (y + 1) * row_; }

  ScratchColumns columns_;
  std::uint8_t* bytes_;
  int rows_, count_, row_;
};

}  // namespace tessera::kpz
