// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace tessera::program {

/// A measured deviation of an observable of this algorithm from the exact process, in percent with its standard error,
/// "-0.9(1)"; empty if not known.
struct KnownBias {
  std::string observable, source;
  double growth_from;          ///< time from which on the deviation in growth is constant
  std::string growth, steady;  ///< in growth, and in the steady state of this lattice
};

/// An object with a member for each observable: numbers in percent, or null.
nlohmann::ordered_json json_of(const std::vector<KnownBias>& biases);

/// A line for each observable of a run to time `end`, if the deviation can show until then.
std::vector<std::string> text_of(const std::vector<KnownBias>& biases, double end);

}  // namespace tessera::program
