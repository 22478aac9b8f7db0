// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <tessera/kmc/space/lattices.hpp>

/// The totally asymmetric exclusion process in each row: a particle hops to the next site along x, at the rate 1, if
/// this site is empty.
class Drift {
 public:
  using Lattice = tessera::kmc::space::SimpleCubic;
  static constexpr int kinds = 2;  // 0: a particle before an empty site; 1: all other sites
  static constexpr int state_bits = 1;
  static constexpr bool moves = true;
  static constexpr const char* state_name = "occupation";

  int states() const { return 2; }
  double rate(int kind) const { return kind == 0 ? 1 : 0; }
  template <class At>
  KOKKOS_FUNCTION int kind(int state, const At& at) const {
    return state == 1 && at(next_along_x) == 0 ? 0 : 1;
  }
  template <class At>
  KOKKOS_FUNCTION int direction(const At&, std::uint64_t) const {
    return next_along_x;
  }
  KOKKOS_FUNCTION int initial(std::uint64_t, std::uint64_t rank, std::uint64_t cells) const {
    return 2 * rank < cells ? 1 : 0;  // half of the sites
  }
  KOKKOS_FUNCTION int bond(int a, int b) const { return a & b; }
  static int shown(int state) { return state; }

 private:
  static constexpr int next_along_x = 1;  // number of the neighbour at x + 1
};
