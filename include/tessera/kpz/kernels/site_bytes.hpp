// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tessera/kpz/kernels/scratch_columns.hpp>
#include <tessera/kpz/state/decomposition.hpp>
#include <tessera/kpz/state/word.hpp>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/// Layout of a domain for CPUs: one byte per site with all four slopes, so that one comparison decides about an update.
namespace tessera::kpz {

/// Bits of a site's byte: the height rises from the left neighbour to the site (own_x), falls from the site to the
/// right neighbour (next_x), and likewise in y. A site is open to deposition if no bit is set, and to removal if all
/// are. Each slope is stored in the bytes of both its sites.
namespace site {
inline constexpr std::uint8_t own_x = 0x01, next_x = 0x02, own_y = 0x10, next_y = 0x20;
inline constexpr std::uint8_t all = own_x | next_x | own_y | next_y;
}  // namespace site

/// Flips the slopes at a site; `row`: offset to the byte of the site above.
inline void flip_site(std::uint8_t* byte, std::ptrdiff_t row) {
  std::uint32_t around;  // from the site to the left on
  std::memcpy(&around, byte - 1, sizeof(around));
  around ^= site::next_x | (site::all << 8) | (site::own_x << 16);
  std::memcpy(byte - 1, &around, sizeof(around));
  byte[row] ^= site::own_y;
  byte[-row] ^= site::next_y;
}

namespace detail {
using Bytes = std::uint8_t __attribute__((vector_size(16)));
using EightHalves = std::uint16_t __attribute__((vector_size(16)));
using FourWords = std::uint32_t __attribute__((vector_size(16)));
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

/// Expands 32 bits to bytes with value `flag` or 0.
template <std::uint8_t flag>
struct BytesOfBits {
  Bytes first, second;

  explicit BytesOfBits(std::uint32_t bits) {
    constexpr std::uint64_t each[2] = {0x8040201008040201, 0x8040201008040201};
    const Bytes select = load<Bytes>(each);
    // Repeats each byte of the word eight times by doublings, each a single instruction.
    const auto once = std::bit_cast<Bytes>(FourWords{bits, 0, 0, 0});
    const Bytes twice = __builtin_shufflevector(once, once, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const auto pairs = std::bit_cast<EightHalves>(twice);
    const EightHalves paired = __builtin_shufflevector(pairs, pairs, 0, 8, 1, 9, 2, 10, 3, 11);
    const auto quads = std::bit_cast<FourWords>(paired);
    const FourWords lower = __builtin_shufflevector(quads, quads, 0, 0, 1, 1),
                    upper = __builtin_shufflevector(quads, quads, 2, 2, 3, 3);
    const auto low = std::bit_cast<Bytes>(lower), high = std::bit_cast<Bytes>(upper);
    first = std::bit_cast<Bytes>((low & select) == select) & flag;
    second = std::bit_cast<Bytes>((high & select) == select) & flag;
  }
};
/// The lowest bits of 32 bytes.
inline std::uint32_t bits_of_bytes(const std::uint8_t* bytes) {
#if defined(__SSE2__)
  const auto half = [&](int at) {
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_slli_epi16(load<__m128i>(bytes + at), 7)));
  };
  return half(0) | (half(16) << 16);
#else
  std::uint32_t bits = 0;
  for (int part = 0; part < 4; ++part) {
    const std::uint64_t lowest = load<std::uint64_t>(bytes + 8 * part) & 0x0101010101010101;
    bits |= static_cast<std::uint32_t>(lowest * 0x0102040810204080 >> 56) << (8 * part);
  }
  return bits;
#endif
}
}  // namespace detail

/// The bytes of a domain's sites in scratch memory, converted from and to bits, with space for flips at the edge.
class SiteBytes {
 public:
  static std::size_t bytes(const Decomposition& d) { return static_cast<std::size_t>((d.domain + 3) * row(d)); }

  SiteBytes(const Decomposition& d, const ScratchColumns<>& columns, std::uint8_t* bytes)
      : columns_(columns), bytes_(bytes), rows_(d.domain), count_(d.columns()), row_(row(d)) {
    bytes_[0] = site::own_x | site::next_y;
  }

  /// Offset from a site to the one above.
  int row() const { return row_; }
  /// The lower left site of the domain.
  std::uint8_t* begin() { return line(0); }
  /// Offset from begin() to a byte outside the domain that is never open.
  int closed() { return static_cast<int>(bytes_ - begin()); }

  // Members are copied: a compiler must assume that a store of a byte may change any object.
  void from_columns() {
    const ScratchColumns<> from = columns_;
    const int rows = rows_, count = count_;
    const std::ptrdiff_t row = row_;
    std::uint8_t* const begin = line(0);
    // First own_x and own_y, also of the row above the domain and the column to the right of it.
    for (int column = 0; column < count; ++column) {
      const std::uint32_t *const words = &from.at(column, 0), *const left = &from.at(column - 1, 0);
      std::uint8_t* to = begin + column * word_sites;
      for (int y = 0; y <= rows; ++y, to += row) {
        const detail::BytesOfBits<site::own_x> in_x(rises((words[y] << 1) | (left[y] >> 31), words[y]));
        const detail::BytesOfBits<site::own_y> in_y(rises(words[y - 1], words[y]));
        detail::store(in_x.first | in_y.first, to);
        detail::store(in_x.second | in_y.second, to + sizeof(detail::Bytes));
      }
    }
    for (int y = 0; y < rows; ++y)
      begin[y * row + count * word_sites] = rises(from.at(count - 1, y) >> 31, from.at(count, y)) & site::own_x;
    // Then next_x and next_y, in place: the bits that are read remain unchanged.
    constexpr std::uint8_t falls = site::next_x | site::next_y;
    for (int y = 0; y < rows; ++y)
      for (std::uint8_t *bytes = begin + y * row, *end = bytes + count * word_sites; bytes != end;
           bytes += sizeof(detail::Bytes)) {
        const detail::Bytes next = (detail::load<detail::Bytes>(bytes + 1) & site::own_x) |
                                   (detail::load<detail::Bytes>(bytes + row) & site::own_y);
        detail::store(detail::load<detail::Bytes>(bytes) ^ (next + next) ^ falls, bytes);
      }
  }

  void to_columns() {
    const ScratchColumns<> to = columns_;
    const int rows = rows_, count = count_;
    const std::ptrdiff_t row = row_;
    for (int column = 0; column < count; ++column) {
      const std::uint8_t* bytes = line(0) + column * word_sites;
      const std::uint32_t* const left = &to.at(column - 1, 0);
      std::uint32_t* const words = &to.at(column, 0);
      for (int y = 0; y < rows; ++y, bytes += row) {
        // Neighbouring bits differ where the height falls, beginning with the bit to the left of the word.
        std::uint32_t changes = ~detail::bits_of_bytes(bytes);
        for (int distance = 1; distance < word_sites; distance *= 2) changes ^= changes << distance;
        words[y] = changes ^ (0u - (left[y] >> 31));
      }
    }
  }

 private:
  static constexpr int margin = 16;
  static int row(const Decomposition& d) { return d.columns() * word_sites + margin; }
  std::uint8_t* line(int y) { return bytes_ + margin + (y + 1) * row_; }

  ScratchColumns<> columns_;
  std::uint8_t* bytes_;
  int rows_, count_, row_;
};

}  // namespace tessera::kpz
