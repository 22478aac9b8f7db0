// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <tessera/core/exact_arithmetic.hpp>
#include <tessera/kmc/models/rates_of_kinds.hpp>

namespace tessera::kmc {

/// The three-state Potts model with the energy -J sum delta(s, s') over nearest-neighbour pairs. A cell changes to each
/// of the two other states at the rate k_0 exp(-K n), k_0 = 1, where n is the number of its four nearest neighbours in
/// its present state. The rates satisfy detailed balance with the coupling K = J / (k_B T). The infinite lattice orders
/// at K_c = ln(1 + sqrt 3) = 1.0050525, where its energy is -(1 + 1 / sqrt 3) J per site (Wu, Rev. Mod. Phys. 54, 235,
/// 1982).
class Potts : public RatesOfKinds<Potts, std::int8_t, 5> {
 public:
  static constexpr const char* name = "potts";               ///< value of --model
  static constexpr const char* title = "three-state Potts";  ///< in messages and plots
  static constexpr ModelParameter parameters[] = {
      {"coupling", "K", "J / (k_B T)", 0.44, -20, 20, "K"},
      {"order", "M", "order parameter at time 0, -0.5 to 1", 1, -0.5, 1, "", true},
  };                                                 ///< of the constructor
  static constexpr const char* time_unit = "1/k_0";  ///< of the rate k_0 without equal neighbours
  static constexpr SiteObservable site_observables[] = {
      {"energy", "J"}, {"fraction_0", ""}, {"fraction_1", ""}, {"fraction_2", ""}};  ///< observe()
  static constexpr const char* order_names[] = {"order", "order_2", "order_4"};      ///< order()

  /// coupling: K. order: the order parameter (3 f - 1) / 2 at time 0, -1/2 to 1, where f is the fraction of cells in
  /// state 0; the other cells are in states 1 and 2 in equal parts. Initial states are independent.
  explicit Potts(double coupling, double order = 1)
      : coupling_(coupling),
        state_0_below_(threshold((1 + 2 * order) / 3)),
        state_1_below_(threshold((2 + order) / 3)) {
    // To the two other states together.
    for (int alike = 0; alike <= 4; ++alike) set_rate(alike, 2 * portable_exp(-coupling * alike));
  }

  /// The number n of nearest neighbours in the same state, 0 to 4.
  KOKKOS_FORCEINLINE_FUNCTION static int kind(const Around& n) {
    return (n.around[0] == n.centre) + (n.around[1] == n.centre) + (n.around[2] == n.centre) +
           (n.around[3] == n.centre);
  }

  /// One of the two other states, each with probability 1/2.
  KOKKOS_FORCEINLINE_FUNCTION State next(const Around& n, Stream& stream) const {
    return static_cast<State>((n.centre + 1 + static_cast<int>(stream.draw() >> 63)) % 3);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool valid(State state) const { return state >= 0 && state < 3; }  ///< 0, 1 or 2
  /// State 0 with the fraction f of the constructor.
  KOKKOS_FORCEINLINE_FUNCTION State initial(std::uint64_t random) const {
    const std::uint64_t u = random >> 11;
    return u < state_0_below_ ? State{0} : (u < state_1_below_ ? State{1} : State{2});
  }
  /// All cells in state 0, or each in any state with the same probability.
  State initial_phase(bool ordered, const InitialCell& cell) const {
    return static_cast<State>(ordered ? 0 : (cell.random >> 32) * 3 >> 32);
  }

  /// 0: the energy -delta(s, s') of the bonds to the west and to the south; 1 + s: 1 if the cell is in state s.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t observe(int which, const Around& n) const {
    return which == 0 ? -(n.around[0] == n.centre) - (n.around[2] == n.centre) : n.centre == which - 1;
  }

  static constexpr std::array<int, 2> cell_observables() { return {1, 4}; }  ///< the fractions

  /// (3 f - 1) / 2, where f is the largest of the fractions of the cells in a state.
  static double order(const double* means) { return (3 * std::max({means[1], means[2], means[3]}) - 1) / 2; }
  double coupling() const { return coupling_; }  ///< K

 private:
  static std::uint64_t threshold(double probability) { return static_cast<std::uint64_t>(probability * 0x1.0p53); }

  double coupling_;
  std::uint64_t state_0_below_, state_1_below_;  // thresholds of 53 random bits
};

}  // namespace tessera::kmc
