// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cmath>
#include <cstdint>

namespace tessera::testing {

/// Sets of cells of a periodic lattice of 6 x 6 cells as bits.
class SixBySix {
 public:
  static constexpr unsigned side = 6, cells = 36;

  static unsigned at(unsigned cell, unsigned dx, unsigned dy) {
    return (cell / side + dy) % side * side + (cell % side + dx) % side;
  }
  /// The cells at this offset from those of a set.
  static std::uint64_t shifted(std::uint64_t set, unsigned dx, unsigned dy) {
    std::uint64_t result = 0;
    for (unsigned c = 0; c < cells; ++c) result |= (set >> c & 1u) << at(c, dx, dy);
    return result;
  }
  /// Calls use(set) for all sets of `count` cells, at least one.
  template <class Use>
  static void for_each_set(int count, const Use& use) {
    for (std::uint64_t set = (std::uint64_t{1} << count) - 1; set < std::uint64_t{1} << cells;) {
      use(set);
      const std::uint64_t lowest = set & (~set + 1), next = set + lowest;  // the next larger one with as many bits
      set = next | ((set ^ next) / lowest >> 2);
    }
  }
};

/// Canonical averages, per cell, of a lattice gas on 6 x 6 cells with an attraction between nearest neighbours whose
/// particles hop to empty nearest neighbours at the rate rate(bonds before, bonds after).
struct GasOnSixBySix {
  double bonds = 0, hops = 0;

  template <class Rate>
  GasOnSixBySix(int particles, double attraction, const Rate& rate) {
    unsigned neighbours[SixBySix::cells][4];
    for (unsigned c = 0; c < SixBySix::cells; ++c)
      for (unsigned k = 0; k < 4; ++k)
        neighbours[c][k] = SixBySix::at(c, k == 0 ? 1 : (k == 1 ? 5 : 0), k == 2 ? 1 : (k == 3 ? 5 : 0));
    double sum = 0;
    SixBySix::for_each_set(particles, [&](std::uint64_t set) {
      const auto around = [&](unsigned c) {
        int count = 0;
        for (const unsigned there : neighbours[c]) count += static_cast<int>(set >> there & 1u);
        return count;
      };
      double ends = 0, total = 0;
      for (unsigned c = 0; c < SixBySix::cells; ++c) {
        if ((set >> c & 1u) == 0) continue;
        ends += around(c);
        for (const unsigned there : neighbours[c])
          if ((set >> there & 1u) == 0) total += rate(around(c), around(there) - 1);
      }
      const double weight = std::exp(attraction * ends / 2);
      sum += weight;
      bonds += weight * ends / 2;
      hops += weight * total;
    });
    bonds /= sum * SixBySix::cells;
    hops /= sum * SixBySix::cells;
  }
};

}  // namespace tessera::testing
