// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <tessera/core/exact_arithmetic.hpp>
#include <tessera/kmc/model.hpp>

/// The models that ship: solid-on-solid crystal growth and the Ising model.
namespace tessera::kmc {

/// Irreversible crystal growth on a solid-on-solid surface (equation 6 of Darkins, Duffy and Ford, 2024).
///
/// The state is the local height in layers. An adatom attaches at the rate k(n_b) = k_2 exp((2 n_b - 4) phi), k_2 = 1,
/// where n_b is the number of in-plane bonds that it forms: the nearest neighbours that are higher than the cell.
class SolidOnSolid {
 public:
  using State = std::int32_t;
  static constexpr int neighbours = 4;
  using Around = Neighbourhood<State, neighbours>;
  static constexpr const char* time_unit = "1/k_2";
  static constexpr const char* state_name = "height";
  static constexpr const char* state_unit = "layers";
  static constexpr bool state_is_height = true;
  static constexpr SiteObservable site_observables[] = {{"step_fraction", ""}};

  /// phi: surface free energy in units of the temperature.
  explicit SolidOnSolid(double phi) {
    for (int bonds = 0; bonds <= 4; ++bonds) {
      rate_[bonds] = portable_exp((2 * bonds - 4) * phi);
      mean_waiting_time_[bonds] = 1.0 / rate_[bonds];
    }
  }

  /// The number of bonds n_b, 0 to 4, that an adatom forms with its nearest neighbours in the surface plane.
  KOKKOS_FORCEINLINE_FUNCTION static int bonds(const Around& n) {
    return (n.around[0] > n.centre) + (n.around[1] > n.centre) + (n.around[2] > n.centre) + (n.around[3] > n.centre);
  }

  KOKKOS_FORCEINLINE_FUNCTION double rate(const Around& n) const { return rate_[bonds(n)]; }
  KOKKOS_FORCEINLINE_FUNCTION double mean_waiting_time(const Around& n) const { return mean_waiting_time_[bonds(n)]; }
  KOKKOS_FORCEINLINE_FUNCTION State next(const Around& n, Stream&) const { return n.centre + 1; }
  /// A surface only grows. Up to half of what a height can be leaves room to go on.
  KOKKOS_FORCEINLINE_FUNCTION bool valid(State height) const { return height >= 0 && height <= State{1} << 30; }

  /// 1 at a step site, a cell with a higher nearest neighbour.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t observe(int, const Around& n) const { return bonds(n) > 0 ? 1 : 0; }

 private:
  double rate_[5], mean_waiting_time_[5];
};

/// The Ising model with single spin flips at the rate k_0 exp(-K s sum s'), k_0 = 1, s and s' = +-1, the sum over the
/// four nearest neighbours. The rates obey detailed balance for the energy -K sum s s' in units of the temperature, so
/// that equilibrium is Onsager's at the coupling K = J / (k_B T); K_c = ln(1 + sqrt 2) / 2 = 0.4406868.
class Ising {
 public:
  using State = std::int8_t;
  static constexpr int neighbours = 4;
  using Around = Neighbourhood<State, neighbours>;
  static constexpr const char* time_unit = "1/k_0";
  static constexpr const char* state_name = "spin";
  static constexpr SiteObservable site_observables[] = {{"energy", "J"}, {"magnetisation", ""}};

  /// coupling: K. magnetisation: mean spin at time 0, -1 to 1; spins are drawn independently.
  explicit Ising(double coupling, double magnetisation = 1)
      : up_below_(threshold(magnetisation)), all_up_(magnetisation >= 1) {
    for (int k = 0; k < 5; ++k) {
      rate_[k] = portable_exp(-coupling * (2 * k - 4));
      mean_waiting_time_[k] = 1.0 / rate_[k];
    }
  }

  /// Where the local alignment s sum s' = -4, -2, 0, 2, 4 stands in the tables: 0 to 4.
  KOKKOS_FORCEINLINE_FUNCTION static int alignment(const Around& n) {
    return (n.centre * (n.around[0] + n.around[1] + n.around[2] + n.around[3]) + 4) / 2;
  }

  KOKKOS_FORCEINLINE_FUNCTION double rate(const Around& n) const { return rate_[alignment(n)]; }
  KOKKOS_FORCEINLINE_FUNCTION double mean_waiting_time(const Around& n) const {
    return mean_waiting_time_[alignment(n)];
  }
  KOKKOS_FORCEINLINE_FUNCTION State next(const Around& n, Stream&) const { return static_cast<State>(-n.centre); }
  KOKKOS_FORCEINLINE_FUNCTION bool valid(State spin) const { return spin == 1 || spin == -1; }
  KOKKOS_FORCEINLINE_FUNCTION State initial(std::uint64_t random) const {
    return all_up_ || (random >> 11) < up_below_ ? State{1} : State{-1};
  }

  /// 0: the energy -s s' of the bonds to the west and to the south, so that every bond counts once; 1: the spin.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t observe(int which, const Around& n) const {
    return which == 0 ? -n.centre * (n.around[0] + n.around[2]) : n.centre;
  }

 private:
  static std::uint64_t threshold(double magnetisation) {
    return static_cast<std::uint64_t>((1 + magnetisation) / 2 * 0x1.0p53);
  }

  std::uint64_t up_below_;  // of 2^53
  bool all_up_;
  double rate_[5], mean_waiting_time_[5];
};

}  // namespace tessera::kmc
