// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/kpz/observables/surface_sums.hpp>
#include <vector>

namespace tessera::kpz {

/// Sums over the sites of a surface and an earlier one ('): h, h', slopes that are up in both, heights beyond
/// `largest_difference`, which count as 0 in the other sums, and h h'.
struct Overlaps {
  std::int64_t heights, earlier_heights, slopes_up, too_far;
  analysis::Wide products;

  bool operator==(const Overlaps&) const = default;
};

namespace detail {
struct AddProducts {
  KOKKOS_FUNCTION void operator()(analysis::ExactSums<5>& sums, const Slopes& slopes, int left, const Slopes& other,
                                  int other_left) const {
    std::int64_t first = 0, other_first = 0, products = 0;
    int too_far = 0;
    int other_height = other_left;
    for_each_height(slopes.x, left, [&](int height, int x) {
      other_height += slope(other.x, x);
      const std::int64_t h = is_near(height) ? height : 0, other_h = is_near(other_height) ? other_height : 0;
      too_far += !is_near(height) + !is_near(other_height);
      first += h;
      other_first += other_h;
      products += h * other_h;
    });
    sums.value[0] += static_cast<std::uint64_t>(first);
    sums.value[1] += static_cast<std::uint64_t>(other_first);
    sums.value[2] += static_cast<std::uint64_t>(products);
    sums.value[3] += static_cast<std::uint64_t>(Kokkos::Experimental::popcount_builtin(slopes.x & other.x) +
                                                Kokkos::Experimental::popcount_builtin(slopes.y & other.y));
    sums.value[4] += static_cast<std::uint64_t>(too_far);
  }
};
}  // namespace detail

/// Collective. Overlaps of the surface of each replica with earlier ones, [earlier][replicas], in the whole lattice.
template <class ExecutionSpace>
std::vector<std::vector<Overlaps>> overlaps(const ExecutionSpace& space, const Lattice& lattice,
                                            const Words<ExecutionSpace>& words,
                                            const std::vector<Words<ExecutionSpace>>& earlier,
                                            const parallel::Distribution& distribution = {}) {
  std::vector<std::vector<Overlaps>> result;
  const int images = lattice.images();
  for (const auto& other : earlier) {
    result.emplace_back();
    for (const auto& sums : sum_over_surfaces<5>(space, "tessera::kpz::correlate", lattice, words, other,
                                                 detail::AddProducts{}, distribution))
      result.back().push_back({sums.narrow(0) / images, sums.narrow(1) / images, sums.narrow(3) / images,
                               sums.narrow(4) / images, sums.value[2] / images});
  }
  return result;
}

}  // namespace tessera::kpz
