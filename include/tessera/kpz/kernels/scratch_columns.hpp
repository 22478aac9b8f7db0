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

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void read(const Team& team, const Window& window) const {
    if (team.team_size() == 1) {
      for (int y = -1; y <= rows_; ++y)
        for (int column = -1; column <= columns_; ++column) at(column, y) = window.read(column, y);
    } else {
      for_each(team, columns_ + 2, rows_ + 2, [&](int i, int j) { at(i - 1, j - 1) = window.read(i - 1, j - 1); });
    }
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void write(const Team& team, const Window& window) const {
    const auto write_row = [&](const Window::LatticeWord& word, int y) {
      window.write(word, y, [&](int column) { return at(column, y); });
    };
    if (team.team_size() == 1) {
      for (int number = 0; number < window.lattice_words(); ++number) {
        const auto word = window.lattice_word(number);
        for (int y = 0; y < rows_; ++y) write_row(word, y);
      }
    } else {
      for_each(team, window.lattice_words(), rows_,
               [&](int number, int y) { write_row(window.lattice_word(number), y); });
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
