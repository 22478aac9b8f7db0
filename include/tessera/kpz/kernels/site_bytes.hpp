// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tessera/kpz/decomposition.hpp>
#include <tessera/kpz/word.hpp>

/// A domain as a core of a host works on it fastest: a byte for each site, which holds all four slopes at the site, so
/// that one comparison tells whether it is open.
namespace tessera::kpz {

/// The bits of a site's byte. Slopes to the next site are inverted, so that 0 is open to deposition. Each slope stands
/// in two bytes.
namespace site {
inline constexpr std::uint8_t own_x = 0x01, next_x = 0x02, own_y = 0x10, next_y = 0x20;
inline constexpr std::uint8_t own = own_x | own_y, next = next_x | next_y, all = own | next;
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

/// Sixteen bytes, or the bits of four words, that a core computes with at once.
using Bytes = std::uint8_t __attribute__((vector_size(16)));
using FourWords = std::uint32_t __attribute__((vector_size(16)));
inline constexpr int words_at_once = 4;
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

/// Exchanges rows and columns of the slopes in y.
inline FourWords transposed_y(FourWords words) {
  FourWords change = (words ^ (words >> 3)) & 0x0a0a0000u;
  words ^= change ^ (change << 3);
  change = (words ^ (words >> 6)) & 0x00cc0000u;
  return words ^ change ^ (change << 6);
}

/// For each column of four sites a byte: slopes in x in its lower half, those in y in its upper half, one row a bit.
inline FourWords columns_of(const FourWords& words) {
  const auto nibbles_to_bytes = [](FourWords half) {
    half = (half | (half << 8)) & 0x00ff00ffu;
    return (half | (half << 4)) & 0x0f0f0f0fu;
  };
  return nibbles_to_bytes(words & 0xffffu) | (nibbles_to_bytes(transposed_y(words) >> 16) << 4);
}
inline FourWords words_of_columns(const FourWords& columns) {
  const auto bytes_to_nibbles = [](FourWords bytes) {
    bytes &= 0x0f0f0f0fu;
    bytes = (bytes | (bytes >> 4)) & 0x00ff00ffu;
    return (bytes | (bytes >> 8)) & 0xffffu;
  };
  return bytes_to_nibbles(columns) | transposed_y(bytes_to_nibbles(columns >> 4) << 16);
}

}  // namespace detail

/// The sites of all words that a domain has a site in, and one word more where it begins at a word's corner.
///
/// `shared_rim`: other threads work on the domains beside this one, and words at the rim belong to both. Neither
/// changes the other's bits. Without it nobody else changes any of these words.
template <bool shared_rim, int largest_side>
class SiteBytes {
 public:
  /// `inverted`: all slopes are, so that a byte is 0 where the site is open to removal.
  SiteBytes(const Lattice& lattice, const Decomposition& d, std::uint32_t* words, int replica, Corner corner,
            bool inverted)
      : words_(words + static_cast<std::size_t>(replica) * lattice.words()),
        words_x_(lattice.words_x()),
        words_y_(lattice.words_y()),
        word_x_(corner.x / word_side & (words_x_ - 1)),
        word_y_(corner.y / word_side),
        shift_x_(corner.x % word_side),
        shift_y_(corner.y % word_side),
        size_(d.domain_words() + 1),
        fours_((size_ + detail::words_at_once - 1) / detail::words_at_once),
        inverted_(inverted) {
    bytes_[0] = site::own_x | site::next_y;
  }

  /// From a site to the one above.
  int row() const { return fours_ * static_cast<int>(sizeof(detail::Bytes)); }
  /// The domain's lower left site.
  std::uint8_t* begin() { return line(shift_y_) + shift_x_; }
  /// From there to a byte that is no site's and open to nothing.
  int closed() { return static_cast<int>(bytes_ - begin()); }

  void read() {
    std::fill_n(line(-1), row(), std::uint8_t{0});
    std::fill_n(line(size_ * word_side), row(), std::uint8_t{0});
    const std::ptrdiff_t to_next = row();
    for (int j = 0; j < size_; ++j) {
      read_words(j);
      std::uint8_t* to = line(j * word_side);
      for (int i = 0; i < fours_; ++i, to += sizeof(Bytes)) {
        const FourWords columns = detail::columns_of(detail::load<FourWords>(buffer_ + i * detail::words_at_once));
        for (int y = 0; y < word_side; ++y) detail::store((columns >> y) & 0x11111111u, to + y * to_next);
      }
    }
    // In place: the bits of the slopes that are read stay where they are.
    const auto inverse = static_cast<std::uint8_t>(inverted_ ? site::own : site::next);
    std::uint8_t* const end = line(size_ * word_side);
    for (std::uint8_t* bytes = line(0); bytes != end; bytes += sizeof(Bytes)) {
      const Bytes next =
          (detail::load<Bytes>(bytes + 1) & site::own_x) | (detail::load<Bytes>(bytes + to_next) & site::own_y);
      detail::store(detail::load<Bytes>(bytes) ^ (next + next) ^ inverse, bytes);
    }
  }

