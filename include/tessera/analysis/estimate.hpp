// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace tessera::analysis {

/// A mean, or a function of means, and its standard error; NaN if undefined.
struct Estimate {
  double value, error;  ///< the mean, and its standard error
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

/// The same, but the error is also NaN if all samples are equal, such as pressures without any pair in contact.
inline Estimate mean_of(std::span<const double> samples) {
  Estimate result = mean_with_scatter(samples);
  if (std::ranges::all_of(samples, [&](double sample) { return sample == samples[0]; }))
    result.error = std::numeric_limits<double>::quiet_NaN();
  return result;
}

/// Standard error of function(means) by the jackknife, for means over the independent samples[quantity][sample]. NaN
/// for fewer than two samples, and if leaving out any one sample does not change the function.
template <class Function>
double jackknife_error(std::span<const std::vector<double>> samples, const Function& function) {
  std::vector<double> sums, means(samples.size()), without;
  for (const auto& of_one : samples) sums.push_back(std::accumulate(of_one.begin(), of_one.end(), 0.0));
  const auto others = static_cast<double>(samples[0].size()) - 1;
  for (std::size_t i = 0; i < samples[0].size(); ++i) {
    for (std::size_t q = 0; q < means.size(); ++q) means[q] = (sums[q] - samples[q][i]) / others;
    without.push_back(function(means));
  }
  return others * mean_of(without).error;
}

/// The local slope of a power law E ~ t^e between two times (equation 8 of Kelling, Odor and Gemming),
///     e_eff = (ln E(t_2) - ln E(t_1)) / (ln t_2 - ln t_1),
/// with the errors of both E propagated as those of independent numbers. From the same runs at two times they are not:
/// the error is then too large rather than too small, since the deviations of neighbouring times agree in sign.
inline Estimate effective_exponent(double t_1, Estimate e_1, double t_2, Estimate e_2) {
  const double span = std::log(t_2) - std::log(t_1);
  const double a = e_1.error / e_1.value, b = e_2.error / e_2.value;
  return {(std::log(e_2.value) - std::log(e_1.value)) / span, std::sqrt(a * a + b * b) / std::abs(span)};
}

/// The same for runs that are measured at both times. The error accounts for this correlation: it is the standard error
/// of ln E(t_2) - ln E(t_1), to first order in the deviations of each run from the means.
inline Estimate effective_exponent(double t_1, const std::vector<double>& runs_1, double t_2,
                                   const std::vector<double>& runs_2) {
  const Estimate e_1 = mean_with_scatter(runs_1), e_2 = mean_with_scatter(runs_2);
  std::vector<double> deviations;
  for (std::size_t r = 0; r < runs_1.size(); ++r) deviations.push_back(runs_2[r] / e_2.value - runs_1[r] / e_1.value);
  const double span = std::log(t_2) - std::log(t_1);
  return {(std::log(e_2.value) - std::log(e_1.value)) / span, mean_with_scatter(deviations).error / std::abs(span)};
}

/// A function of the means of observables, such as a cumulant.
struct FunctionOfMeans {
  std::string name, unit;                                ///< of the function
  std::vector<std::string> of;                           ///< names of the observables
  std::function<double(std::span<const double>)> value;  ///< of the means, in the order of `of`
};

}  // namespace tessera::analysis
