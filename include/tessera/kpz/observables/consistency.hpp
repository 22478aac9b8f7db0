// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/kpz/observables/surface_sums.hpp>

namespace tessera::kpz {

/// How many conditions for slopes to be those of a surface are not met, in all replicas: around each square of four
/// sites the slopes must add up to 0, and so they must along each row and each column.
template <class ExecutionSpace>
std::uint64_t count_inconsistencies(const ExecutionSpace& space, const Lattice& lattice,
                                    const Words<ExecutionSpace>& words) {
  using Range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
  std::uint64_t open_loops = 0, lines = 0;
  const auto all_words = static_cast<std::int64_t>(lattice.all_words());
  Kokkos::parallel_reduce(
      "tessera::kpz::check_loops", Range(space, 0, all_words),
      KOKKOS_LAMBDA(std::int64_t index, std::uint64_t & count) {
        const auto of_replica = static_cast<std::int64_t>(lattice.words());
        const int replica = static_cast<int>(index / of_replica);
        const int wx = static_cast<int>(index % of_replica % lattice.words_x());
        const int wy = static_cast<int>(index % of_replica / lattice.words_x());
        // The slope to the left of a site, or below it, whose word is this one, the one to the left or the one below.
        const std::uint32_t word = words(lattice.word(replica, wx, wy)),
                            left = words(lattice.word(replica, wx - 1, wy)),
                            below = words(lattice.word(replica, wx, wy - 1));
        for (int y = 0; y < word_side; ++y)
          for (int x = 0; x < word_side; ++x) {
            const int upper = slope(word, 4 * x + y), right = slope(word, 16 + 4 * y + x);
            const int lower = y > 0 ? slope(word, 4 * x + y - 1) : slope(below, 4 * x + 3);
            const int other = x > 0 ? slope(word, 16 + 4 * y + x - 1) : slope(left, 16 + 4 * y + 3);
            count += lower + right - upper - other != 0;
          }
      },
      open_loops);
  const std::int64_t rows = std::int64_t{lattice.ny} * lattice.replicas,
                     columns = std::int64_t{lattice.nx} * lattice.replicas;
  Kokkos::parallel_reduce(
      "tessera::kpz::check_lines", Range(space, 0, rows + columns),
      KOKKOS_LAMBDA(std::int64_t line, std::uint64_t & count) {
        int total = 0;
        if (line < rows) {
          const int replica = static_cast<int>(line / lattice.ny), y = static_cast<int>(line % lattice.ny);
          for (int x = 0; x < lattice.words_x(); ++x)
            total += 2 * Kokkos::Experimental::popcount_builtin(words(lattice.word(replica, x, y / word_side)) &
                                                                (0x1111u << (y % word_side))) -
                     4;
        } else {
          const std::int64_t column = line - rows;
          const int replica = static_cast<int>(column / lattice.nx), x = static_cast<int>(column % lattice.nx);
          for (int y = 0; y < lattice.words_y(); ++y)
            total += 2 * Kokkos::Experimental::popcount_builtin(words(lattice.word(replica, x / word_side, y)) &
                                                                (0x11110000u << (x % word_side))) -
                     4;
        }
        count += total != 0;
      },
      lines);
  return open_loops + lines;
}

}  // namespace tessera::kpz
