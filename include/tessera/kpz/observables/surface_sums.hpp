// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <string>
#include <tessera/analysis/exact_sums.hpp>
#include <tessera/core/kokkos_ext/runs_on_host.hpp>
#include <tessera/kpz/decomposition.hpp>
#include <vector>

/// Sums over the sites of a surface whose heights are rebuilt from its bits, word by word, as they are needed: exact
/// integers, so that no order of summation shows. Heights are counted from that of site (0, ny - 1).
namespace tessera::kpz {

/// The slopes of 32 sites of a row: 1 where the height rises from the left, or from the lower neighbour to the site.
struct Slopes {
  std::uint32_t x, y;
};

/// Those of a word, given the words to the left and below.
KOKKOS_FORCEINLINE_FUNCTION Slopes slopes_of(std::uint32_t word, std::uint32_t left, std::uint32_t below) {
  return {rises((word << 1) | (left >> 31), word), rises(below, word)};
}

/// The slope of one site as +1 or -1.
KOKKOS_FORCEINLINE_FUNCTION int slope(std::uint32_t slopes, int site) {
  return 2 * static_cast<int>((slopes >> site) & 1u) - 1;
}

/// What the 32 sites rise by, the first one's own slope included.
KOKKOS_FORCEINLINE_FUNCTION int rise(std::uint32_t slopes) {
  return 2 * Kokkos::Experimental::popcount_builtin(slopes) - word_sites;
}

/// Calls what(height, x) for 32 sites with these slopes in x; `left` is the height of the site to the left of them.
template <class What>
KOKKOS_FORCEINLINE_FUNCTION void for_each_height(std::uint32_t slopes, int left, const What& what) {
  int height = left;
  for (int x = 0; x < word_sites; ++x) {
    height += slope(slopes, x);
    what(height, x);
  }
}

template <class ExecutionSpace>
using Words = Kokkos::View<std::uint32_t*, typename ExecutionSpace::memory_space>;
template <class ExecutionSpace>
using RowStarts = Kokkos::View<int**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space>;

inline int lanes_of_row(bool on_host, const Lattice& lattice) {
  return on_host ? 1 : std::clamp(lattice.words_x(), 32, 256);
}

/// The slopes of word x of row y.
template <class Words>
KOKKOS_FORCEINLINE_FUNCTION Slopes slopes_at(const Lattice& lattice, const Words& words, int replica, int x, int y) {
  return slopes_of(words(lattice.word(replica, x, y)), words(lattice.word(replica, x - 1, y)),
                   words(lattice.word(replica, x, y - 1)));
}

/// The height of the site to the left of each row, for each replica.
template <class ExecutionSpace>
RowStarts<ExecutionSpace> row_starts(const ExecutionSpace& space, const Lattice& lattice,
                                     const Words<ExecutionSpace>& words) {
  constexpr bool on_host = runs_on_host<ExecutionSpace>;
  const RowStarts<ExecutionSpace> starts(
      Kokkos::view_alloc(space, Kokkos::WithoutInitializing, "tessera::kpz::row_starts"), lattice.replicas, lattice.ny);
  using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
  Kokkos::parallel_for(
      "tessera::kpz::row_starts", Policy(space, lattice.replicas, on_host ? 1 : 256),
      KOKKOS_LAMBDA(const typename Policy::member_type& team) {
        const int replica = static_cast<int>(team.league_rank());
        Kokkos::parallel_scan(Kokkos::TeamThreadRange(team, lattice.ny), [&](int y, int& below, bool last_pass) {
          const Slopes slopes = slopes_at(lattice, words, replica, 0, y);
          below += slope(slopes.y, 0);
          if (last_pass) starts(replica, y) = below - slope(slopes.x, 0);
        });
      });
  return starts;
}

/// Rows that a team takes, which every lattice has a multiple of: so teams can be numbered.
inline constexpr int rows_of_team = 4;

/// For each replica the sum over its words of what add(sums, slopes, left, other, other_left) adds to `sums`: `slopes`
/// are those of its sites, and `left` is the height of the site to the left of them; `other` and `other_left` are the
/// same of another surface, which may be the same one. Sites of narrow lattices are added as often as they stand in a
/// word, lattice.images() times. Sums over four rows have to fit into 64 bits with a sign.
template <int count, class ExecutionSpace, class Add>
std::vector<analysis::WideSums<count>> sum_over_surfaces(const ExecutionSpace& space, const std::string& label,
                                                         const Lattice& lattice, const Words<ExecutionSpace>& words,
                                                         const Words<ExecutionSpace>& others, const Add& add) {
  constexpr bool on_host = runs_on_host<ExecutionSpace>;
  const auto starts = row_starts(space, lattice, words);
  const bool one_surface = others.data() == words.data();
  const auto other_starts = one_surface ? starts : row_starts(space, lattice, others);
  const Kokkos::View<std::uint64_t**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space> totals(
      Kokkos::view_alloc(space, label + "_totals"), static_cast<std::size_t>(lattice.replicas), 2 * count);
  using Policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
  const int teams_of_replica = lattice.ny / rows_of_team;
  const Policy policy(space, lattice.all_rows() / rows_of_team, lanes_of_row(on_host, lattice));
  Kokkos::parallel_for(
      label, policy, KOKKOS_LAMBDA(const typename Policy::member_type& team) {
        const int replica = static_cast<int>(team.league_rank()) / teams_of_replica;
        const int first = static_cast<int>(team.league_rank()) % teams_of_replica * rows_of_team;
        analysis::ExactSums<count> sums;
        for (int y = first; y < first + rows_of_team; ++y) {
          // Both heights in one integer: left * 2^32 + other_left.
          Kokkos::parallel_scan(
              Kokkos::TeamThreadRange(team, lattice.words_x()), [&](int x, std::int64_t& rises, bool last_pass) {
                const Slopes slopes = slopes_at(lattice, words, replica, x, y);
                const Slopes other = one_surface ? slopes : slopes_at(lattice, others, replica, x, y);
                if (last_pass) {
                  const auto other_rise = static_cast<std::int32_t>(rises & 0xffffffff);
                  const auto own_rise = static_cast<int>((rises - other_rise) >> 32);
                  add(sums, slopes, starts(replica, y) + own_rise, other, other_starts(replica, y) + other_rise);
                }
                rises += std::int64_t{rise(slopes.x)} * (std::int64_t{1} << 32) + rise(other.x);
              });
        }
        if (team.team_size() > 1) team.team_reduce(Kokkos::Sum<analysis::ExactSums<count>>(sums));
        if (team.team_rank() == 0)
          for (int i = 0; i < count; ++i) analysis::add_in_parts(&totals(replica, 2 * i), sums.value[i]);
      });
  space.fence(label);
  const auto here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), totals);
  std::vector<analysis::WideSums<count>> result(static_cast<std::size_t>(lattice.replicas));
  for (int r = 0; r < lattice.replicas; ++r)
    for (int i = 0; i < count; ++i)
      result[static_cast<std::size_t>(r)].value[i] = analysis::sum_of_parts(here(r, 2 * i), here(r, 2 * i + 1));
  return result;
}

}  // namespace tessera::kpz
