// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <tessera/kmc/model.hpp>

namespace tessera::testing {

/// A model with eight neighbours, of which the diagonal ones count half, whose new state is drawn: three species that
/// turn into one another, quicker beside cells of another species; without mean_waiting_time().
class Species {
 public:
  using State = std::int16_t;
  static constexpr int neighbours = 8;
  using Around = kmc::Neighbourhood<State, neighbours>;
  static constexpr kmc::SiteObservable site_observables[] = {{"of_species_2", ""}, {"like_diagonals", ""}};

  KOKKOS_FUNCTION double rate(const Around& n) const {
    double rate = 0.25;
    for (int k = 0; k < 8; ++k) rate += n.around[k] == n.centre ? 0.0 : (k < 4 ? 1.0 : 0.5);
    return rate;
  }
  KOKKOS_FUNCTION State next(const Around& n, Stream& stream) const {
    return static_cast<State>((n.centre + 1 + static_cast<int>(stream.draw() >> 63)) % 3);
  }
  KOKKOS_FUNCTION State initial(std::uint64_t random) const { return static_cast<State>(random % 3); }
  KOKKOS_FUNCTION std::int64_t observe(int which, const Around& n) const {
    if (which == 0) return n.centre == 2;
    return (n.around[4] == n.centre) + (n.around[5] == n.centre) + (n.around[6] == n.centre) +
           (n.around[7] == n.centre);
  }
};

/// Cells that adsorb once, unless a neighbour has: random sequential adsorption with exclusion. It comes to an end.
class Adsorption {
 public:
  using State = std::int8_t;
  static constexpr int neighbours = 4;
  using Around = kmc::Neighbourhood<State, neighbours>;

  KOKKOS_FUNCTION double rate(const Around& n) const {
    return n.centre + n.around[0] + n.around[1] + n.around[2] + n.around[3] == 0 ? 1 : 0;
  }
  KOKKOS_FUNCTION State next(const Around&, Stream&) const { return 1; }
};

/// The contact process: an infected cell recovers at the rate 1 and infects each healthy neighbour at the rate 3/4, an
/// event that changes the neighbour alone.
class Contact {
 public:
  using State = std::int8_t;
  static constexpr int neighbours = 4;
  using Around = kmc::Neighbourhood<State, neighbours>;
  static constexpr const char* counted[] = {"infections", "recoveries"};

  KOKKOS_FUNCTION static int healthy(const Around& n) {
    return 4 - n.around[0] - n.around[1] - n.around[2] - n.around[3];
  }
  KOKKOS_FUNCTION double rate(const Around& n) const { return n.centre == 0 ? 0 : 1 + 0.75 * healthy(n); }
  KOKKOS_FUNCTION kmc::Event<State> event(const Around& n, Stream& stream) const {
    double left = stream.uniform() * rate(n) - 1;
    if (left < 0 || healthy(n) == 0) return {.centre = 0, .beside = 0, .group = 1};
    int direction = 0;
    for (int k = 0; k < 4; ++k) {
      if (n.around[k] != 0) continue;
      direction = k;
      if (left < 0.75) break;
      left -= 0.75;
    }
    return {
        .centre = 1, .beside = 1, .direction = direction, .changes_centre = false, .changes_beside = true, .group = 0};
  }
  KOKKOS_FUNCTION State initial(std::uint64_t random) const { return static_cast<State>(random >> 63); }
};

}  // namespace tessera::testing
