// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tessera/core/host_array.hpp>
#include <tessera/core/kokkos_ext/runs_on_host.hpp>
#include <tessera/kpz/observables/slopes.hpp>
#include <tessera/kpz/state/subdomains.hpp>
#include <vector>

namespace tessera::kpz {

/// Rises of each replica's surface along the edges of a rank's block, in layers, [replicas, 3]: from the left neighbour
/// of the site below the lower left one of the block to that site; from there to the site below the lower right one;
/// from the site below the lower left one to the upper left site.
template <class ExecutionSpace>
std::vector<std::int64_t> rises_of_block(const ExecutionSpace& space, const Lattice& lattice,
                                         const Words<ExecutionSpace>& words) {
  const Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space> rises(
      Kokkos::view_alloc(space, Kokkos::WithoutInitializing, "tessera::kpz::rises"), 3 * lattice.replicas);
  using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
  Kokkos::parallel_for(
      "tessera::kpz::rises_of_block", Policy(space, lattice.replicas, runs_on_host<ExecutionSpace> ? 1 : 256),
      KOKKOS_LAMBDA(const typename Policy::member_type& team) {
        const int replica = static_cast<int>(team.league_rank());
        int across = 0, up = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, lattice.words_x()),
            [&](int x, int& sum) { sum += rise(slopes_at(lattice, words, replica, x, -1).x); }, across);
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, lattice.ny),
            [&](int y, int& sum) { sum += slope(slopes_at(lattice, words, replica, 0, y).y, 0); }, up);
        if (team.team_rank() == 0) {
          rises(3 * replica) = slope(slopes_at(lattice, words, replica, 0, -1).x, 0);
          rises(3 * replica + 1) = across;
          rises(3 * replica + 2) = up;
        }
      });
  return to_host(space, rises);
}

/// All ranks: computes the height of the site below the lower left one of this rank's block, for each replica, from the
/// rises of the blocks of all ranks. Heights count from that of site (0, ny - 1) of the whole lattice.
template <class ExecutionSpace>
std::vector<int> corner_heights(const ExecutionSpace& space, const Lattice& lattice, const Words<ExecutionSpace>& words,
                                const parallel::Distribution& distribution) {
  const parallel::RankGrid& grid = distribution.grid;
  const auto mine = rises_of_block(space, lattice, words);
  std::vector<std::int64_t> all(mine.size() * static_cast<std::size_t>(distribution.ranks.size()));
  std::ranges::copy(mine, all.begin() + grid.rank() * static_cast<std::ptrdiff_t>(mine.size()));
  distribution.ranks.sum(all);
  std::vector<int> heights;
  for (std::size_t first = 0; first < mine.size(); first += 3) {
    const auto of = [&](int rank, std::size_t rise) {
      return all[static_cast<std::size_t>(rank) * mine.size() + first + rise];
    };
    std::int64_t height = of(grid.rank(), 0) - of(grid.at(0, grid.y()), 0);
    for (int y = 0; y < grid.y(); ++y) height += of(grid.at(0, y), 2);
    for (int x = 0; x < grid.x(); ++x) height += of(grid.at(x, grid.y()), 1);
    heights.push_back(static_cast<int>(height));
  }
  return heights;
}

}  // namespace tessera::kpz
