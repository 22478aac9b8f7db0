// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <tessera/core/exact_arithmetic.hpp>
#include <tessera/kmc/models/rates_of_kinds.hpp>

namespace tessera::kmc {

/// Irreversible crystal growth on a solid-on-solid surface (equation 6 of Darkins, Duffy and Ford, 2024).
///
/// The state is the local height in layers. An adatom attaches at the rate k(n_b) = k_2 exp((2 n_b - 4) phi), k_2 = 1,
/// where n_b is the number of in-plane bonds that it forms: the nearest neighbours that are higher than the cell.
class SolidOnSolid : public RatesOfKinds<SolidOnSolid, std::int32_t, 5> {
 public:
  static constexpr const char* name = "sos";              ///< value of --model
  static constexpr const char* title = "solid-on-solid";  ///< in messages and plots
  static constexpr ModelParameter parameters[] = {
      {"phi", "X", "surface free energy over temperature", 1, -20, 20, "phi"}};  ///< of the constructor
  static constexpr const char* time_unit = "1/k_2";                              ///< of the rate with two bonds
  static constexpr const char* state_name = "height";                            ///< of a site
  static constexpr const char* state_unit = "layers";                            ///< of adatoms
  static constexpr bool state_is_height = true;                                  ///< measures moments
  static constexpr SiteObservable site_observables[] = {{"step_fraction", ""}};  ///< observe()

  /// phi: surface free energy in units of the temperature.
  explicit SolidOnSolid(double phi) {
    for (int bonds = 0; bonds <= 4; ++bonds) set_rate(bonds, portable_exp((2 * bonds - 4) * phi));
  }

  /// The number n_b of bonds, 0 to 4, that an adatom forms with its nearest neighbours in the surface plane.
  KOKKOS_FORCEINLINE_FUNCTION static int kind(const Around& n) {
    return (n.around[0] > n.centre) + (n.around[1] > n.centre) + (n.around[2] > n.centre) + (n.around[3] > n.centre);
  }

  KOKKOS_FORCEINLINE_FUNCTION State next(const Around& n, Stream&) const { return n.centre + 1; }  ///< one layer more
  /// Heights never decrease. The limit, half of the largest height, leaves room for growth.
  KOKKOS_FORCEINLINE_FUNCTION bool valid(State height) const { return height >= 0 && height <= State{1} << 30; }

  /// 1 at a step site, a cell with a higher nearest neighbour.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t observe(int, const Around& n) const { return kind(n) > 0 ? 1 : 0; }
};

}  // namespace tessera::kmc
