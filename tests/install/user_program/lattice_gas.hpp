// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstdint>
#include <tessera/core/exact_arithmetic.hpp>
#include <tessera/kmc/model.hpp>

/// A lattice gas: atoms adsorb on empty cells at the rate k and desorb at the rate exp(-epsilon n), where n is the
/// number of occupied nearest neighbours. Unit of time: 1/k_d, the reciprocal desorption rate of a single atom.
class LatticeGas {
 public:
  using State = std::int8_t;  // 0: empty, 1: occupied
  static constexpr int neighbours = 4;
  using Around = tessera::kmc::Neighbourhood<State, neighbours>;
  static constexpr const char* time_unit = "1/k_d";
  static constexpr tessera::kmc::SiteObservable site_observables[] = {{"coverage", ""}, {"bonds", "1/site"}};

  // Value of --model, title, and options in a program.
  static constexpr const char* name = "lattice-gas";
  static constexpr const char* title = "lattice gas";
  static constexpr tessera::kmc::ModelParameter parameters[] = {
      {"adsorption", "K", "rate of adsorption over that of desorption", 1, 0, 1e6, "k"},
      {"attraction", "E", "energy of a bond over k_B T", 0, -20, 20, "epsilon"},
      {"start-coverage", "C", "fraction of occupied cells at time 0", 0, 0, 1, "", true}};

  /// adsorption: k. attraction: epsilon, the energy of a bond in units of the temperature. start: coverage at time 0.
  LatticeGas(double adsorption, double attraction, double start = 0)
      : start_(static_cast<std::uint64_t>(start * 0x1p53)) {
    for (int n = 0; n <= 4; ++n) {
      rate_[0][n] = adsorption;
      rate_[1][n] = tessera::portable_exp(-attraction * n);
    }
  }

  KOKKOS_FUNCTION double rate(const Around& n) const { return rate_[n.centre][occupied(n)]; }

  double largest_rate() const { return std::max({rate_[0][0], rate_[1][0], rate_[1][4]}); }

  KOKKOS_FUNCTION State next(const Around& n, tessera::Stream&) const { return static_cast<State>(1 - n.centre); }

  KOKKOS_FUNCTION State initial(std::uint64_t random) const { return (random >> 11) < start_ ? 1 : 0; }

  /// 0: coverage. 1: bonds to the west and to the south, which counts each bond once.
  KOKKOS_FUNCTION std::int64_t observe(int which, const Around& n) const {
    return which == 0 ? n.centre : n.centre * (n.around[0] + n.around[2]);
  }

 private:
  KOKKOS_FUNCTION static int occupied(const Around& n) { return n.around[0] + n.around[1] + n.around[2] + n.around[3]; }

  double rate_[2][5];
  std::uint64_t start_;
};
