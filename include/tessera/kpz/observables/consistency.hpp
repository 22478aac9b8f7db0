// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/host_array.hpp>
#include <tessera/core/kokkos_ext/runs_on_host.hpp>
#include <tessera/core/kokkos_ext/word_bits.hpp>
#include <tessera/kpz/observables/slopes.hpp>
#include <tessera/kpz/state/subdomains.hpp>
#include <vector>

namespace tessera::kpz {

/// Number of violated conditions for the bits to be those of surfaces, in all replicas. Slopes must add up to 0 around
/// each square of four sites, and along the first row and the first column, and thereby along all. (For arbitrary bits
/// the slopes around a square add up to 0 or 4, and along a line to a multiple of 4.) Squares of narrow lattices count
/// once per image; images that differ count, too. All ranks that share the lattice call this, and get the number in the
/// whole lattice.
template <class ExecutionSpace>
std::uint64_t count_inconsistencies(const ExecutionSpace& space, const Lattice& lattice,
                                    const Words<ExecutionSpace>& words,
                                    const parallel::Distribution& distribution = {}) {
  constexpr bool on_host = runs_on_host<ExecutionSpace>;
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
  // Sums of the ranks that have sites of the first row, or of the first column.
  const auto replicas = static_cast<std::size_t>(lattice.replicas);
  const Kokkos::View<std::int64_t**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space> lines(
      Kokkos::view_alloc(space, Kokkos::WithoutInitializing, "tessera::kpz::lines"), replicas, 2);
  using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
  Kokkos::parallel_for(
      "tessera::kpz::check_lines", Policy(space, lattice.replicas, on_host ? 1 : 256),
      KOKKOS_LAMBDA(const typename Policy::member_type& team) {
        const int replica = static_cast<int>(team.league_rank());
        int row = 0, column = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, lattice.words_x()),
            [&](int x, int& sum) { sum += rise(slopes_at(lattice, words, replica, x, 0).x); }, row);
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, lattice.ny),
            [&](int y, int& sum) { sum += slope(slopes_at(lattice, words, replica, 0, y).y, 0); }, column);
        if (team.team_rank() == 0) {
          lines(replica, 0) = row;
          lines(replica, 1) = column;
        }
      });
  space.fence("tessera::kpz::check_lines");
  const auto here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), lines);
  std::vector<std::int64_t> sums(2 * replicas);
  for (std::size_t r = 0; r < replicas; ++r) {
    if (distribution.grid.y() == 0) sums[2 * r] = here(r, 0);
    if (distribution.grid.x() == 0) sums[2 * r + 1] = here(r, 1);
  }
  distribution.ranks.sum(sums);
  std::uint64_t open_lines = 0;
  for (const std::int64_t sum : sums) open_lines += sum != 0;
  return distribution.ranks.sum(open_loops) + open_lines;
}

}  // namespace tessera::kpz
