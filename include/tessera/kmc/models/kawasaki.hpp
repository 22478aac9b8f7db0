// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <tessera/core/exact_arithmetic.hpp>
#include <tessera/kmc/model.hpp>
#include <tessera/kmc/models/hopping.hpp>

namespace tessera::kmc {

/// A lattice gas with nearest-neighbour attraction and Kawasaki's dynamics (Phys. Rev. 145, 224, 1966): a particle and
/// an empty nearest neighbour change places at Metropolis' rate k_0 min(1, exp(-E b)), k_0 = 1, where b is the number
/// of bonds lost. The rates obey detailed balance with the energy -E k_B T per occupied nearest-neighbour pair.
class Kawasaki {
 public:
  using State = std::int8_t;                                 ///< 1: occupied; 0: empty
  static constexpr int neighbours = 12;                      ///< those of the cell and of its nearest neighbours
  using Around = Neighbourhood<State, neighbours>;           ///< of the cell
  static constexpr const char* name = "kawasaki";            ///< value of --model
  static constexpr const char* title = "Kawasaki dynamics";  ///< in messages and plots
  static constexpr ModelParameter parameters[] = {Hopping::parameters[0], Hopping::parameters[1]};  ///< see Hopping
  static constexpr const char* time_unit = "1/k_0";                                        ///< of the attempt rate k_0
  static constexpr const char* state_name = "occupation";                                  ///< 1: occupied; 0: empty
  static constexpr const char* counted[] = {"hops"};                                       ///< groups of events
  static constexpr SiteObservable site_observables[] = {{"coverage", ""}, {"bonds", ""}};  ///< observe()

  /// coverage: of the initial state, which has exactly the nearest whole number of particles. attraction: E.
  explicit Kawasaki(double coverage, double attraction) : coverage_(coverage) {
    for (int lost = -most; lost <= most; ++lost) {
      const double boltzmann = portable_exp(-attraction * lost);
      rate_[most + lost] = boltzmann < 1 ? boltzmann : 1;
    }
  }

  /// Sum of the rates of the hops of the particle; 0 in an empty cell.
  KOKKOS_FORCEINLINE_FUNCTION double rate(const Around& n) const {
    double sum = 0;
    for (int k = 0; k < 4; ++k) sum += rate_of_hop(n, k);
    return sum;
  }
  double largest_rate() const { return 4 * *std::ranges::max_element(rate_); }  ///< of four hops

  /// One of the hops, with a probability proportional to its rate.
  KOKKOS_FORCEINLINE_FUNCTION Event<State> event(const Around& n, Stream& stream) const {
    double left = stream.uniform() * rate(n);
    int direction = 0;
    for (int k = 0; k < 4; ++k) {
      if (left >= 0 && rate_of_hop(n, k) > 0) direction = k;
      left -= rate_of_hop(n, k);
    }
    return {.centre = 0, .beside = 1, .direction = direction, .changes_beside = true, .group = 0};
  }

  KOKKOS_FORCEINLINE_FUNCTION bool valid(State state) const { return state == 0 || state == 1; }  ///< 0 or 1
  /// Particles at random positions.
  KOKKOS_INLINE_FUNCTION State initial(const InitialCell& cell) const { return Hopping::initial(cell, coverage_); }
  /// Particles in a band of full rows, or at random positions.
  State initial_phase(bool ordered, const InitialCell& cell) const {
    return Hopping::initial(cell, coverage_, ordered);
  }

  /// 0: whether the cell is occupied; 1: its bonds to the west and to the south, so that every bond counts once.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t observe(int which, const Around& n) const {
    return which == 0 ? n.centre : n.centre * (n.around[0] + n.around[2]);
  }
  static constexpr std::array<int, 2> cell_observables() { return {0, 1}; }  ///< the coverage

 private:
  static constexpr int most = 3;  ///< bonds that a hop can lose or gain

  /// Rate of the hop to neighbour k; 0 if it is not possible.
  KOKKOS_FORCEINLINE_FUNCTION double rate_of_hop(const Around& n, int k) const {
    const int before = n.around[0] + n.around[1] + n.around[2] + n.around[3];
    // The two neighbours of the target that are diagonal neighbours of the cell.
    const int one = k == 1 || k == 2 ? n.around[4] : n.around[5], other = k % 2 == 0 ? n.around[6] : n.around[7];
    const int after = n.around[8 + k] + one + other;
    return n.centre > n.around[k] ? rate_[most + before - after] : 0;
  }

  double coverage_, rate_[2 * most + 1];
};

}  // namespace tessera::kmc
