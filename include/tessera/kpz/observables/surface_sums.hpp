// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tessera/analysis/exact_sums.hpp>
#include <tessera/analysis/moments.hpp>
#include <tessera/core/error.hpp>
#include <tessera/core/host_array.hpp>
#include <tessera/core/kokkos_ext/gpu.hpp>
#include <tessera/kpz/state/decomposition.hpp>
#include <tessera/kpz/state/subdomains.hpp>
#include <tessera/kpz/state/word.hpp>
#include <tessera/parallel/array_transfer.hpp>
#include <vector>

/// Sums over the sites of a surface. Heights are rebuilt from the bits, word by word, relative to site (0, ny - 1) of
/// the whole lattice. Sums are exact integers, independent of the order of summation. Functions with a `distribution`
/// are collective; their sums are those over the whole lattice.
namespace tessera::kpz {

/// Slopes of 32 sites of a row; a bit is 1 if the height rises from the left or lower neighbour to the site.
struct Slopes {
  std::uint32_t x, y;
};

/// Slope of one site, +1 or -1.
KOKKOS_FORCEINLINE_FUNCTION int slope(std::uint32_t slopes, int site) {
  return 2 * static_cast<int>((slopes >> site) & 1u) - 1;
}

/// Rise over 32 sites, the slope of the first one included.
KOKKOS_FORCEINLINE_FUNCTION int rise(std::uint32_t slopes) {
  return 2 * Kokkos::Experimental::popcount_builtin(slopes) - word_sites;
}

/// Calls what(height, x) for 32 sites with these slopes in x; `left`: height of the site to the left of them.
template <class What>
KOKKOS_FORCEINLINE_FUNCTION void for_each_height(std::uint32_t slopes, int left, const What& what) {
  int height = left;
  for (int x = 0; x < word_sites; ++x) {
    height += slope(slopes, x);
    what(height, x);
  }
}

/// Bits of surfaces, at Lattice::word.
template <class ExecutionSpace>
using Words = Kokkos::View<std::uint32_t*, typename ExecutionSpace::memory_space>;

template <class Words>
KOKKOS_FORCEINLINE_FUNCTION Slopes slopes_at(const Lattice& lattice, const Words& words, int replica, int x, int y) {
  const std::uint32_t word = words(lattice.word(replica, x, y)), left = words(lattice.word(replica, x - 1, y)),
                      below = words(lattice.word(replica, x, y - 1));
  return {rises((word << 1) | (left >> 31), word), rises(below, word)};
}

/// Largest height relative to site (0, ny - 1) for which powers and products do not overflow.
inline constexpr int largest_difference = 8191;

KOKKOS_FORCEINLINE_FUNCTION bool is_near(int height) {
  return height <= largest_difference && height >= -largest_difference;
}

template <class ExecutionSpace>
using RowStarts = Kokkos::View<int**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space>;

/// Lanes per row, a power of two for reductions in a team.
inline int lanes_of_row(bool on_host, const Lattice& lattice) {
  const auto words = static_cast<unsigned>(lattice.words_x());
  return on_host ? 1 : std::clamp(static_cast<int>(std::bit_ceil(words)), int{warp_lanes}, 256);
}

/// Height differences in layers along the edges of a rank's block, [replicas, 3]: from site (-1, -1) to (0, -1), from
/// (-1, -1) to (nx - 1, -1), and from (0, -1) to (0, ny - 1).
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

/// The height of site (0, -1) of this rank's block, for each replica, from the rises of all blocks.
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

namespace detail {
/// Adds offsets[replica] to the heights to the left of all rows.
template <class ExecutionSpace>
void add_offsets(const ExecutionSpace& space, const RowStarts<ExecutionSpace>& starts,
                 const std::vector<int>& offsets) {
  const Kokkos::View<int*, typename ExecutionSpace::memory_space> on_device("tessera::kpz::offsets", offsets.size());
  Kokkos::deep_copy(space, on_device, host_array(offsets));
  const auto rows = static_cast<std::int64_t>(starts.extent(1));
  Kokkos::parallel_for(
      "tessera::kpz::add_offsets", Indices<ExecutionSpace>(space, 0, starts.size()),
      KOKKOS_LAMBDA(std::int64_t i) { starts(i / rows, i % rows) += on_device(i / rows); });
  space.fence("tessera::kpz::add_offsets");
}
}  // namespace detail

/// Height of the site to the left of each row of this rank's block, [replicas, rows].
template <class ExecutionSpace>
RowStarts<ExecutionSpace> row_starts(const ExecutionSpace& space, const Lattice& lattice,
                                     const Words<ExecutionSpace>& words,
                                     const parallel::Distribution& distribution = {}) {
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
  if (!distribution.is_serial())
    detail::add_offsets(space, starts, corner_heights(space, lattice, words, distribution));
  return starts;
}

/// Rows of a team. Every lattice has a multiple of this number.
inline constexpr int rows_of_team = 4;

/// Sums of each replica over its words: add(sums, slopes, left, other, other_left) adds the terms of a word, where
/// `slopes` are those of its sites and `left` is the height of the site to the left of it; `other` and `other_left` are
/// those of the surface `others`, which may be the same one. A site of a narrow lattice is added once per image,
/// lattice.images() times. Sums over four rows must fit into signed 64-bit integers.
template <int count, class ExecutionSpace, class Add>
std::vector<analysis::WideSums<count>> sum_over_surfaces(const ExecutionSpace& space, const std::string& label,
                                                         const Lattice& lattice, const Words<ExecutionSpace>& words,
                                                         const Words<ExecutionSpace>& others, const Add& add,
                                                         const parallel::Distribution& distribution = {}) {
  constexpr bool on_host = runs_on_host<ExecutionSpace>;
  const auto starts = row_starts(space, lattice, words, distribution);
  const bool one_surface = others.data() == words.data();
  const auto other_starts = one_surface ? starts : row_starts(space, lattice, others, distribution);
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
          // Both rises in one integer: own * 2^32 + other.
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
  const auto here = parallel::sum_on_host(space, totals, distribution.ranks);
  std::vector<analysis::WideSums<count>> result(static_cast<std::size_t>(lattice.replicas));
  for (int r = 0; r < lattice.replicas; ++r)
    for (int i = 0; i < count; ++i)
      result[static_cast<std::size_t>(r)].value[i] = analysis::sum_of_parts(here(r, 2 * i), here(r, 2 * i + 1));
  return result;
}

namespace detail {
/// Adds h, h^2, the upper and lower 32 bits of h^3 and of h^4, and the number of heights beyond `largest_difference`.
struct AddPowers {
  KOKKOS_FUNCTION void operator()(analysis::PowerWords& sums, const Slopes& slopes, int left, const Slopes&,
                                  int) const {
    std::int64_t first = 0, second = 0, third = 0, fourth = 0;
    int too_far = 0;
    for_each_height(slopes.x, left, [&](int height, int) {
      too_far += !is_near(height);
      const std::int64_t h = is_near(height) ? height : 0, square = h * h;
      first += h;
      second += square;
      third += square * h;
      fourth += square * square;
    });
    sums.value[0] += static_cast<std::uint64_t>(first);
    sums.value[1] += static_cast<std::uint64_t>(second);
    sums.value[2] += static_cast<std::uint64_t>(third >> 32);
    sums.value[3] += static_cast<std::uint64_t>(third) & 0xffffffffu;
    sums.value[4] += static_cast<std::uint64_t>(fourth) >> 32;
    sums.value[5] += static_cast<std::uint64_t>(fourth) & 0xffffffffu;
    sums.value[analysis::out_of_range] += static_cast<std::uint64_t>(too_far);
  }
};

inline void refuse_too_rough(std::uint64_t too_far) {
  if (too_far != 0)
    throw RunError("the surface is too rough: " + std::to_string(too_far) + " heights differ by more than " +
                   std::to_string(largest_difference) + " from that of one site");
}
}  // namespace detail

/// Sums of powers of the heights of each replica. Throws RunError if a height exceeds `largest_difference`.
template <class ExecutionSpace>
std::vector<analysis::PowerSums> sum_height_powers(const ExecutionSpace& space, const Lattice& lattice,
                                                   const Words<ExecutionSpace>& words,
                                                   const parallel::Distribution& distribution = {}) {
  std::vector<analysis::PowerSums> result;
  const std::int64_t sites = distribution.ranks.sum(lattice.sites());
  for (const auto& sums : sum_over_surfaces<7>(space, "tessera::kpz::sum_height_powers", lattice, words, words,
                                               detail::AddPowers{}, distribution)) {
    detail::refuse_too_rough(static_cast<std::uint64_t>(sums.value[analysis::out_of_range]));
    result.push_back(analysis::power_sums(sites, sums, lattice.images()));
  }
  return result;
}

}  // namespace tessera::kpz
