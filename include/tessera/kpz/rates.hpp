// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tessera/kpz/word.hpp>

namespace tessera::kpz {

/// Which of p and q are not 0.
enum class Rule {
  one_certain,  ///< one of them, and it is 1
  one,          ///< one of them
  both,
};

/// The probabilities of deposition and removal, to 2^-33: an open site changes if 32 random bits are below 2^32 times
/// the probability.
struct Rates {
  Rule rule;
  std::uint32_t open;  ///< Rule::one: the slopes that an update needs
  std::uint64_t only;  ///< Rule::one: the probability that is not 0
  std::uint64_t deposition, removal;

  Rates(double p, double q)
      : rule(p > 0 && q > 0 ? Rule::both : (std::max(p, q) == 1 ? Rule::one_certain : Rule::one)),
        open(q > 0 ? open_to_removal : open_to_deposition),
        only(threshold(std::max(p, q))),
        deposition(threshold(p)),
        removal(threshold(q)) {}

  static std::uint64_t threshold(double probability) {
    return static_cast<std::uint64_t>(std::llround(probability * 0x1p32));
  }
};

}  // namespace tessera::kpz
