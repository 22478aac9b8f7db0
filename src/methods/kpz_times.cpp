// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "methods/kpz_times.hpp"

#include <algorithm>
#include <cmath>
#include <tessera/core/error.hpp>

#include "options/value_text.hpp"

namespace tessera::program {
namespace {

constexpr double latest = 1e12;

}  // namespace

std::vector<double> read_times(const std::string& text, const std::string& others) {
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

std::string write_times(const std::vector<double>& times) {
  std::string text;
  for (const double time : times) {
    if (!text.empty()) text += ',';
    text += write_value(time);
  }
  return text;
}

std::vector<double> logarithmic_times() {
  std::vector<double> times{0, 1};
  for (double time = 2; time < latest; time *= 2) {
    times.push_back(time);
    times.push_back(1.5 * time);
  }
  return times;
}

std::vector<double> times_through(const std::vector<double>& waiting_times) {
  std::vector<double> times = logarithmic_times();
  if (std::includes(times.begin(), times.end(), waiting_times.begin(), waiting_times.end())) return times;
  times = {0};
  const auto add = [&](double time) {
    if (time > times.back()) times.push_back(time);
  };
  double begin = 1, ratio = std::sqrt(2.0);
  for (const double end : waiting_times) {
    if (end > begin) {
      const int count = std::max(1, static_cast<int>(std::round(2 * std::log2(end / begin))));
      ratio = std::pow(end / begin, 1.0 / count);
      for (int i = 0; i < count; ++i) {
        const double time = i == 0 ? begin : std::round(begin * std::pow(ratio, i));
        if (time < end) add(time);
      }
    } else {
      add(end);
    }
    begin = std::max(begin, end);
  }
  for (double time = begin; time < latest; time *= ratio) add(time == begin ? time : std::round(time));
  return times;
}

}  // namespace tessera::program
