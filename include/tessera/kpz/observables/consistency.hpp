// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/host_array.hpp>
#include <tessera/core/kokkos_ext/word_bits.hpp>
#include <tessera/kpz/observables/slopes.hpp>
#include <tessera/kpz/observables/surface_sums.hpp>
#include <tessera/kpz/state/subdomains.hpp>
#include <vector>

namespace tessera::kpz {

/// Collective. Number of violations, in the whole lattice of all replicas, of the conditions that the bits represent
/// surfaces: slopes add up to 0 around each square of four sites, and along the last row and the first column, thus
/// along all. (For arbitrary bits they add up to 0 or +-4 around a square, and to a multiple of 4 along a line.) In
/// narrow lattices squares count once per image, and words with different images count, too.
template <class ExecutionSpace>
std::uint64_t count_inconsistencies(const ExecutionSpace& space, const Lattice& lattice,
                                    const Words<ExecutionSpace>& words,
                                    const parallel::Distribution& distribution = {}) {
  std::uint64_t open_loops = 0;
  Kokkos::parallel_reduce(
      "tessera::kpz::check_loops", Indices<ExecutionSpace>(space, 0, lattice.all_rows() * lattice.words_x()),
      KOKKOS_LAMBDA(std::int64_t index, std::uint64_t & count) {
        const std::int64_t of_replica = std::int64_t{lattice.ny} * lattice.words_x();
        const int replica = static_cast<int>(index / of_replica);
        const int x = static_cast<int>(index % of_replica % lattice.words_x());
        const int y = static_cast<int>(index % of_replica / lattice.words_x());
        // From the lower left site of a square to the upper right one: right and up, or up and right.
        const Slopes here = slopes_at(lattice, words, replica, x, y);
        const std::uint32_t right = slopes_at(lattice, words, replica, x, y - 1).x, then_up = here.y;
        const std::uint32_t up = (here.y << 1) | (slopes_at(lattice, words, replica, x - 1, y).y >> 31),
                            then_right = here.x;
        const std::uint32_t apart = (right & then_up & ~up & ~then_right) | (~right & ~then_up & up & then_right);
        count += static_cast<std::uint64_t>(Kokkos::Experimental::popcount_builtin(apart));
        const std::uint32_t word = words(lattice.word(replica, x, y));
        count += rotated_right(word, static_cast<std::uint32_t>(lattice.nx)) != word;
      },
      open_loops);
  // Sums over the ranks with sites of the last row, or of the first column.
  std::vector<std::int64_t> sums = rises_of_block(space, lattice, words);
  for (std::size_t i = 0; i < sums.size(); i += 3) {
    sums[i] = 0;
    if (distribution.grid.y() != 0) sums[i + 1] = 0;
    if (distribution.grid.x() != 0) sums[i + 2] = 0;
  }
  distribution.ranks.sum(sums);
  std::uint64_t open_lines = 0;
  for (const std::int64_t sum : sums) open_lines += sum != 0;
  return distribution.ranks.sum(open_loops) + open_lines;
}

}  // namespace tessera::kpz
