// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <tessera/kpz/decomposition.hpp>
#include <tessera/kpz/kernels/window.hpp>

namespace tessera::kpz {

/// The words of a domain in the scratch of a team, column by column, with those around it: columns -1 to columns() of
/// rows -1 to d.domain.
class ScratchColumns {
 public:
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int words(int domain, int columns) {
    return (columns + 2) * stride(domain);
  }
  static std::size_t bytes(const Decomposition& d) {
    return static_cast<std::size_t>(words(d.domain, d.columns())) * sizeof(std::uint32_t);
  }
  /// Words from a column to the next one: columns begin at different banks of a GPU's shared memory.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int stride(int domain) { return domain + 8; }

  KOKKOS_FORCEINLINE_FUNCTION ScratchColumns(const Decomposition& d, std::uint32_t* words)
      : words_(words), rows_(d.domain), columns_(d.columns()) {}

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t& at(int column, int y) const {
    return words_[(column + 1) * stride(rows_) + y + 1];
  }

  // By value, here and below: what is written may be any word, for all that a compiler knows.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void read(const Team& team, const Window window) const {
    if (team.team_size() == 1) {
      const int rows = rows_, columns = columns_;
      for (int number = -1; number <= columns; ++number) {
        const auto column = window.column(number);
        std::uint32_t* const to = &at(number, 0);
        for (int y = -1; y <= rows; ++y) to[y] = window.read(column, y);
      }
    } else {
      for_each(team, columns_ + 2, rows_ + 2,
               [&](int i, int j) { at(i - 1, j - 1) = window.read(window.column(i - 1), j - 1); });
    }
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void write(const Team& team, const Window window) const {
    if (team.team_size() == 1) {
      const int rows = rows_;
      for (int number = 0; number < window.lattice_words(); ++number) {
        const auto word = window.lattice_word(number);
        const std::uint32_t *const first = &at(word.column, 0), *const second = &at(word.column + 1, 0);
        for (int y = 0; y < rows; ++y) window.write(word, y, first[y], second[y]);
      }
    } else {
      for_each(team, window.lattice_words(), rows_, [&](int number, int y) {
        const auto word = window.lattice_word(number);
        window.write(word, y, at(word.column, y), at(word.column + 1, y));
      });
    }
  }

 private:
  /// Calls what(i, j) for all i < width and j < height, each by one lane, i first.
  template <class Team, class What>
  KOKKOS_FORCEINLINE_FUNCTION static void for_each(const Team& team, int width, int height, const What& what) {
    const int step_j = team.team_size() / width, step_i = team.team_size() - step_j * width;
    int j = team.team_rank() / width, i = team.team_rank() - j * width;
    while (j < height) {
      what(i, j);
      i += step_i;
      j += step_j;
      if (i >= width) {
        i -= width;
        ++j;
      }
    }
  }

  std::uint32_t* words_;
  int rows_, columns_;
};

}  // namespace tessera::kpz
