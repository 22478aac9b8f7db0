// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/kmc/models/rates_of_kinds.hpp>

namespace tessera::kmc {

/// The octahedron model of the Kardar-Parisi-Zhang class (Odor, Liedke and Heinig, Phys. Rev. E 79, 021125, 2009) as a
/// Markov process in continuous time. Heights of nearest neighbours differ by 1. A local minimum grows by 2 at the rate
/// p, a local maximum shrinks by 2 at the rate q. The time unit is a Monte Carlo step of the random-sequential
/// dynamics, with one attempt per cell on average.
class Octahedron : public RatesOfKinds<Octahedron, std::int32_t, 3> {
 public:
  static constexpr const char* name = "octahedron";   ///< value of --model
  static constexpr const char* title = "octahedron";  ///< in messages and plots
  static constexpr ModelParameter parameters[] = {
      {"p", "P", "rate of growth where an octahedron fits", 1, 0, 1e6, "p"},
      {"q", "Q", "rate of removal where there is one to remove", 0, 0, 1e6, "q"},
  };                                                   ///< of the constructor
  static constexpr const char* time_unit = "MCS";      ///< Monte Carlo steps
  static constexpr const char* state_name = "height";  ///< of a site
  static constexpr const char* state_unit = "layers";  ///< an octahedron is 2 high
  static constexpr bool state_is_height = true;        ///< measures moments
  static constexpr bool even_sides = true;             ///< for the checkerboard of the flat surface

  /// p: rate of growth at a local minimum. q: rate of removal at a local maximum.
  explicit Octahedron(double p, double q = 0) {
    set_rate(0, 0);
    set_rate(1, p);
    set_rate(2, q);
  }

  /// 0: no event; 1: the cell grows; 2: it shrinks.
  KOKKOS_FORCEINLINE_FUNCTION static int kind(const Around& n) {
    const int sum =
        (n.around[0] - n.centre) + (n.around[1] - n.centre) + (n.around[2] - n.centre) + (n.around[3] - n.centre);
    return sum == 4 ? 1 : (sum == -4 ? 2 : 0);
  }
  /// 2 higher at a local minimum, 2 lower at a local maximum.
  KOKKOS_FORCEINLINE_FUNCTION State next(const Around& n, Stream&) const {
    return n.around[0] > n.centre ? n.centre + 2 : n.centre - 2;
  }

  /// Whether a height is at most 2^30, of either sign.
  KOKKOS_FORCEINLINE_FUNCTION bool valid(State height) const {
    constexpr State most = State{1} << 30;  // half of the largest height, to leave room for growth
    return height >= -most && height <= most;
  }
  /// Whether all neighbours differ from the cell by 1.
  KOKKOS_FORCEINLINE_FUNCTION bool possible(const Around& n) const {
    for (const State height : n.around)
      if (height - n.centre != 1 && height - n.centre != -1) return false;
    return true;
  }
  /// The flat surface, a checkerboard of the heights 0 and 1.
  KOKKOS_FORCEINLINE_FUNCTION State initial(const InitialCell& cell) const { return (cell.x + cell.y) & 1; }
};

}  // namespace tessera::kmc
