// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <tessera/kpz/surface_sums.hpp>
#include <vector>

namespace tessera::kpz {

/// The heights of all sites, [replicas, ny, nx], in layers above the lower sites of the flat start, from slopes on the
/// host and the numbers of depositions and removals, [replicas, 2].
inline std::vector<std::int32_t> heights_of(const Lattice& lattice, const std::vector<std::uint32_t>& words,
                                            const std::vector<std::uint64_t>& accepted) {
  const auto sites = static_cast<std::size_t>(lattice.sites());
  std::vector<std::int32_t> heights(sites * static_cast<std::size_t>(lattice.replicas));
  for (int r = 0; r < lattice.replicas; ++r) {
    const auto replica = static_cast<std::size_t>(r);
    std::int32_t* of_replica = heights.data() + replica * sites;
    std::int64_t total = 0;
    int below = 0;
    for (int wy = 0; wy < lattice.words_y(); ++wy) {
      const std::uint32_t first = words[lattice.word(r, 0, wy)];
      int left = below + slope(first, 16) - slope(first, 0);
      for (int wx = 0; wx < lattice.words_x(); ++wx) {
        const std::uint32_t word = words[lattice.word(r, wx, wy)];
        const HeightsOfWord of_word = heights_of_word(word, left);
        for (int y = 0; y < word_side; ++y)
          for (int x = 0; x < word_side; ++x) {
            const int height = of_word.at[word_side * y + x];
            of_replica[std::int64_t{wy * word_side + y} * lattice.nx + wx * word_side + x] = height;
            total += height;
          }
        left += rise_in_x(word);
      }
      below += rise_in_y(first);
    }
    // The flat start has a mean height of 1/2, an octahedron adds 2 to the sum.
    const auto grown = static_cast<std::int64_t>(accepted[2 * replica] - accepted[2 * replica + 1]);
    const std::int64_t offset = (lattice.sites() / 2 + 2 * grown - total) / lattice.sites();
    for (std::size_t i = 0; i < sites; ++i) of_replica[i] += static_cast<std::int32_t>(offset);
  }
  return heights;
}

}  // namespace tessera::kpz
