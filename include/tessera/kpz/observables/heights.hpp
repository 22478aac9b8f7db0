// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tessera/core/host_array.hpp>
#include <tessera/kpz/observables/surface_sums.hpp>
#include <tessera/parallel/pieces.hpp>
#include <vector>

namespace tessera::kpz {
namespace detail {
struct AddHeights {
  KOKKOS_FUNCTION void operator()(analysis::ExactSums<1>& sums, const Slopes& slopes, int left, const Slopes&,
                                  int) const {
    int sum = 0;
    for_each_height(slopes.x, left, [&](int height, int) { sum += height; });
    sums.value[0] += static_cast<std::uint64_t>(std::int64_t{sum});
  }
};

/// Writes the heights of rows first .. first + rows - 1, numbered over all replicas.
template <class ExecutionSpace, class To>
void write_heights(const ExecutionSpace& space, const Lattice& lattice, const Words<ExecutionSpace>& words,
                   const RowStarts<ExecutionSpace>& starts, std::int64_t first, std::int64_t rows, const To& to) {
  constexpr bool on_host = runs_on_host<ExecutionSpace>;
  using Policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(
      "tessera::kpz::write_heights", Policy(space, rows, lanes_of_row(on_host, lattice)),
      KOKKOS_LAMBDA(const typename Policy::member_type& team) {
        const std::int64_t row = first + team.league_rank();
        const int replica = static_cast<int>(row / lattice.ny), y = static_cast<int>(row % lattice.ny);
        const std::int64_t begin = std::int64_t{team.league_rank()} * lattice.nx;
        Kokkos::parallel_scan(Kokkos::TeamThreadRange(team, lattice.words_x()), [&](int x, int& rises, bool last_pass) {
          const Slopes slopes = slopes_at(lattice, words, replica, x, y);
          if (last_pass)
            for_each_height(slopes.x, starts(replica, y) + rises, [&](int height, int i) {
              if (i < lattice.nx) to(begin + x * word_sites + i) = height;
            });
          rises += rise(slopes.x);
        });
      });
}

/// Copies heights of this rank's block, from number `first` on, to `part`.
template <class ExecutionSpace>
void read_heights(const ExecutionSpace& space, const Lattice& lattice, const Words<ExecutionSpace>& words,
                  const RowStarts<ExecutionSpace>& starts, std::size_t first, std::span<std::int32_t> part) {
  constexpr std::size_t most_at_once = std::size_t{1} << 24;
  const auto row = static_cast<std::size_t>(lattice.nx);
  for (std::size_t count = 0; !part.empty(); first += count, part = part.subspan(count)) {
    const std::size_t skipped = first % row, needed = (skipped + part.size() - 1) / row + 1,
                      rows = std::min(needed, std::max<std::size_t>(1, most_at_once / row));
    count = std::min(part.size(), rows * row - skipped);
    const auto to = host_array(part.first(count));
    const auto write = [&](const auto& heights) {
      write_heights(space, lattice, words, starts, static_cast<std::int64_t>(first / row),
                    static_cast<std::int64_t>(rows), heights);
      space.fence("tessera::kpz::write_heights");
    };
    if constexpr (runs_on_host<ExecutionSpace>)
      if (count == rows * row) {
        write(to);
        continue;
      }
    const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space> on_device(
        Kokkos::view_alloc(space, Kokkos::WithoutInitializing, "tessera::kpz::heights"), rows * row);
    write(on_device);
    copy_and_wait(space, to, Kokkos::subview(on_device, std::pair(skipped, skipped + count)));
  }
}
}  // namespace detail

/// Sum of the heights of each replica, relative to site (0, ny - 1); see sum_over_surfaces().
template <class ExecutionSpace>
std::vector<std::int64_t> sum_of_heights(const ExecutionSpace& space, const Lattice& lattice,
                                         const Words<ExecutionSpace>& words,
                                         const parallel::Distribution& distribution = {}) {
  std::vector<std::int64_t> result;
  for (const auto& sums : sum_over_surfaces<1>(space, "tessera::kpz::sum_heights", lattice, words, words,
                                               detail::AddHeights{}, distribution))
    result.push_back(sums.narrow(0) / lattice.images());
  return result;
}

/// Depositions minus removals of a replica; `accepted`: their numbers, [replicas, 2].
inline std::int64_t grown(const std::vector<std::uint64_t>& accepted, std::size_t replica) {
  return static_cast<std::int64_t>(accepted[2 * replica] - accepted[2 * replica + 1]);
}

/// Height of site (0, ny - 1) of a replica times the number of sites; `sum`: from sum_of_heights(). The initial mean
/// height is 1/2, and each octahedron adds 2 to the sum.
inline std::int64_t height_times_sites(std::int64_t sites, const std::vector<std::uint64_t>& accepted,
                                       std::size_t replica, std::int64_t sum) {
  return sites / 2 + 2 * grown(accepted, replica) - sum;
}

/// Heights of the whole lattice, [replicas, ny, nx], in layers above the lower sites of the initial flat surface. They
/// are computed on the device, part by part, when they are read; the surface must not change before. `accepted`:
/// numbers of depositions and removals in the whole lattice, [replicas, 2]. Collective.
template <class ExecutionSpace>
parallel::Gather<std::int32_t> shared_heights(const ExecutionSpace& space, const Lattice& lattice,
                                              const Words<ExecutionSpace>& words,
                                              const std::vector<std::uint64_t>& accepted,
                                              const parallel::Distribution& distribution = {}) {
  const auto sums = sum_of_heights(space, lattice, words, distribution);
  const std::int64_t sites = distribution.ranks.sum(lattice.sites());
  std::vector<int> offsets;
  for (std::size_t r = 0; r < sums.size(); ++r)
    offsets.push_back(static_cast<int>(height_times_sites(sites, accepted, r, sums[r]) / sites));
  const auto starts = row_starts(space, lattice, words, distribution);
  detail::add_offsets(space, starts, offsets);
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  const auto pieces = distribution.pieces(size(lattice.replicas), {{size(lattice.nx), size(lattice.ny)}});
  return [=, ranks = distribution.ranks](std::size_t first, std::size_t count, std::span<std::int32_t> to) {
    parallel::gather_elements(ranks, pieces, first, count, to, [&](std::size_t from, std::span<std::int32_t> part) {
      detail::read_heights(space, lattice, words, starts, from, part);
    });
  };
}

}  // namespace tessera::kpz
