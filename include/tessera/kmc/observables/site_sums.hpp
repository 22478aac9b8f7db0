// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>
#include <tessera/analysis/exact_sums.hpp>
#include <tessera/core/kokkos_ext/runs_on_host.hpp>
#include <vector>

/// Exact sums of integers over the cells of each replica, independent of the order of summation.
namespace tessera::kmc {

/// Sum of add(replica, x, y), of type ExactSums, over the nx * ny cells of each replica, in one kernel.
template <int Words, class ExecutionSpace, class Add>
std::vector<analysis::ExactSums<Words>> sum_over_sites(const ExecutionSpace& space, const std::string& label, int nx,
                                                       int ny, int replicas, const Add& add) {
  // Number of cells that a team sums: large enough to hide its atomic additions, small enough to fill a device with one
  // large lattice or with many small ones.
  constexpr std::uint32_t piece = 8192;
  const std::uint32_t cells = static_cast<std::uint32_t>(nx) * static_cast<std::uint32_t>(ny);
  const std::uint32_t pieces = (cells + piece - 1) / piece;
  const auto width = static_cast<std::uint32_t>(nx);

  const Kokkos::View<std::uint64_t**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space> totals(
      Kokkos::view_alloc(space, label + "_totals"), static_cast<std::size_t>(replicas), Words);
  using Policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
  constexpr bool on_host = runs_on_host<ExecutionSpace>;
  const Policy policy(space, static_cast<int>(pieces * static_cast<std::uint32_t>(replicas)), on_host ? 1 : 128);
  Kokkos::parallel_for(
      label, policy, KOKKOS_LAMBDA(const typename Policy::member_type& team) {
        const auto league_rank = static_cast<std::uint32_t>(team.league_rank());
        const int replica = static_cast<int>(league_rank / pieces);
        const std::uint32_t first = league_rank % pieces * piece;
        const std::uint32_t last = first + piece < cells ? first + piece : cells;
        analysis::ExactSums<Words> total;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, first, last),
            [&](std::uint32_t cell, analysis::ExactSums<Words>& part) {
              const std::uint32_t y = cell / width;
              part += add(replica, static_cast<int>(cell - y * width), static_cast<int>(y));
            },
            Kokkos::Sum<analysis::ExactSums<Words>>(total));
        Kokkos::single(Kokkos::PerTeam(team), [&] {
          for (int i = 0; i < Words; ++i) Kokkos::atomic_add(&totals(replica, i), total.value[i]);
        });
      });
  space.fence(label);
  const auto on_this_side = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), totals);
  std::vector<analysis::ExactSums<Words>> sums(static_cast<std::size_t>(replicas));
  for (int r = 0; r < replicas; ++r)
    for (int i = 0; i < Words; ++i) sums[static_cast<std::size_t>(r)].value[i] = on_this_side(r, i);
  return sums;
}

}  // namespace tessera::kmc
