// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <tessera/kmc/model.hpp>

/// Particles that exclude one another: each hops to each of its empty neighbours at the rate 1. Half of the cells are
/// occupied at time 0, on average.
class HardCoreGas {
 public:
  using State = std::int8_t;  // 0: empty, 1: occupied
  static constexpr int neighbours = 4;
  using Around = tessera::kmc::Neighbourhood<State, neighbours>;
  static constexpr const char* counted[] = {"hops"};
  static constexpr tessera::kmc::SiteObservable site_observables[] = {{"coverage", ""}};

  KOKKOS_FUNCTION double rate(const Around& n) const { return n.centre * empty(n); }
  double largest_rate() const { return 4; }

  /// A hop to one of the empty neighbours, each with the same probability.
  KOKKOS_FUNCTION tessera::kmc::Event<State> event(const Around& n, tessera::Stream& stream) const {
    int which = static_cast<int>(stream.uniform() * empty(n)), direction = 0;
    for (int k = 0; k < 4; ++k) {
      if (n.around[k] != 0) continue;
      if (which-- == 0) direction = k;
    }
    return {.centre = 0, .beside = 1, .direction = direction, .changes_beside = true, .group = 0};
  }

  KOKKOS_FUNCTION State initial(std::uint64_t random) const { return random >> 63 == 0 ? 0 : 1; }
  KOKKOS_FUNCTION std::int64_t observe(int, const Around& n) const { return n.centre; }

 private:
  KOKKOS_FUNCTION static int empty(const Around& n) {
    return 4 - (n.around[0] + n.around[1] + n.around[2] + n.around[3]);
  }
};
