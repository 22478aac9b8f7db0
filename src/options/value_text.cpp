// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "options/value_text.hpp"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <regex>
#include <system_error>
#include <tessera/core/error.hpp>

namespace tessera::program {
namespace {

/// "1e6" and "2.50e3" as "1000000" and "2500", exactly; other texts are returned unchanged.
std::string without_exponent(const std::string& text) {
  // More digits, or a power of more than three, exceed every integer type.
  static const std::regex form(R"((-?[0-9]{1,400})(\.([0-9]{0,400}))?([eE]\+?([0-9]{1,3}))?)");
  std::smatch part;
  if (!std::regex_match(text, part, form)) return text;
  const auto shift = static_cast<std::size_t>(part[5].matched ? std::stoi(part[5]) : 0);
  std::string fraction = part[3];
  fraction.resize(std::max(fraction.size(), shift), '0');
  if (fraction.find_first_not_of('0', shift) != std::string::npos) return text;
  return part[1].str() + fraction.substr(0, shift);
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

/// [D-]HH:MM:SS in seconds.
bool read_clock(const std::string& text, double& seconds) {
  static const std::regex form("(([0-9]{1,9})-)?([0-9]{1,9}):([0-9]{1,9}):([0-9]{1,9})");
  std::smatch field;
  if (!std::regex_match(text, field, form)) return false;
  const auto number = [&](std::size_t i) { return field[i].matched ? std::stod(field[i]) : 0; };
  seconds = ((number(2) * 24 + number(3)) * 60 + number(4)) * 60 + number(5);
  return number(4) < 60 && number(5) < 60;
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
