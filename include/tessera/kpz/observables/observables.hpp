// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <string>
#include <tessera/analysis/moments.hpp>
#include <tessera/core/error.hpp>
#include <tessera/kpz/observables/surface_sums.hpp>
#include <vector>

/// Observables of surfaces. Devices add integers, and the host computes the rest in a fixed order, so that observables
/// are equal bit for bit on all backends.
namespace tessera::kpz {
namespace detail {
/// Adds h, h^2, h^3 (upper, lower 32 bits), h^4 (likewise), and the number of heights beyond `largest_difference`.
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

/// Sums of powers of the heights of each replica. Throws RunError if a height differs by more than `largest_difference`
/// from that of site (0, ny - 1). All ranks that share the lattice call this, and get the sums over the whole lattice.
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
