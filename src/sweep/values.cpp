// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "sweep/values.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <tessera/core/error.hpp>

namespace tessera::program {
namespace {

constexpr int most_values = 100000;

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = text.find(separator); end != std::string::npos; end = text.find(separator, begin)) {
    parts.push_back(trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  parts.push_back(trimmed(text.substr(begin)));
  return parts;
}

/// In as many digits as people write, so that steps of 0.05 do not end in ...0003.
std::string in_short(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.12g", value);
  return text.data();
}

std::vector<std::string> range(const std::string& item) {
  const InputError wrong("'" + item + "': must be FROM:TO:COUNT or FROM:TO:COUNT:log, as in 0.3:0.7:9");
  const auto parts = split(item, ':');
  const bool logarithmic = parts.size() == 4 && parts[3] == "log";
  if (parts.size() != 3 && !logarithmic) throw wrong;
  double from = 0, to = 0;
  int count = 0;
  try {
    read_value(parts[0], from);
    read_value(parts[1], to);
    read_value(parts[2], count);
  } catch (const InputError&) {
    throw wrong;
  }
  if (!std::isfinite(from) || !std::isfinite(to)) throw wrong;
  if (count < 2 || count > most_values)
    throw InputError("'" + item + "': a range has from 2 to " + std::to_string(most_values) + " values");
  if (logarithmic && !(from > 0 && to > 0)) throw InputError("'" + item + "': both ends must be greater than 0");
  std::vector<std::string> values;
  for (int i = 0; i < count; ++i) {
    const double part = static_cast<double>(i) / (count - 1);
    values.push_back(in_short(logarithmic ? from * std::pow(to / from, part) : from + (to - from) * part));
  }
  values.front() = parts[0];
  values.back() = parts[1];
  return values;
}

bool may_be_file(const Option& option) { return option.argument.find("FILE") != std::string::npos; }

char separator_in(const Option& option, const std::string& text) {
  return option.has_commas || text.find(';') != std::string::npos ? ';' : ',';
}

}  // namespace

bool can_vary(const Option& option) {
  return (option.role == Role::trajectory || option.role == Role::course) && option.argument != "WALL";
}

std::vector<std::string> values_of(const Option& option, const std::string& text) {
  std::vector<std::string> values;
  for (const auto& item : split(text, separator_in(option, text))) {
    if (item.empty()) throw InputError("a value between two separators is missing");
    if (item.find(':') == std::string::npos || may_be_file(option)) {
      values.push_back(item);
    } else {
      for (auto& value : range(item)) values.push_back(std::move(value));
    }
  }
  return values;
}

std::string canonical(const Option& option, const std::string& value) {
  if (value.empty()) return value;
  option.set(value);
  std::string text = option.text();
  const auto comma = text.find(',');
  return comma != std::string::npos && text.substr(0, comma) == text.substr(comma + 1) ? text.substr(0, comma) : text;
}

std::string joined_values(const Option& option, const std::vector<std::string>& values) {
  std::string text;
  for (const auto& value : values) {
    if (!text.empty()) text += option.has_commas ? ';' : ',';
    text += value;
  }
  return text;
}

}  // namespace tessera::program
