// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace tessera::program {

/// JSON, with members in the order of their insertion; null for NaN and infinities, which it does not have.
using Json = nlohmann::ordered_json;

/// Whole numbers without a decimal point.
inline Json with_whole_numbers(Json json) {
  if (json.is_structured())
    for (Json& one : json) one = with_whole_numbers(one);
  else if (const double value = json.is_number_float() ? json.get<double>() : 0.5;
           std::abs(value) < 0x1p53 && value == std::floor(value))
    json = static_cast<std::int64_t>(value);
  return json;
}

/// One member a line; with `indent` -1 all in one line. Bytes that are not UTF-8 become U+FFFD.
inline std::string text_of(const Json& json, int indent = 2) {
  return with_whole_numbers(json).dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tessera::program
