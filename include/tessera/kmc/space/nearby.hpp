// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <tessera/kmc/space/models.hpp>
#include <utility>

namespace tessera::kmc::space {

/// Cells up to a number of steps between neighbours from a cell, without it, plane by plane. Of a cell of parity 1,
/// the offsets with `odd` are larger by Lattice::shift.
template <class L, int steps>
struct Nearby {
  static constexpr int width = 2 * steps + 1;  ///< of the offsets along an axis
  int count = 0;                               ///< number of cells
  int first[width + 1] = {};                   ///< number of the first one in a plane
  Offset offsets[width * width * width] = {};  ///< of a cell of parity 0
  bool odd[width * width * width] = {};        ///< whether the cell has the other parity

  constexpr Nearby() {
    bool in[2][width * width * width] = {};
    in[0][at({0, 0, 0})] = true;
    for (int step = 0; step < steps; ++step) {
      bool(&from)[width * width * width] = in[step & 1], (&to)[width * width * width] = in[1 - (step & 1)];
      for (int i = 0; i < width * width * width; ++i) to[i] = from[i];
      for (int i = 0; i < width * width * width; ++i)
        for (int k = 0; from[i] && k < L::neighbours; ++k) {
          const Offset cell = cell_of(i), by = L::offset(k, L::parity(0, cell.y, cell.z));
          to[at({cell.x + by.x, cell.y + by.y, cell.z + by.z})] = true;
        }
    }
    for (int i = 0; i < width * width * width; ++i) {
      if (i % (width * width) == 0) first[i / width / width] = count;
      if (!in[steps & 1][i] || i == at({0, 0, 0})) continue;
      offsets[count] = cell_of(i);
      odd[count++] = L::parity(0, cell_of(i).y, cell_of(i).z) != 0;
    }
    first[width] = count;
  }

 private:
  static constexpr int at(const Offset& by) { return ((by.z + steps) * width + by.y + steps) * width + by.x + steps; }
  static constexpr Offset cell_of(int i) {
    return {i % width - steps, i / width % width - steps, i / width / width - steps};
  }
};
template <class L, int steps>
inline constexpr Nearby<L, steps> nearby;

/// Calls use(constant i) for i = begin .. end - 1.
template <int begin, int end, class Use>
KOKKOS_FORCEINLINE_FUNCTION void unrolled(const Use& use) {
  [&]<int... i>(std::integer_sequence<int, i...>) { (use(std::integral_constant<int, begin + i>()), ...); }
  (std::make_integer_sequence<int, end - begin>());
}

}  // namespace tessera::kmc::space
