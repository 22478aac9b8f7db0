// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <tessera/core/error.hpp>
#include <vector>

#include "options/text.hpp"

/// Times of measurement of the octahedron model, in Monte Carlo steps.
namespace tessera::program {

inline constexpr double latest_time = 1e12;

/// 0, and 2^k and 3 * 2^(k-1): 1, 2, 3, 4, 6, 8, 12, 16, 24, ...
inline std::vector<double> logarithmic_times() {
  std::vector<double> times{0, 1};
  for (double time = 2; time < latest_time; time *= 2) {
    times.push_back(time);
    times.push_back(1.5 * time);
  }
  return times;
}

/// Times that contain all waiting times: logarithmic_times(), if they do. Otherwise 0, and 1 to the waiting times and
/// from each to the next one in equal ratios near sqrt(2), which beyond the last one is that before it; rounded to
/// whole times. Waiting times closer than that have no times between them.
inline std::vector<double> times_through(const std::vector<double>& waiting_times) {
  std::vector<double> times = logarithmic_times();
  if (std::includes(times.begin(), times.end(), waiting_times.begin(), waiting_times.end())) return times;
  times = {0};
  const auto add = [&](double time) {
    if (time > times.back()) times.push_back(time);
  };
  double last = 1, ratio = std::sqrt(2.0);
  for (const double next : waiting_times) {
    if (next > last) {
      add(last);
      const auto parts = static_cast<int>(std::round(2 * std::log2(next / last)));
      if (parts > 0) ratio = std::pow(next / last, 1.0 / parts);
      for (int i = 1; i < parts; ++i)
        if (const double time = std::round(last * std::pow(ratio, i)); time < next) add(time);
      last = next;
    } else {
      add(next);
    }
  }
  add(last);
  for (double time = last * ratio; time < latest_time; time *= ratio) add(std::round(time));
  return times;
}

/// Reads increasing times of 0 or more: "1,10,100". Throws InputError; `others`: what else an option may be.
inline std::vector<double> read_times(const std::string& text, const std::string& others = {}) {
  std::vector<double> times;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const auto comma = std::min(text.find(',', begin), text.size());
    double time = 0;
    try {
      read_value(text.substr(begin, comma - begin), time);
    } catch (const InputError&) {
      throw InputError("must be " + others + "times in Monte Carlo steps: T1,T2,...");
    }
    if (!(time >= 0 && std::isfinite(time))) throw InputError("must be times, 0 or more");
    if (!times.empty() && time <= times.back()) throw InputError("must be increasing times");
    times.push_back(time);
    begin = comma + 1;
  }
  return times;
}

inline std::string write_times(const std::vector<double>& times) {
  std::string text;
  for (const double time : times) {
    if (!text.empty()) text += ',';
    text += write_value(time);
  }
  return text;
}

/// Whether --measure-times is a list, and not `log` or `auto`.
inline bool is_list_of_times(const std::string& text) { return text != "log" && text != "auto"; }

/// The times of --measure-times: a list; `log`: 0, and 2^k and 3 * 2^(k-1); `auto`: these, or similar times that
/// contain all waiting times.
inline std::vector<double> measurement_times(const std::string& text, const std::vector<double>& waiting_times) {
  if (is_list_of_times(text)) return read_times(text);
  return text == "auto" ? times_through(waiting_times) : logarithmic_times();
}

}  // namespace tessera::program
