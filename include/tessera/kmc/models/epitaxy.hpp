// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/exact_arithmetic.hpp>
#include <tessera/kmc/models/rates_of_kinds.hpp>
#include <vector>

namespace tessera::kmc {

/// Molecular-beam epitaxy on a solid-on-solid surface (Clarke and Vvedensky, J. Appl. Phys. 63, 2272, 1988). Atoms are
/// deposited at the rate F on each column. The top atom of a column hops at the rate D exp(-E n) to one of the four
/// nearest columns with equal probability, whatever their heights. n is the number of its lateral bonds, to nearest
/// columns at least as high as its own. The substrate, at height 0, does not hop.
class Epitaxy : public RatesOfKinds<Epitaxy, std::int32_t, 6> {
 public:
  static constexpr const char* name = "epitaxy";                  ///< value of --model
  static constexpr const char* title = "molecular-beam epitaxy";  ///< in messages and plots
  static constexpr ModelParameter parameters[] = {
      {"flux", "F", "rate of deposition, layers/s", 1, 1e-12, 1e12, "F", false, "layers/s"},
      {"diffusion", "D", "rate of hops of an atom without lateral bonds, 1/s", 1e5, 0, 1e15, "D", false, "1/s"},
      {"bond-energy", "E", "energy of a lateral bond over k_B T", 2, 0, 30, "E", false, "k_B T"},
      {"island-size", "S", "atoms of the smallest island that island_density counts", 2, 1, 1e9},
  };                                                                 ///< of the constructor
  static constexpr const char* time_unit = "s";                      ///< that of 1/F and 1/D
  static constexpr const char* state_name = "height";                ///< of a column
  static constexpr const char* state_unit = "layers";                ///< one atom high
  static constexpr bool state_is_height = true;                      ///< measures moments
  static constexpr const char* counted[] = {"hops", "depositions"};  ///< groups of events
  static constexpr SiteObservable site_observables[] = {{"step_density", ""}, {"adatom_density", ""}};  ///< observe()

  /// flux: F and diffusion: D, in the same unit. bond_energy: E. island_size: atoms of the smallest island.
  explicit Epitaxy(double flux, double diffusion, double bond_energy, double island_size = 2)
      : island_size_(static_cast<int>(island_size)) {
    for (int n = 0; n <= substrate; ++n) {
      const double hops = n < substrate ? diffusion * portable_exp(-bond_energy * n) : 0, rate = flux + hops;
      set_rate(n, rate);
      const double part = flux / rate * 0x1.0p62;
      lands_below_[n] = static_cast<std::uint64_t>(part);
    }
  }

  /// The number of lateral bonds of the top atom, or `substrate`.
  KOKKOS_FORCEINLINE_FUNCTION static int kind(const Around& n) {
    const int bonds =
        (n.around[0] >= n.centre) + (n.around[1] >= n.centre) + (n.around[2] >= n.centre) + (n.around[3] >= n.centre);
    return n.centre > 0 ? bonds : substrate;
  }

  /// Deposition, or a hop.
  KOKKOS_FORCEINLINE_FUNCTION Event<State> event(const Around& n, Stream& stream) const {
    const std::uint64_t random = stream.draw();
    const int k = static_cast<int>(random & 3u);
    const bool lands = random >> 2 < lands_below_[kind(n)];
    const State neighbour = k < 2 ? (k == 0 ? n.around[0] : n.around[1]) : (k == 2 ? n.around[2] : n.around[3]);
    return {.centre = n.centre + (lands ? 1 : -1),
            .beside = neighbour + 1,
            .direction = k,
            .changes_beside = !lands,
            .group = lands ? 1 : 0};
  }

  /// The limit, half of the largest height, leaves room for growth.
  KOKKOS_FORCEINLINE_FUNCTION bool valid(State height) const { return height >= 0 && height <= State{1} << 30; }

  /// 0: steps to the west and to the south, which counts each step once; 1: 1 if the top atom has no lateral bond.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t observe(int which, const Around& n) const {
    return which == 0 ? (n.around[0] != n.centre) + (n.around[2] != n.centre) : kind(n) == 0;
  }

  /// Islands: atoms of the first layer on neighbouring columns.
  std::vector<ClusterKind> clusters() const {
    return {{"island_density", "island_sizes", 1, island_size_, {{0, 0, 1, 0}, {0, 0, 0, 1}}}};
  }
  KOKKOS_FORCEINLINE_FUNCTION bool in_cluster(int, int, State height) const { return height > 0; }  ///< of islands

 private:
  static constexpr int substrate = 5;  ///< kind of a column at height 0

  std::uint64_t lands_below_[substrate + 1];  ///< thresholds of 62 random bits
  int island_size_;
};

}  // namespace tessera::kmc
