// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <tessera/kpz/kernels/window.hpp>
#include <tessera/kpz/state/decomposition.hpp>

namespace tessera::kpz {

/// The words of a domain in scratch memory, column by column, with the surrounding ones: columns -1 .. d.columns(),
/// rows -1 .. d.domain. `side` of the domain and `lanes` of the team: 0 if not known at compile time.
template <int side = 0, int lanes = 0>
class ScratchColumns {
 public:
  static std::size_t bytes(const Decomposition& d) { return words(d) * sizeof(std::uint32_t); }
  KOKKOS_FORCEINLINE_FUNCTION static std::size_t words(const Decomposition& d) {
    return static_cast<std::size_t>((columns(d.columns()) + 2) * stride(rows(d.domain)));
  }
  /// Words from one column to the next, so that columns begin at different banks of a GPU's shared memory.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int stride(int domain) { return domain + 8; }

  KOKKOS_FORCEINLINE_FUNCTION ScratchColumns(const Decomposition& d, std::uint32_t* words)
      : words_(words), rows_(d.domain), columns_(d.columns()) {}

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t& at(int column, int y) const {
    return words_[(column + 1) * stride(rows(rows_)) + y + 1];
  }

  // Windows are passed by value: a compiler must assume that a store may change an object in memory.

  /// Read or write a window by one thread.
  template <class Window>
  void read(const Window window) const {
    const int height = rows_, width = columns_;
    for (int number = -1; number <= width; ++number) {
      const auto column = window.column(number);
      std::uint32_t* const to = &at(number, 0);
      for (int y = -1; y <= height; ++y) to[y] = window.read(column, y);
    }
  }
  template <class Window>
  void write(const Window window) const {
    const int height = rows_;
    for (int number = 0; number < window.lattice_words(); ++number) {
      const auto word = window.lattice_word(number);
      const std::uint32_t *const first = &at(word.column, 0), *const second = &at(word.column + 1, 0);
      for (int y = 0; y < height; ++y) window.write(word, y, first[y], second[y]);
    }
  }

  /// The same by at least lanes_of_row() lanes of a team. Neighbouring lanes have neighbouring words of a row.
  template <class Team, class Window>
  KOKKOS_FORCEINLINE_FUNCTION void read(const Team& team, const Window window) const {
    const int height = rows(rows_), at_once = rows_at_once(team);
    const int number = lane_of_row(team) - 1;
    if (number > columns(columns_)) return;
    const auto column = window.column(number);
    // Several words are requested before the first arrives.
    constexpr int ahead = 5;
    for (int first = row_of(team) - 1; first <= height; first += ahead * at_once) {
      std::uint32_t words[ahead] = {};
      for (int i = 0; i < ahead; ++i)
        if (first + i * at_once <= height) words[i] = window.read(column, first + i * at_once);
      for (int i = 0; i < ahead; ++i)
        if (first + i * at_once <= height) at(number, first + i * at_once) = words[i];
    }
  }
  template <class Team, class Window>
  KOKKOS_FORCEINLINE_FUNCTION void write(const Team& team, const Window window) const {
    const int height = rows(rows_), at_once = rows_at_once(team);
    const int number = lane_of_row(team);
    if (number >= window.lattice_words()) return;
    const auto word = window.lattice_word(number);
    for (int y = row_of(team); y < height; y += at_once)
      window.write(word, y, at(word.column, y), at(word.column + 1, y));
  }

 private:
  /// A power of two.
  KOKKOS_FORCEINLINE_FUNCTION int lanes_of_row() const {
    const int width = columns(columns_) + 2;
    return width <= 4 ? 4 : width <= 8 ? 8 : 16;
  }
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int lane_of_row(const Team& team) const {
    return static_cast<int>(static_cast<unsigned>(team.team_rank()) % static_cast<unsigned>(lanes_of_row()));
  }
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int row_of(const Team& team) const {
    return static_cast<int>(static_cast<unsigned>(team.team_rank()) / static_cast<unsigned>(lanes_of_row()));
  }
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int rows_at_once(const Team& team) const {
    return (lanes > 0 ? lanes : team.team_size()) / lanes_of_row();
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int rows(int rows) { return side > 0 ? side : rows; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int columns(int columns) {
    return side >= word_sites ? side / word_sites : columns;
  }

  std::uint32_t* words_;
  int rows_, columns_;
};

}  // namespace tessera::kpz
