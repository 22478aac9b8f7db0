// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "options/json.hpp"
#include "options/text.hpp"

namespace tessera::program {

/// A measured deviation of an observable of this algorithm from the exact process, in percent with its standard error,
/// "-0.9(1)"; empty if not known.
struct KnownBias {
  std::string observable, source;
  double growth_from;          ///< time from which on the deviation in growth is constant
  std::string growth, steady;  ///< in growth, and in the steady state of this lattice
};

/// Adds NAME_percent and NAME_percent_error of a text such as "-0.9(1)".
inline void add_percent(Json& object, const std::string& name, const std::string& text) {
  const std::size_t point = text.find('.'), bracket = text.find('(');
  double value = std::numeric_limits<double>::quiet_NaN(), error = value;
  if (bracket != std::string::npos) {
    value = std::strtod(text.c_str(), nullptr);
    error = std::strtod(text.c_str() + bracket + 1, nullptr) * std::pow(10, double(point) + 1 - double(bracket));
  }
  object[name + "_percent"] = value;
  object[name + "_percent_error"] = error;
}

/// An object with a member for each observable: numbers in percent, or null.
inline Json json_of(const std::vector<KnownBias>& biases) {
  Json all;
  for (const KnownBias& bias : biases) {
    Json& one = all[bias.observable];
    add_percent(one, "growth", bias.growth);
    one["growth_from_time"] = bias.growth_from;
    add_percent(one, "steady", bias.steady);
    one["source"] = bias.source;
  }
  return all;
}

/// A line for each observable of a run to time `end`, if the deviation can show until then.
inline std::vector<std::string> text_of(const std::vector<KnownBias>& biases, double end) {
  const auto percent = [](const std::string& text) { return text.empty() ? "an unknown amount" : text + " %"; };
  std::vector<std::string> lines;
  for (const KnownBias& bias : biases)
    if (end >= bias.growth_from || !bias.steady.empty())
      lines.push_back(bias.observable + " deviates from the exact process by " + percent(bias.growth) +
                      " in growth from time " + short_number(bias.growth_from) + " on, by " + percent(bias.steady) +
                      " in the steady state (" + bias.source + ")");
  return lines;
}

}  // namespace tessera::program
