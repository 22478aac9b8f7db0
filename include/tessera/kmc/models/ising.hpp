// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <tessera/core/exact_arithmetic.hpp>
#include <tessera/kmc/models/rates_of_kinds.hpp>

namespace tessera::kmc {

/// The Ising model with single spin flips at the rate k_0 exp(-K s sum s'), k_0 = 1, s and s' = +-1, with the sum over
/// the four nearest neighbours. The rates satisfy detailed balance for the energy -K sum s s' in units of k_B T, with
/// the coupling K = J / (k_B T). The equilibrium is Onsager's, with K_c = ln(1 + sqrt 2) / 2 = 0.4406868.
class Ising : public RatesOfKinds<Ising, std::int8_t, 5> {
 public:
  static constexpr const char* name = "ising";   ///< value of --model
  static constexpr const char* title = "Ising";  ///< in messages and plots
  static constexpr ModelParameter parameters[] = {
      {"coupling", "K", "J / (k_B T)", 0.44, -20, 20, "K"},
      {"magnetisation", "M", "mean spin at time 0, -1 to 1", 1, -1, 1, "", true},
  };                                                 ///< of the constructor
  static constexpr const char* time_unit = "1/k_0";  ///< of the rate k_0 in zero field
  static constexpr const char* state_name = "spin";  ///< 1 or -1
  static constexpr SiteObservable site_observables[] = {{"energy", "J"}, {"magnetisation", ""}};  ///< observe()
  /// Of order().
  static constexpr const char* order_names[] = {"magnetisation_abs", "magnetisation_2", "magnetisation_4"};

  /// coupling: K. magnetisation: mean spin at time 0, -1 to 1. Initial spins are independent.
  explicit Ising(double coupling, double magnetisation = 1)
      : coupling_(coupling), up_below_(threshold(magnetisation)), all_up_(magnetisation >= 1) {
    for (int k = 0; k < 5; ++k) set_rate(k, portable_exp(-coupling * (2 * k - 4)));
  }

  /// Index 0 to 4 of the local alignment s sum s' = -4, -2, 0, 2, 4 in the tables.
  KOKKOS_FORCEINLINE_FUNCTION static int kind(const Around& n) {
    return (n.centre * (n.around[0] + n.around[1] + n.around[2] + n.around[3]) + 4) / 2;
  }

  /// The flipped spin.
  KOKKOS_FORCEINLINE_FUNCTION State next(const Around& n, Stream&) const { return static_cast<State>(-n.centre); }
  KOKKOS_FORCEINLINE_FUNCTION bool valid(State spin) const { return spin == 1 || spin == -1; }  ///< 1 or -1
  /// Up with the probability (1 + magnetisation) / 2.
  KOKKOS_FORCEINLINE_FUNCTION State initial(std::uint64_t random) const {
    return all_up_ || (random >> 11) < up_below_ ? State{1} : State{-1};
  }
  /// All spins up, or each up with probability 1/2.
  State initial_phase(bool ordered, const InitialCell& cell) const {
    return ordered || cell.random >> 63 != 0 ? 1 : -1;
  }

  /// 0: the energy -s s' of the bonds to the west and to the south, which counts each bond once; 1: the spin.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t observe(int which, const Around& n) const {
    return which == 0 ? -n.centre * (n.around[0] + n.around[2]) : n.centre;
  }

  static constexpr std::array<int, 2> cell_observables() { return {1, 2}; }  ///< the spin

  /// |m|, the absolute value of the mean spin.
  static double order(const double* means) { return std::abs(means[1]); }
  double coupling() const { return coupling_; }  ///< K

 private:
  static std::uint64_t threshold(double magnetisation) {
    return static_cast<std::uint64_t>((1 + magnetisation) / 2 * 0x1.0p53);
  }

  double coupling_;
  std::uint64_t up_below_;  // threshold of 53 random bits
  bool all_up_;
};

}  // namespace tessera::kmc
