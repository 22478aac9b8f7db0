// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <tessera/core/kokkos_ext/on_gpu.hpp>
#include <tessera/core/kokkos_ext/word_bits.hpp>
#include <tessera/kpz/state/decomposition.hpp>

namespace tessera::kpz {

/// A domain as columns of words that begin at its corner, at any bit position in the words of the lattice. Columns 0 ..
/// d.columns() - 1 contain its sites; columns -1 and d.columns(), and rows -1 and d.domain, those around it. There only
/// sites next to the domain are read, which no team changes during the launch.
///
/// `wide`: the lattice has at least 32 sites in a row. `apart`: domains that are updated at the same time share no
/// word. `upside_down`: the domain is read and written as that of the surface upside down.
template <bool wide, bool apart>
class Window {
 public:
  KOKKOS_FORCEINLINE_FUNCTION Window(const Lattice& lattice, const Decomposition& d, std::uint32_t* words, int replica,
                                     Corner corner, bool upside_down)
      : words_(words + static_cast<std::size_t>(replica) * lattice.words()),
        images_(wide ? 1 : lattice.image_bits()),
        inversion_(upside_down ? ~0u : 0u),
        columns_(d.columns()),
        own_(lowest_bits(d.domain)),
        row_(static_cast<std::uint32_t>(lattice.row)),
        last_word_(static_cast<std::uint32_t>(lattice.wrap_x >> log2_word_sites)),
        last_row_(static_cast<std::uint32_t>(lattice.wrap_y)),
        x_(static_cast<std::uint32_t>(corner.x & lattice.wrap_x)),
        y_(static_cast<std::uint32_t>(corner.y)),
        // Otherwise the next domain that is updated at the same time is at least 64 sites away.
        shared_words_(!apart && (d.border > 0 || d.domain < 2 * word_sites)) {}

  /// The two words of the lattice, in row 0, that a column overlaps.
  struct Column {
    std::uint32_t *first, *second;
  };
  KOKKOS_FORCEINLINE_FUNCTION Column column(int number) const { return {word_at(number), word_at(number + 1)}; }

  /// The word of a column in row y.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t read(const Column& column, int y) const {
    return funnel_right(present(in_row(column.first, y)), present(in_row(column.second, y)), shift()) ^
           (inversion_ & odd_sites(static_cast<int>(x_ + y_) + y));
  }

  /// Number of words of the lattice with sites of a row of the domain.
  KOKKOS_FORCEINLINE_FUNCTION int lattice_words() const {
    const int sites = columns_ > 1 ? columns_ * word_sites : Kokkos::Experimental::popcount_builtin(own_);
    return (static_cast<int>(shift()) + sites + word_sites - 1) / word_sites;
  }

  /// One of lattice_words(): its address in row 0, its sites in the domain, and the first of their two columns.
  struct LatticeWord {
    std::uint32_t* at;
    std::uint32_t mine;
    int column;
  };
  KOKKOS_FORCEINLINE_FUNCTION LatticeWord lattice_word(int number) const {
    const int column = number - (shift() != 0 ? 1 : 0);
    const auto own_bits = [&](int c) { return c >= 0 && c < columns_ ? own_ : 0u; };
    return {word_at(number), joined(own_bits(column), own_bits(column + 1)), column};
  }

  /// Writes the sites of row y in a word of the lattice, from the words of its two columns.
  KOKKOS_FORCEINLINE_FUNCTION void write(const LatticeWord& to, int y, std::uint32_t column, std::uint32_t next) const {
    const std::uint32_t now = (joined(column, next) ^ (inversion_ & odd_sites(static_cast<int>(y_) + y))) & to.mine;
    std::uint32_t* const word = in_row(to.at, y);
    if (apart || !shared_words_) {
      *word = to.mine == ~0u ? now : (*word & ~to.mine) | now;
    } else if (to.mine == ~0u) {
      whole_store(word, now);
    } else {
      const std::uint32_t changed = (whole_load(word) & to.mine) ^ now;
      if (changed != 0) Kokkos::atomic_xor(word, changed);
    }
  }

 private:
  // Atomic accesses of words that other teams may change. On GPUs plain accesses are atomic, and Kokkos' atomic
  // functions would compile to compare-and-swap loops.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t whole_load(const std::uint32_t* word) {
#if defined(TESSERA_ON_GPU)
    return *static_cast<const volatile std::uint32_t*>(word);
#else
    return Kokkos::atomic_load(word);
#endif
  }
  KOKKOS_FORCEINLINE_FUNCTION static void whole_store(std::uint32_t* word, std::uint32_t value) {
#if defined(TESSERA_ON_GPU)
    *static_cast<volatile std::uint32_t*>(word) = value;
#else
    Kokkos::atomic_store(word, value);
#endif
  }

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t shift() const { return x_ % word_sites; }
  /// A word of the lattice from the two columns that it overlaps. A narrow lattice has one word per row, with
  /// consecutive images, which comes from `next` unless column and word begin at the same bit.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t joined(std::uint32_t column, std::uint32_t next) const {
    if (wide || images_ == 1) return funnel_right(column, next, 0u - shift());
    return rotated_right(((shift() != 0 ? next : column) & own_) * images_, 0u - shift());
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t* word_at(int column) const {
    return words_ + ((x_ / word_sites + static_cast<std::uint32_t>(column)) & last_word_);
  }
  /// The word in row y of the domain, from that in row 0 of the lattice, by one multiplication and one addition.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t* in_row(std::uint32_t* word, int y) const {
    const std::uint32_t row = (y_ + static_cast<std::uint32_t>(y)) & last_row_, bytes_x = row_ * sizeof(*word);
    return reinterpret_cast<std::uint32_t*>(reinterpret_cast<char*>(word) + std::size_t{row} * bytes_x);
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t present(const std::uint32_t* word) const {
    return !apart && shared_words_ ? whole_load(word) : *word;
  }

  std::uint32_t* words_;     ///< of the replica
  std::uint32_t images_;     ///< Lattice::image_bits()
  std::uint32_t inversion_;  ///< all bits if upside down, else none
  int columns_;
  std::uint32_t own_;  ///< mask of the sites of a column in the domain
  std::uint32_t row_, last_word_, last_row_, x_, y_;
  bool shared_words_;  ///< whether domains that are updated at the same time share words
};

}  // namespace tessera::kpz
