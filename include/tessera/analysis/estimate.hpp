// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace tessera::analysis {

/// A mean, or a function of means, and its standard error; NaN if undefined.
struct Estimate {
  double value, error;
};

/// The mean of independent samples and, from their scatter, its standard error; NaN for fewer than two samples.
inline Estimate mean_with_scatter(std::span<const double> samples) {
  const auto count = static_cast<double>(samples.size());
  double sum = 0, squares = 0;
  for (const double sample : samples) sum += sample;
  const double mean = sum / count;
  if (samples.size() < 2) return {mean, std::numeric_limits<double>::quiet_NaN()};
  for (const double sample : samples) squares += (sample - mean) * (sample - mean);
  return {mean, std::sqrt(squares / (count - 1) / count)};
}

/// The same, but the error is also NaN if all samples are equal. For example, the pressure is not exact if no sample
/// has a pair of disks in contact.
inline Estimate mean_of(std::span<const double> samples) {
  Estimate result = mean_with_scatter(samples);
  if (std::ranges::all_of(samples, [&](double sample) { return sample == samples[0]; }))
    result.error = std::numeric_limits<double>::quiet_NaN();
  return result;
}

/// Standard error of function(means) by the jackknife. `means` are those of several quantities over the same
/// independent samples, samples[quantity][sample]. NaN for fewer than two samples, and if the function does not change
/// when any sample is left out.
template <std::size_t quantities, class Function>
double jackknife_error(const std::array<std::vector<double>, quantities>& samples, const Function& function) {
  std::array<double, quantities> sums{};
  for (std::size_t q = 0; q < quantities; ++q)
    for (const double sample : samples[q]) sums[q] += sample;
  const auto others = static_cast<double>(samples[0].size()) - 1;
  std::vector<double> without;
  for (std::size_t i = 0; i < samples[0].size(); ++i) {
    std::array<double, quantities> means;
    for (std::size_t q = 0; q < quantities; ++q) means[q] = (sums[q] - samples[q][i]) / others;
    without.push_back(function(means));
  }
  return others * mean_of(without).error;
}

}  // namespace tessera::analysis
