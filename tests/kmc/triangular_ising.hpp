// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstdint>
#include <tessera/core/exact_arithmetic.hpp>
#include <tessera/kmc/model.hpp>

/// The Ising model on a triangular lattice: a spin flips at the rate 1 / (1 + exp(2 K s m)), where m is the sum of the
/// six spins around it and K the coupling over k_B T.
class TriangularIsing {
 public:
  using State = std::int8_t;  // -1 or 1
  static constexpr int neighbours = 6;
  using Around = tessera::kmc::Neighbourhood<State, neighbours>;
  static constexpr const char* state_name = "spin";
  static constexpr tessera::kmc::SiteObservable site_observables[] = {{"energy", "J"}, {"magnetisation", ""}};

  explicit TriangularIsing(double coupling) {
    for (int i = 0; i <= 6; ++i) rate_[i] = 1 / (1 + tessera::portable_exp(2 * coupling * (2 * i - 6)));
  }

  KOKKOS_FUNCTION double rate(const Around& n) const {
    int sum = 0;
    for (const State spin : n.around) sum += spin;
    return rate_[(n.centre * sum + 6) / 2];
  }
  double largest_rate() const { return *std::max_element(rate_, rate_ + 7); }
  KOKKOS_FUNCTION State next(const Around& n, tessera::Stream&) const { return static_cast<State>(-n.centre); }
  KOKKOS_FUNCTION State initial(std::uint64_t random) const { return random >> 63 == 0 ? -1 : 1; }
  KOKKOS_FUNCTION bool valid(State spin) const { return spin == 1 || spin == -1; }

  /// 0: energy of the bonds to the west, south and south-east, which counts each bond once. 1: the spin.
  KOKKOS_FUNCTION std::int64_t observe(int which, const Around& n) const {
    return which == 0 ? -n.centre * (n.around[0] + n.around[2] + n.around[4]) : n.centre;
  }

 private:
  double rate_[7];
};
