// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <cstdint>
#include <tessera/core/exact_arithmetic.hpp>
#include <tessera/core/streams.hpp>
#include <tessera/kmc/models/rates_of_kinds.hpp>

namespace tessera::kmc {

/// A lattice gas with nearest-neighbour attraction. A particle with n occupied neighbours hops to each of its empty
/// neighbours at the rate k_0 exp(-E n), k_0 = 1, and leaves the lattice at the rate d exp(-E n); each empty cell is
/// occupied at the rate a. Obstacles, from a file, are neither occupied nor empty and never change. The rates obey
/// detailed balance with the energy -E k_B T for each pair of occupied nearest neighbours and the activity a / d: the
/// Ising model's statistics at fixed density without adsorption and desorption.
class Hopping : public RatesOfKinds<Hopping, std::int8_t, 7> {
 public:
  static constexpr const char* name = "hopping";       ///< value of --model
  static constexpr const char* title = "lattice gas";  ///< in messages and plots
  static constexpr ModelParameter parameters[] = {
      {"coverage", "C", "fraction of occupied cells at time 0, 0 to 1", 0.5, 0, 1, "theta", true},
      {"attraction", "E", "energy of a bond over k_B T", 1, -20, 20, "E", false, "k_B T"},
      {"adsorption", "A", "rate of adsorption in an empty cell, in k_0", 0, 0, 1e6, "", false, "k_0"},
      {"desorption", "D", "rate of desorption of a particle without bonds, in k_0", 0, 0, 1e6, "", false, "k_0"},
  };                                                       ///< of the constructor
  static constexpr const char* time_unit = "1/k_0";        ///< of the attempt rate k_0
  static constexpr const char* state_name = "occupation";  ///< 1: occupied; 0: empty; 8: obstacle
  static constexpr const char* counted[] = {"hops", "adsorptions", "desorptions"};         ///< groups of events
  static constexpr SiteObservable site_observables[] = {{"coverage", ""}, {"bonds", ""}};  ///< observe()

  /// coverage: of the initial state, to the nearest particle. attraction: E. adsorption, desorption: a, d in k_0.
  explicit Hopping(double coverage, double attraction, double adsorption = 0, double desorption = 0)
      : coverage_(coverage) {
    for (int n = 0; n <= 4; ++n) {
      const double boltzmann = portable_exp(-attraction * n), hops = 4 - n;
      set_rate(n, boltzmann * (hops + desorption));
      desorbs_below_[n] = desorption > 0 ? threshold_of(desorption / (hops + desorption)) : 0;
    }
    set_rate(empty, adsorption);
    set_rate(immobile, 0);
  }

  /// The number of occupied neighbours of a particle, `empty` or `immobile`.
  KOKKOS_FORCEINLINE_FUNCTION static int kind(const Around& n) {
    return n.centre == 1 ? bonds(n) : (n.centre == 0 ? empty : immobile);
  }

  /// Adsorption in an empty cell; desorption of a particle, or a hop to one of the neighbours that hold no particle,
  /// each with the same probability; onto an obstacle it fails, and nothing changes.
  KOKKOS_FORCEINLINE_FUNCTION Event<State> event(const Around& n, Stream& stream) const {
    if (n.centre == 0) return {.centre = 1, .beside = 0, .group = 1};
    const int occupied = bonds(n);
    if (desorbs_below_[occupied] != 0 && stream.draw() <= desorbs_below_[occupied])
      return {.centre = 0, .beside = 0, .group = 2};
    const auto free = static_cast<std::uint64_t>(4 - occupied);
    int which = static_cast<int>(((stream.draw() >> 32) * free) >> 32), direction = 0;
    bool hops = false;
    for (int k = 0; k < 4; ++k) {
      const bool is_free = n.around[k] != 1, is_chosen = is_free && which == 0;
      direction = is_chosen ? k : direction;
      hops = is_chosen ? n.around[k] == 0 : hops;
      which -= is_free ? 1 : 0;
    }
    return {.centre = 0,
            .beside = 1,
            .direction = direction,
            .changes_centre = hops,
            .changes_beside = hops,
            .group = hops ? 0 : -1};
  }

  /// Empty, occupied, or an obstacle.
  KOKKOS_FORCEINLINE_FUNCTION bool valid(State state) const { return state == 0 || state == 1 || state == obstacle; }
  /// Particles at random positions.
  KOKKOS_INLINE_FUNCTION State initial(const InitialCell& cell) const { return initial(cell, coverage_); }
  /// Particles in a band of full rows, or at random positions.
  State initial_phase(bool ordered, const InitialCell& cell) const { return initial(cell, coverage_, ordered); }
  /// The same for this coverage: the particles are the first cells of the lattice, or of a random permutation.
  KOKKOS_INLINE_FUNCTION static State initial(const InitialCell& cell, double coverage, bool in_band = false) {
    const auto cells = static_cast<std::uint64_t>(std::int64_t{cell.nx} * cell.ny);
    const auto number = static_cast<std::uint64_t>(std::int64_t{cell.y} * cell.nx + cell.x);
    const auto particles = static_cast<std::uint64_t>(coverage * static_cast<double>(cells) + 0.5);
    return (in_band ? number : permuted(number, cells, cell.seed)) < particles ? 1 : 0;
  }

  /// 0: whether the cell is occupied; 1: its bonds to the west and to the south, so that every bond counts once.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t observe(int which, const Around& n) const {
    if (n.centre != 1) return 0;
    return which == 0 ? 1 : (n.around[0] + n.around[2]) & 7;
  }
  static constexpr std::array<int, 2> cell_observables() { return {0, 1}; }  ///< the coverage

 private:
  static constexpr State obstacle = 8;           ///< adds nothing to a sum of states modulo 8
  static constexpr int empty = 5, immobile = 6;  ///< kinds of an empty cell and of an obstacle

  KOKKOS_FORCEINLINE_FUNCTION static int bonds(const Around& n) {
    return (n.around[0] + n.around[1] + n.around[2] + n.around[3]) & 7;
  }

  double coverage_;
  std::uint64_t desorbs_below_[5];
};

}  // namespace tessera::kmc