  void write() {
    const std::uint32_t inverse = inverted_ ? ~0u : 0u;
    const std::ptrdiff_t to_next = row();
    for (int j = 0; j < size_; ++j) {
      const std::uint8_t* from = line(j * word_side);
      for (int i = 0; i < fours_; ++i, from += sizeof(Bytes)) {
        FourWords columns{inverse, inverse, inverse, inverse};
        for (int y = 0; y < word_side; ++y) columns ^= (detail::load<FourWords>(from + y * to_next) & 0x11111111u) << y;
        detail::store(detail::words_of_columns(columns), buffer_ + i * detail::words_at_once);
      }
      write_words(j);
    }
  }

 private:
  using Bytes = detail::Bytes;
  using FourWords = detail::FourWords;
  static constexpr int most_fours = largest_side / word_side / detail::words_at_once + 1;

  /// The bytes of a line of sites.
  std::uint8_t* line(int y) { return bytes_ + sizeof(Bytes) + (y + 1) * row(); }
  /// Row j of the words, and where column i of it stands there.
  std::uint32_t* words_of_row(int j) const {
    const int y = (word_y_ + j) & (words_y_ - 1);
    return words_ + static_cast<std::size_t>(y) * static_cast<std::size_t>(words_x_);
  }
  int column(int i) const { return (word_x_ + i) & (words_x_ - 1); }

  void read_words(int j) {
    std::uint32_t* const from = words_of_row(j);
    if constexpr (shared_rim) {
      for (int i = 0; i < size_; ++i) buffer_[i] = Kokkos::atomic_load(from + column(i));
    } else {
      const int before_end = std::min(size_, words_x_ - word_x_);
      std::copy_n(from + word_x_, before_end, buffer_);
      std::copy_n(from, size_ - before_end, buffer_ + before_end);
    }
  }

  void write_words(int j) {
    std::uint32_t* const to = words_of_row(j);
    if constexpr (shared_rim) {
      for (int i = 0; i < size_; ++i) {
        std::uint32_t* const word = to + column(i);
        if (i > 0 && i < size_ - 1 && j > 0 && j < size_ - 1) {
          *word = buffer_[i];
        } else {
          const std::uint32_t changed = (Kokkos::atomic_load(word) ^ buffer_[i]) & own_bits(i, j);
          if (changed != 0) Kokkos::atomic_xor(word, changed);
        }
      }
    } else {
      const int before_end = std::min(size_, words_x_ - word_x_);
      std::copy_n(buffer_, before_end, to + word_x_);
      std::copy_n(buffer_ + before_end, size_ - before_end, to);
    }
  }

  /// The bits of word (i, j) that belong to sites of the domain.
  std::uint32_t own_bits(int i, int j) const {
    const auto part = [this](int word, std::uint32_t from_shift) {
      return word == 0 ? from_shift : word == size_ - 1 ? ~from_shift : ~0u;
    };
    return part(i, columns_from(shift_x_)) & part(j, std::rotl(columns_from(shift_y_), 16));
  }
  /// The bits of a word's columns `first` to 3; with halves exchanged, those of its rows.
  static std::uint32_t columns_from(int first) {
    return (0xffffu & (0xffffu << (4 * first))) | (detail::in_all_nibbles(0xfu & (0xfu << first)) << 16);
  }

  std::uint32_t* words_;  ///< of the replica
  int words_x_, words_y_, word_x_, word_y_, shift_x_, shift_y_;
  int size_;   ///< words in a row, and in a column
  int fours_;  ///< vectors in a row
  bool inverted_;
  std::uint32_t buffer_[most_fours * detail::words_at_once] = {};  ///< a row of words
  /// Lines of sites, with one more below and above, and what is read beside them.
  alignas(Bytes)
      std::uint8_t bytes_[sizeof(Bytes) * (most_fours * static_cast<std::size_t>(largest_side + word_side + 2) + 2)];
};

}  // namespace tessera::kpz
