// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <tessera/kmc/space/methods.hpp>

/// The contact process: an infected cell recovers at the rate 1; a healthy one with n infected neighbours is infected
/// at the rate lambda n / z, where z is the number of neighbours.
template <class L>
class ContactProcess {
 public:
  using Lattice = L;                               // e.g. tessera::kmc::space::SimpleCubic
  static constexpr int kinds = L::neighbours + 2;  // 0: infected; 1 + n: healthy
  static constexpr int state_bits = 1;             // of a number of a state
  static constexpr bool moves = false;             // an event changes the state of its cell alone
  static constexpr const char* state_name = "infected";

  explicit ContactProcess(double lambda) : lambda_(lambda) {}

  int states() const { return 2; }
  double rate(int kind) const { return kind == 0 ? 1 : lambda_ * (kind - 1) / L::neighbours; }
  template <class At>
  KOKKOS_FUNCTION int kind(int state, const At& at) const {  // at(k): state of neighbour k
    if (state == 1) return 0;
    int infected = 0;
    for (int k = 0; k < L::neighbours; ++k) infected += at(k);
    return 1 + infected;
  }
  KOKKOS_FUNCTION int next(int state, std::uint64_t) const { return 1 - state; }
  KOKKOS_FUNCTION int initial(std::uint64_t, std::uint64_t, std::uint64_t) const { return 1; }  // all are infected
  KOKKOS_FUNCTION int bond(int a, int b) const { return a & b; }  // pairs of infected neighbours are counted
  static int shown(int state) { return state; }

 private:
  double lambda_;
};
