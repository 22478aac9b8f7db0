// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "options/text.hpp"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <boost/locale/utf.hpp>
#include <cmath>
#include <cstdio>
#include <limits>
#include <regex>
#include <string_view>
#include <system_error>
#include <tessera/core/error.hpp>
#include <utility>

namespace tessera::program {
namespace {

template <class... Values>
std::string formatted(const char* format, Values... values) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

unsigned byte_at(const std::string& text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

/// The character at `at`, and its length in bytes; 0 for invalid UTF-8.
std::pair<unsigned, std::size_t> character_at(const std::string& text, std::size_t at) {
  const char *const begin = text.data() + at, *end = begin;
  const auto code = boost::locale::utf::utf_traits<char>::decode(end, text.data() + text.size());
  return {code, boost::locale::utf::is_valid_codepoint(code) ? static_cast<std::size_t>(end - begin) : 0};
}

std::string escape(unsigned byte) {
  const auto at = std::string_view("\n\r\t").find(static_cast<char>(byte));
  return at < 3 ? std::string{'\\', "nrt"[at]} : formatted("\\x%02x", byte);
}

bool continues_character(const std::string& text, std::size_t at) { return (byte_at(text, at) & 0xc0u) == 0x80u; }

/// Replaces the middle of a text by "..." without splitting characters.
std::string without_middle(const std::string& text, std::size_t longest) {
  std::size_t head = longest - longest / 3;
  std::size_t tail = text.size() - longest / 3;
  for (int i = 0; i < 3 && continues_character(text, head); ++i) --head;
  for (int i = 0; i < 3 && tail < text.size() && continues_character(text, tail); ++i) ++tail;
  return text.substr(0, head) + "..." + text.substr(tail);
}

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

// Some libraries write the sign of a NaN.
std::string short_number(double value) { return std::isnan(value) ? "nan" : formatted("%.4g", value); }

std::string with_unit(double value, const std::string& unit) {
  return short_number(value) + (unit.starts_with("1/") ? unit.substr(1) : (unit.empty() ? "" : " " + unit));
}

std::string with_error(double value, double error) {
  if (!(error > 1e-12 * std::abs(value)) || !std::isfinite(value) || !std::isfinite(error)) return short_number(value);
  const auto place = [](double number) { return static_cast<int>(std::floor(std::log10(number))); };
  const int first = place(error), last = error / std::pow(10., first) < 2.95 ? first - 1 : first;
  const int largest = place(std::max(std::abs(value), error));
  const int power = (last > 0 && largest > 3) || largest < -4 ? largest : 0, digits = power - last;
  const double unit = std::pow(10., last), rounded = std::nearbyint(value / unit) * unit / std::pow(10., power);
  return formatted("%.*f(%.0f)", std::max(0, digits), rounded, std::nearbyint(error / unit) * (digits < 0 ? unit : 1)) +
         (power == 0 ? "" : formatted("e%d", power));
}

std::string short_bytes(double bytes) {
  constexpr std::array units{"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < units.size(); ++unit) bytes /= 1024;
  return short_number(bytes < 100 ? std::round(10 * bytes) / 10 : std::round(bytes)) + " " + units[unit];
}

std::string gibibytes(std::size_t bytes) { return short_number(static_cast<double>(bytes) / (1 << 30)); }

std::string short_duration(double seconds) {
  if (!(seconds < 1e9)) return "very long";
  if (seconds < 59.5) return formatted(seconds < 10 ? "%.1f s" : "%.0f s", seconds);
  const auto whole = std::llround(seconds);
  if (whole < 3600) return formatted("%lld min %lld s", whole / 60, whole % 60);
  if (whole < 86400) return formatted("%lld h %lld min", whole / 3600, whole % 3600 / 60);
  return formatted("%lld d %lld h", whole / 86400, whole % 86400 / 3600);
}

std::string counted(long long number, const std::string& noun) {
  return std::to_string(number) + ' ' + noun + (number == 1 ? "" : "s");
}

std::size_t utf8_length(const std::string& text, std::size_t at) { return character_at(text, at).second; }

std::string shown(const std::string& text, std::size_t longest) {
  const std::string content = text.size() > longest ? without_middle(text, longest) : text;
  std::string line;
  for (std::size_t at = 0; at < content.size();) {
    const auto [code, length] = character_at(content, at);
    const bool is_control = code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x2028 && code <= 0x202e) ||
                            (code >= 0x2066 && code <= 0x2069);
    const bool is_printable = length > 0 && !is_control;
    line += is_printable ? content.substr(at, length) : escape(byte_at(content, at));
    at += is_printable ? length : 1;
  }
  return line;
}

std::string shell_word(const std::string& word) {
  const std::string plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  return "'" + boost::algorithm::replace_all_copy(word, "'", "'\\''") + "'";
}

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({replaced, cost[i - 1][j] + 1, cost[i][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  return cost[a.size()][b.size()];
}

std::string nearest_word(const std::string& word, const std::vector<std::string>& known) {
  constexpr std::size_t shortest_start = 3;  // "p" starts too many words to mean one of them
  for (const auto& candidate : known)
    if (word.size() >= shortest_start && candidate.starts_with(word)) return candidate;
  constexpr std::size_t letters_to_a_mistake = 3;
  std::string nearest;
  std::size_t smallest = std::numeric_limits<std::size_t>::max();
  for (const auto& candidate : known) {
    const std::size_t longer = std::max(word.size(), candidate.size()), distance = edit_distance(word, candidate);
    if (word.size() <= 2 * candidate.size() && letters_to_a_mistake * distance <= longer && distance < smallest) {
      smallest = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

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

}  // namespace tessera::program
