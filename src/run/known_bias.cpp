// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/known_bias.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>

#include "options/json.hpp"
#include "options/text.hpp"

namespace tessera::program {
namespace {

/// Adds NAME_percent and NAME_percent_error of a text such as "-0.9(1)".
void add(Json& object, const std::string& name, const std::string& text) {
  const std::size_t point = text.find('.'), bracket = text.find('(');
  double value = std::numeric_limits<double>::quiet_NaN(), error = value;
  if (bracket != std::string::npos) {
    value = std::strtod(text.c_str(), nullptr);
    error = std::strtod(text.c_str() + bracket + 1, nullptr) * std::pow(10, double(point) + 1 - double(bracket));
  }
  object[name + "_percent"] = value;
  object[name + "_percent_error"] = error;
}

}  // namespace

Json json_of(const std::vector<KnownBias>& biases) {
  Json all;
  for (const KnownBias& bias : biases) {
    Json& one = all[bias.observable];
    add(one, "growth", bias.growth);
    one["growth_from_time"] = bias.growth_from;
    add(one, "steady", bias.steady);
    one["source"] = bias.source;
  }
  return all;
}

std::vector<std::string> text_of(const std::vector<KnownBias>& biases, double end) {
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
