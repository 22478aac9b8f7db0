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

/// Sums over the sites of a surface whose heights are rebuilt from its slopes, word by word, as they are needed: exact
/// integers, so that no order of summation shows. Heights are counted from that of site (0, ny - 1).
namespace tessera::kpz {

/// The slopes at one place as +1 or -1.
KOKKOS_FORCEINLINE_FUNCTION int slope(std::uint32_t word, int bit) {
  return 2 * static_cast<int>((word >> bit) & 1u) - 1;
}

/// What the lowest row of a word, or its left column, rises by, its first site's own slope included.
KOKKOS_FORCEINLINE_FUNCTION int rise_in_x(std::uint32_t word) {
  return 2 * Kokkos::Experimental::popcount_builtin(word & 0x1111u) - 4;
}
KOKKOS_FORCEINLINE_FUNCTION int rise_in_y(std::uint32_t word) {
  return 2 * Kokkos::Experimental::popcount_builtin(word & 0x11110000u) - 4;
}

/// Calls what(height, x, y) for the 16 sites of a word; `left` is the height of the site to the left of its lowest row.
template <class What>
KOKKOS_FORCEINLINE_FUNCTION void for_each_height(std::uint32_t word, int left, const What& what) {
  int lowest = left;
  for (int x = 0; x < word_side; ++x) {
    lowest += slope(word, 4 * x);
    int height = lowest;
    what(height, x, 0);
    for (int y = 1; y < word_side; ++y) {
      height += slope(word, 16 + 4 * y + x);
      what(height, x, y);
    }
  }
}

/// The heights of the 16 sites of a word, row by row.
struct HeightsOfWord {
  int at[word_side * word_side];
};
KOKKOS_FORCEINLINE_FUNCTION HeightsOfWord heights_of_word(std::uint32_t word, int left) {
  HeightsOfWord heights;
  for_each_height(word, left, [&](int height, int x, int y) { heights.at[word_side * y + x] = height; });
  return heights;
}

template <class ExecutionSpace>
using Words = Kokkos::View<std::uint32_t*, typename ExecutionSpace::memory_space>;
template <class ExecutionSpace>
using RowStarts = Kokkos::View<int**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space>;

inline int lanes_of_row(bool on_host, const Lattice& lattice) {
  return on_host ? 1 : std::clamp(lattice.words_x(), 32, 256);
}

/// The height of the site to the left of each row of words, for each replica.
template <class ExecutionSpace>
RowStarts<ExecutionSpace> row_starts(const ExecutionSpace& space, const Lattice& lattice,
                                     const Words<ExecutionSpace>& words) {
  constexpr bool on_host = runs_on_host<ExecutionSpace>;
  const RowStarts<ExecutionSpace> starts(
      Kokkos::view_alloc(space, Kokkos::WithoutInitializing, "tessera::kpz::row_starts"), lattice.replicas,
      lattice.words_y());
  using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
  Kokkos::parallel_for(
      "tessera::kpz::row_starts", Policy(space, lattice.replicas, on_host ? 1 : 256),
      KOKKOS_LAMBDA(const typename Policy::member_type& team) {
        const int replica = static_cast<int>(team.league_rank());
        Kokkos::parallel_scan(Kokkos::TeamThreadRange(team, lattice.words_y()), [&](int y, int& below, bool last_pass) {
          const std::uint32_t word = words(lattice.word(replica, 0, y));
          if (last_pass) starts(replica, y) = below + slope(word, 16) - slope(word, 0);
          below += rise_in_y(word);
        });
      });
  return starts;
}

/// For each replica the sum over its words of what add(sums, word, left, other, other_left) adds to `sums`: `left` is
/// the height of the site to the left of the word's lowest row; `other` and `other_left` are the same of another
/// surface, which may be the same one.
template <int count, class ExecutionSpace, class Add>
std::vector<analysis::ExactSums<count>> sum_over_surfaces(const ExecutionSpace& space, const std::string& label,
                                                          const Lattice& lattice, const Words<ExecutionSpace>& words,
                                                          const Words<ExecutionSpace>& others, const Add& add) {
  constexpr bool on_host = runs_on_host<ExecutionSpace>;
  const auto starts = row_starts(space, lattice, words);
  const auto other_starts = others.data() == words.data() ? starts : row_starts(space, lattice, others);
  const Kokkos::View<std::uint64_t**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space> totals(
      Kokkos::view_alloc(space, label + "_totals"), static_cast<std::size_t>(lattice.replicas), count);
  using Policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
  const Policy policy(space, lattice.words_y() * lattice.replicas, lanes_of_row(on_host, lattice));
  Kokkos::parallel_for(
      label, policy, KOKKOS_LAMBDA(const typename Policy::member_type& team) {
        const int replica = static_cast<int>(team.league_rank()) / lattice.words_y();
        const int y = static_cast<int>(team.league_rank()) % lattice.words_y();
        analysis::ExactSums<count> sums;
        // Both heights in one integer: left * 2^32 + other_left.
        Kokkos::parallel_scan(
            Kokkos::TeamThreadRange(team, lattice.words_x()), [&](int x, std::int64_t& rises, bool last_pass) {
              const std::size_t at = lattice.word(replica, x, y);
              const std::uint32_t word = words(at), other = others(at);
              if (last_pass) {
                const auto other_rise = static_cast<std::int32_t>(rises & 0xffffffff);
                const auto rise = static_cast<int>((rises - other_rise) >> 32);
                add(sums, word, starts(replica, y) + rise, other, other_starts(replica, y) + other_rise);
              }
              rises += std::int64_t{rise_in_x(word)} * (std::int64_t{1} << 32) + rise_in_x(other);
            });
        if (team.team_size() > 1) team.team_reduce(Kokkos::Sum<analysis::ExactSums<count>>(sums));
        if (team.team_rank() == 0)
          for (int i = 0; i < count; ++i) Kokkos::atomic_add(&totals(replica, i), sums.value[i]);
      });
  space.fence(label);
  const auto here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), totals);
  std::vector<analysis::ExactSums<count>> result(static_cast<std::size_t>(lattice.replicas));
  for (int r = 0; r < lattice.replicas; ++r)
    for (int i = 0; i < count; ++i) result[static_cast<std::size_t>(r)].value[i] = here(r, i);
  return result;
}

}  // namespace tessera::kpz
