// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "options/value_text.hpp"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <system_error>
#include <tessera/core/error.hpp>

namespace tessera::program {
namespace {

bool all_digits(const std::string& text) { return text.find_first_not_of("0123456789") == std::string::npos; }

/// "1e6" and "2.50e3" as "1000000" and "2500", exactly; other texts are returned unchanged.
std::string without_exponent(const std::string& text) {
  const auto end = std::min(text.find_first_of("eE"), text.size());
  const auto begin = text.starts_with('-') ? std::size_t{1} : std::size_t{0};
  const auto point = std::min(text.find('.'), end);
  std::string digits = text.substr(begin, point - begin);
  std::string fraction = point < end ? text.substr(point + 1, end - point - 1) : "";
  std::string power = end < text.size() ? text.substr(end + 1) : "0";
  if (power.starts_with('+')) power.erase(0, 1);
  // A power of more than three digits exceeds every integer type.
  if (digits.empty() || power.empty() || power.size() > 3 || !all_digits(digits + fraction + power)) return text;
  const auto shift = static_cast<std::size_t>(std::stoi(power));
  fraction.resize(std::max(fraction.size(), shift), '0');
  if (fraction.find_first_not_of('0', shift) != std::string::npos) return text;
  return text.substr(0, begin) + digits + fraction.substr(0, shift);
}

template <class Integer>
void read_integer(const std::string& given, Integer& value) {
  const std::string text = without_exponent(given);
  Integer result{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, result);
  if (error == std::errc::result_out_of_range)
    throw InputError("must be at most " + std::to_string(std::numeric_limits<Integer>::max()) + " in magnitude");
  if (error != std::errc{} || stop != end)
    throw InputError(std::numeric_limits<Integer>::is_signed ? "must be a whole number"
                                                             : "must be a whole number, 0 or more");
  value = result;
}

/// A field of HH:MM:SS: digits only, at least one.
bool read_digits(const std::string& text, double& value) {
  if (text.empty() || text.size() > 9 || !all_digits(text)) return false;
  value = std::stod(text);
  return true;
}

/// [D-]HH:MM:SS in seconds.
bool read_clock(const std::string& text, double& seconds) {
  std::array<double, 4> field{};  // days to seconds
  std::size_t begin = 0;
  for (std::size_t i = text.find('-') == std::string::npos ? 1 : 0; i < field.size(); ++i) {
    const auto end = i == 3 ? text.size() : text.find(i == 0 ? '-' : ':', begin);
    if (end == std::string::npos || !read_digits(text.substr(begin, end - begin), field[i])) return false;
    begin = end + 1;
  }
  seconds = ((field[0] * 24 + field[1]) * 60 + field[2]) * 60 + field[3];
  return field[2] < 60 && field[3] < 60;
}

}  // namespace

std::string trimmed(const std::string& text) {
  return boost::algorithm::trim_copy_if(text, boost::algorithm::is_any_of(" \t\r\n"));
}

void read_value(const std::string& text, int& value) { read_integer(text, value); }
void read_value(const std::string& text, std::int64_t& value) { read_integer(text, value); }
void read_value(const std::string& text, std::uint64_t& value) { read_integer(text, value); }

void read_value(const std::string& text, double& value) {
  double result = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, result);
  if (error == std::errc::result_out_of_range) throw InputError("is too large or too small for a double");
  if (error != std::errc{} || stop != end || std::isnan(result)) throw InputError("must be a number");
  value = result + 0.0;  // -0 is 0
}

void read_value(const std::string& text, bool& value) {
  value = text == "true" || text == "1" || text == "yes" || text == "on";
  if (!value && text != "false" && text != "0" && text != "no" && text != "off")
    throw InputError("must be true or false");
}

void read_value(const std::string& text, std::string& value) {
  if (text.empty()) throw InputError("must not be empty");
  value = text;
}

void read_value(const std::string& text, WallSeconds& value) {
  double seconds = 0;
  try {
    if (!read_clock(text, seconds)) read_value(text, seconds);
  } catch (const InputError&) {
    throw InputError("must be seconds or [D-]HH:MM:SS");
  }
  if (seconds < 0) throw InputError("must not be negative");
  value.value = seconds;
}

std::string write_value(bool value) { return value ? "true" : "false"; }
std::string write_value(const std::string& value) { return value; }
std::string write_value(WallSeconds value) { return write_value(value.value); }

}  // namespace tessera::program
