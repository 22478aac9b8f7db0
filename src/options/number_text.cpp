// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "options/number_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace tessera::program {
namespace {

template <class... Values>
std::string formatted(const char* format, Values... values) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

}  // namespace

// Some libraries write the sign of a NaN.
std::string short_number(double value) { return std::isnan(value) ? "nan" : formatted("%.4g", value); }

std::string with_unit(double value, const std::string& unit) {
  return short_number(value) + (unit.starts_with("1/") ? unit.substr(1) : (unit.empty() ? "" : " " + unit));
}

std::string with_error(double value, double error) {
  if (std::isnan(error)) return short_number(value);
  if (!(error > 1e-12 * std::abs(value)) || !std::isfinite(value) || !std::isfinite(error))
    return short_number(value) + " +- " + short_number(error);
  const std::string rounded = formatted("%.1e", error);
  const int last = std::stoi(rounded.substr(rounded.find('e') + 1)) - (rounded.front() == '1' ? 1 : 0);
  const double largest = std::max(std::abs(value), error), unit = std::pow(10, std::max(0, last));
  const auto digits = [&](double number) {
    if (largest < 1e7 && largest >= 1e-4)
      return formatted("%.*f", std::max(0, -last), last > 0 ? std::round(number / unit) * unit : number);
    const double place = number == 0 ? last : std::floor(std::log10(std::abs(number)));
    return formatted("%.*e", std::max(0, static_cast<int>(place) - last), number);
  };
  return digits(value) + " +- " + digits(error);
}

std::string short_bytes(double bytes) {
  constexpr std::array units{"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < units.size()) {
    bytes /= 1024;
    ++unit;
  }
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

}  // namespace tessera::program
