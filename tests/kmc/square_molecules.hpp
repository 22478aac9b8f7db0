// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <tessera/kmc/model.hpp>

/// Square molecules adsorb at the rate 1 where a cell and its neighbours to the east, the north and the north-east are
/// empty, and cover these four cells. The surface jams.
class SquareMolecules {
 public:
  using State = std::int8_t;  // 0: empty, 1: covered
  static constexpr int neighbours = 8;
  using Around = tessera::kmc::Neighbourhood<State, neighbours>;
  static constexpr tessera::kmc::SiteObservable site_observables[] = {{"coverage", ""}};

  KOKKOS_FUNCTION double rate(const Around& n) const {
    return n.centre + n.around[1] + n.around[3] + n.around[7] == 0 ? 1 : 0;
  }
  double largest_rate() const { return 1; }

  /// The cell is bit 0 of `changed`, its neighbour k bit k + 1.
  KOKKOS_FUNCTION tessera::kmc::Changes<State, neighbours> event(const Around&, tessera::Stream&) const {
    return {.states = {1, 1, 1, 1, 1, 1, 1, 1, 1}, .changed = 1u | 2u << 1 | 2u << 3 | 2u << 7};
  }

  KOKKOS_FUNCTION std::int64_t observe(int, const Around& n) const { return n.centre; }
};
