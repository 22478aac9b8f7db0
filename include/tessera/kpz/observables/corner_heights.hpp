// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tessera/core/kokkos_ext/runs_on_host.hpp>
#include <tessera/kpz/observables/slopes.hpp>
#include <tessera/kpz/state/subdomains.hpp>
#include <vector>

namespace tessera::kpz {

/// Rises of a surface along the edges of a rank's block, in layers.
struct Rises {
  std::int64_t first;   ///< from the left neighbour of the site below the lower left one of the block to that site
  std::int64_t across;  ///< from there to the site below the lower right one
  std::int64_t up;      ///< from the site below the lower left one to the upper left site
};

/// Rises of each replica.
template <class ExecutionSpace>
std::vector<Rises> rises_of_block(const ExecutionSpace& space, const Lattice& lattice,
                                  const Words<ExecutionSpace>& words) {
  constexpr bool on_host = runs_on_host<ExecutionSpace>;
  const Kokkos::View<std::int64_t**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space> rises(
      Kokkos::view_alloc(space, Kokkos::WithoutInitializing, "tessera::kpz::rises"), lattice.replicas, 3);
  using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
  Kokkos::parallel_for(
      "tessera::kpz::rises_of_block", Policy(space, lattice.replicas, on_host ? 1 : 256),
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
          rises(replica, 0) = slope(slopes_at(lattice, words, replica, 0, -1).x, 0);
          rises(replica, 1) = across;
          rises(replica, 2) = up;
        }
      });
  space.fence("tessera::kpz::rises_of_block");
  const auto here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), rises);
  std::vector<Rises> result;
  for (int r = 0; r < lattice.replicas; ++r) result.push_back({here(r, 0), here(r, 1), here(r, 2)});
  return result;
}

/// All ranks: computes the height of the site below the lower left one of this rank's block, for each replica, from the
/// rises of the blocks of all ranks. Heights count from that of site (0, ny - 1) of the whole lattice.
template <class ExecutionSpace>
std::vector<int> corner_heights(const ExecutionSpace& space, const Lattice& lattice, const Words<ExecutionSpace>& words,
                                const parallel::Distribution& distribution) {
  const auto size = static_cast<std::size_t>(distribution.ranks.size()),
             replicas = static_cast<std::size_t>(lattice.replicas);
  std::vector<std::int64_t> all(3 * size * replicas);
  const auto at = [&](int rank, std::size_t replica) {
    return std::span(all).subspan(3 * (static_cast<std::size_t>(rank) * replicas + replica), 3);
  };
  const auto rises = rises_of_block(space, lattice, words);
  for (std::size_t r = 0; r < replicas; ++r) {
    const auto to = at(distribution.grid.rank(), r);
    to[0] = rises[r].first;
    to[1] = rises[r].across;
    to[2] = rises[r].up;
  }
  distribution.ranks.sum(all);
  std::vector<int> heights;
  for (std::size_t r = 0; r < replicas; ++r) {
    std::int64_t height = 0;
    for (int y = 0; y < distribution.grid.y(); ++y) height += at(distribution.grid.at(0, y), r)[2];
    height -= at(distribution.grid.at(0, distribution.grid.y()), r)[0];
    for (int x = 0; x < distribution.grid.x(); ++x) height += at(distribution.grid.at(x, distribution.grid.y()), r)[1];
    height += at(distribution.grid.rank(), r)[0];
    heights.push_back(static_cast<int>(height));
  }
  return heights;
}

}  // namespace tessera::kpz
