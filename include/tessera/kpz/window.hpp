// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/kpz/decomposition.hpp>

namespace tessera::kpz {

/// A domain in the scratch of a team, as words that begin at the domain's corner, wherever that is in the words of the
/// lattice: rows of window_words() words, of which the last column and the last row belong to the neighbours.
///
/// `shared_rim`: other teams work on the domains beside this one, and words at the rim belong to both. Neither changes
/// the other's bits.
template <bool shared_rim, class Words>
class Window {
 public:
  KOKKOS_FORCEINLINE_FUNCTION Window(const Lattice& lattice, const Decomposition& d, const Words& words, int replica,
                                     Corner corner, std::uint32_t* copy)
      : lattice_(lattice),
        words_(words),
        copy_(copy),
        replica_(replica),
        width_(d.window_words()),
        owned_(shared_rim ? d.domain_words() : d.window_words()),
        word_x_(corner.x / word_side),
        word_y_(corner.y / word_side),
        shift_x_(corner.x % word_side),
        shift_y_(corner.y % word_side) {}

  /// Fills the copy.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void read(const Team& team) const {
    for_each_word(team, [&](int x, int y, int index) {
      const std::uint32_t lower = shifted_in_x(present(x, y), present(x + 1, y), shift_x_);
      const std::uint32_t upper = shifted_in_x(present(x, y + 1), present(x + 1, y + 1), shift_x_);
      copy_[index] = shifted_in_y(lower, upper, shift_y_);
    });
  }

  /// Writes the copy back.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void write(const Team& team) const {
    for_each_word(team, [&](int x, int y, int index) {
      const std::size_t there = lattice_.word(replica_, word_x_ + x, word_y_ + y);
      if (x > 0 && y > 0 && x < owned_ && y < owned_) {
        words_(there) = back_from([&](int i, int j) { return copy_[index + j * width_ + i]; });
        return;
      }
      const std::uint32_t mine = back_from([&](int i, int j) { return owns(x + i, y + j) ? ~0u : 0u; });
      const std::uint32_t now =
          back_from([&](int i, int j) { return owns(x + i, y + j) ? copy_[index + j * width_ + i] : 0u; });
      const std::uint32_t before = present(x, y);
      if constexpr (shared_rim) {
        const std::uint32_t changed = (before ^ now) & mine;
        if (changed != 0) Kokkos::atomic_xor(&words_(there), changed);
      } else {
        words_(there) = (before & ~mine) | (now & mine);
      }
    });
  }

 private:
  /// Calls what(x, y, index) for the words of the copy, each by one lane.
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

  /// A word of the lattice, counted from the one that the domain's corner is in.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t present(int x, int y) const {
    const std::uint32_t* word = &words_(lattice_.word(replica_, word_x_ + x, word_y_ + y));
    if constexpr (shared_rim) {
      return Kokkos::atomic_load(word);
    } else {
      return *word;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION bool owns(int x, int y) const { return x >= 0 && y >= 0 && x < owned_ && y < owned_; }

  /// A word of the lattice, from those of the copy that it overlaps: copy(i, j), i and j -1 for left and below, or 0.
  template <class Copy>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t back_from(const Copy& copy) const {
    if (shift_y_ == 0) return row_back_from(copy, 0);
    return shifted_in_y(row_back_from(copy, -1), row_back_from(copy, 0), word_side - shift_y_);
  }
  template <class Copy>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t row_back_from(const Copy& copy, int j) const {
    return shift_x_ == 0 ? copy(0, j) : shifted_in_x(copy(-1, j), copy(0, j), word_side - shift_x_);
  }

  const Lattice& lattice_;
  const Words& words_;
  std::uint32_t* copy_;
  int replica_;
  int width_, owned_;  ///< words of the copy in a row, and those that may have changed
  int word_x_, word_y_, shift_x_, shift_y_;
};

}  // namespace tessera::kpz
