// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace tessera::kpz {

/// Which of p and q are not 0.
enum class Rule {
  one_certain,  ///< one of them, and it is 1
  one,          ///< one of them, and it is less than 1; or none
  both,
};

/// Probabilities of deposition and removal, times 2^32, exact to 2^-33: thresholds of 32 random bits.
struct Rates {
  Rule rule;
  bool removes;        ///< Rule::one: the update is a removal
  std::uint64_t only;  ///< Rule::one: the threshold that is not 0
  std::uint64_t deposition, removal;

  Rates(double p, double q)
      : rule(p > 0 && q > 0 ? Rule::both : (std::max(p, q) == 1 ? Rule::one_certain : Rule::one)),
        removes(rule != Rule::both && q > 0),
        only(threshold(std::max(p, q))),
        deposition(threshold(p)),
        removal(threshold(q)) {}

  static std::uint64_t threshold(double probability) {
    return static_cast<std::uint64_t>(std::llround(probability * 0x1p32));
  }
};

/// Compares 32 random bits with a threshold of Rates by one 32-bit comparison.
class Chance {
 public:
  KOKKOS_FORCEINLINE_FUNCTION explicit Chance(std::uint64_t threshold)
      : below_(static_cast<std::uint32_t>(threshold)), certain_(static_cast<std::uint32_t>(threshold >> 32)) {}
  KOKKOS_FORCEINLINE_FUNCTION bool allows(std::uint32_t bits) const { return bits < below_ || certain_ != 0; }

 private:
  std::uint32_t below_, certain_;
};

}  // namespace tessera::kpz
