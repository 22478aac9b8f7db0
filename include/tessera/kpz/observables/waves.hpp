// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <bit>
#include <cstdint>
#include <tessera/kpz/observables/surface_sums.hpp>
#include <tessera/kpz/state/word.hpp>
#include <tessera/simulation/line_sums.hpp>

namespace tessera::kpz {

/// Adds to each column the number of sites that are higher than their left neighbours, and to each row of those that
/// are higher than their lower neighbours; twice; see LineSums::sum(). The sum of the heights of a line is that of
/// the line before plus this number minus the number of its sites.
template <class Words, int rows>
struct CountRises {
  Lattice lattice;
  Words words;

  KOKKOS_FUNCTION void operator()(int replica, int x, int y, int count, std::uint64_t* of_rows,
                                  std::uint64_t* of_columns) const {
    constexpr int digits = std::bit_width(static_cast<unsigned>(rows));
    std::uint32_t numbers[digits] = {};  // binary digits of the numbers of all columns
    for (int i = 0; i < rows; ++i) {
      if (i >= count) break;
      const Slopes slopes = slopes_at(lattice, words, replica, x, y + i);
      of_rows[i] +=
          static_cast<std::uint64_t>(2 * Kokkos::Experimental::popcount_builtin(slopes.y & lowest_bits(lattice.nx)));
      std::uint32_t carry = slopes.x;
      for (std::uint32_t& digit : numbers) {
        const std::uint32_t both = digit & carry;
        digit ^= carry;
        carry = both;
      }
    }
    for (int c = 0; c < word_sites; ++c)
      for (int d = 0; d < digits; ++d) of_columns[c] += std::uint64_t{numbers[d] >> c & 1u} << (d + 1);
  }
};

}  // namespace tessera::kpz
