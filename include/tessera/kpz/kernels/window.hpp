// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/kpz/decomposition.hpp>

namespace tessera::kpz {

/// A domain in the scratch of a team, as words that begin at the domain's corner, wherever that is in the words of the
/// lattice: the domain's words, and around them those of its neighbours that updates can reach (right and above) or
/// that share words of the lattice with it.
///
/// `shared_rim`: other teams work on the domains beside this one, and words at the rim belong to both. Neither changes
/// the other's bits. Without it nobody else changes any of these words, so that they are written back whole; for that
/// the copy has a row and a column more, below and to the left.
template <bool shared_rim, class Words>
class Window {
 public:
  /// Words of the copy in a row, and the number of its rows.
  KOKKOS_FORCEINLINE_FUNCTION static int width(const Decomposition& d) { return d.domain_words() + 1 + before; }

  KOKKOS_FORCEINLINE_FUNCTION Window(const Lattice& lattice, const Decomposition& d, const Words& words, int replica,
                                     Corner corner, std::uint32_t* copy)
      : words_(words.data() + static_cast<std::size_t>(replica) * lattice.words()),
        copy_(copy),
        row_bits_(static_cast<std::uint32_t>(lattice.words_y() - 1)),
        column_bits_(static_cast<std::uint32_t>(lattice.words_x() - 1)),
        row_words_(static_cast<std::uint32_t>(lattice.words_x())),
        width_(width(d)),
        owned_(d.domain_words()),
        word_x_(corner.x / word_side),
        word_y_(corner.y / word_side),
        shift_x_(corner.x % word_side),
        shift_y_(corner.y % word_side) {}

  /// The word of the copy at the domain's corner.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t* begin() const { return copy_ + before * width_ + before; }

  /// Fills the copy.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void read(const Team& team) const {
    for_each_word(team, [&](int i, int j, int index) {
      const int x = i - before, y = j - before;
      const std::uint32_t lower = shifted_in_x(present(x, y), present(x + 1, y), shift_x_);
      const std::uint32_t upper = shifted_in_x(present(x, y + 1), present(x + 1, y + 1), shift_x_);
      copy_[index] = shifted_in_y(lower, upper, shift_y_);
    });
  }

  /// Writes the copy back.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void write(const Team& team) const {
    if constexpr (shared_rim) {
      for_each_word(team, [&](int x, int y, int index) { write_own_bits(x, y, index); });
    } else {
      for_each_word(team, [&](int i, int j, int index) {
        if (i < before || j < before) return;
        words_[there(i - before, j - before)] = back_from([&](int x, int y) { return copy_[index + y * width_ + x]; });
      });
    }
  }

 private:
  static constexpr int before = shared_rim ? 0 : 1;  ///< words before the domain's corner, in a row and in a column

  /// Calls what(i, j, index) for the words of the copy, each by one lane.
  template <class Team, class What>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_word(const Team& team, const What& what) const {
    const int step_y = team.team_size() / width_, step_x = team.team_size() - step_y * width_;
    int y = team.team_rank() / width_, x = team.team_rank() - y * width_;
    while (y < width_) {
      what(x, y, y * width_ + x);
      x += step_x;
      y += step_y;
      if (x >= width_) {
        x -= width_;
        ++y;
      }
    }
  }

  /// Where a word of the lattice stands in its replica, counted from the one that the domain's corner is in.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t there(int x, int y) const {
    const std::uint32_t row = static_cast<std::uint32_t>(word_y_ + y) & row_bits_;
    return row * row_words_ + (static_cast<std::uint32_t>(word_x_ + x) & column_bits_);
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t present(int x, int y) const {
    std::uint32_t* word = words_ + there(x, y);
    if constexpr (shared_rim) {
      return Kokkos::atomic_load(word);
    } else {
      return *word;
    }
  }

  /// A word of the copy, of which only those bits that belong to the domain change: at the rim other teams change
  /// others.
  KOKKOS_FORCEINLINE_FUNCTION void write_own_bits(int x, int y, int index) const {
    const auto copied = [&](int i, int j) { return copy_[index + j * width_ + i]; };
    if (x > 0 && y > 0 && x < owned_ && y < owned_) {
      words_[there(x, y)] = back_from(copied);
      return;
    }
    const auto owns = [&](int i, int j) { return x + i >= 0 && y + j >= 0 && x + i < owned_ && y + j < owned_; };
    const std::uint32_t mine = back_from([&](int i, int j) { return owns(i, j) ? ~0u : 0u; });
    const std::uint32_t now = back_from([&](int i, int j) { return owns(i, j) ? copied(i, j) : 0u; });
    const std::uint32_t changed = (present(x, y) ^ now) & mine;
    if (changed != 0) Kokkos::atomic_xor(words_ + there(x, y), changed);
  }

  /// A word of the lattice, from those of the copy that it overlaps: copy(i, j), i and j -1 for left and below, or 0.
  template <class Copy>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t back_from(const Copy& copy) const {
    const int x = word_side - shift_x_, y = word_side - shift_y_;
    return shifted_in_y(shifted_in_x(copy(-1, -1), copy(0, -1), x), shifted_in_x(copy(-1, 0), copy(0, 0), x), y);
  }

  std::uint32_t* words_;  ///< of the replica
  std::uint32_t* copy_;
  std::uint32_t row_bits_, column_bits_, row_words_;
  int width_, owned_;  ///< words of the copy in a row, and those of the domain
  int word_x_, word_y_, shift_x_, shift_y_;
};

}  // namespace tessera::kpz
