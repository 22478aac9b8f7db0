// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <vector>

namespace tessera::analysis {

/// Variance and integrated autocorrelation time of a series in a steady state.
struct Autocorrelation {
  double variance = 0;    ///< of a value
  double rows = 0.5;      ///< 1/2 plus the sum of the normalised autocorrelation: 1/2 for independent rows
  double rows_error = 0;  ///< standard error of `rows`

  /// Standard error of the mean of `count` values. The uncertainty of the autocorrelation time makes it larger, as
  /// Student's distribution does for independent values.
  double error_of_mean(double count) const { return std::sqrt(2 * rows * variance / count * (1 + square(relative()))); }
  double relative() const { return rows_error / rows; }  ///< relative standard error of the autocorrelation time
  static double square(double x) { return x * x; }       ///< x^2
};

/// Values [rows, replicas], each part in the order of time.
using Parts = std::vector<std::vector<double>>;

/// By the Gamma method (U. Wolff, Comput. Phys. Commun. 156, 143, 2004) from deviations: autocovariances of all parts
/// and replicas together, summed up to the lag W at which the sum of systematic and statistical error is least for an
/// autocorrelation that decays within `slower` tau. Slower parts of small amplitude are common in lattice models;
/// `slower` = 2 leaves them out less often than 1.5 does. `of_mean`: the number of values in the means from which the
/// deviations are, which makes the autocovariances too small; 0: the mean is known.
inline Autocorrelation autocorrelation(const Parts& deviations, std::size_t replicas, double of_mean) {
  constexpr double slower = 2, least = 0.05;
  const std::size_t rows = deviations[0].size() / replicas;
  const double values = static_cast<double>(rows * replicas * deviations.size());
  const auto covariance = [&](std::size_t lag) {
    const std::size_t apart = lag * replicas;
    double sum = 0;
    for (const auto& part : deviations)
      for (std::size_t i = apart; i < rows * replicas; ++i) sum += part[i] * part[i - apart];
    return sum / (values - static_cast<double>(apart * deviations.size()));
  };
  double variance = covariance(0), total = 0, window = 0;
  if (!(variance > 0)) return {};
  for (std::size_t lag = 1; lag <= rows / 2; ++lag) {
    total += covariance(lag) / variance;
    window = static_cast<double>(lag);
    const double tau = total > 0 ? slower / std::log1p(1 / total) : std::numeric_limits<double>::min();
    if (std::exp(-window / tau) < tau / std::sqrt(window * values)) break;
  }
  double sum = variance * (1 + 2 * total);
  if (of_mean > 0) {
    variance += std::max(sum, 0.0) / of_mean;
    sum *= 1 + (2 * window + 1) / of_mean;
  }
  const double tau = std::max(sum / (2 * variance), least);
  return {variance, tau, 2 * tau * std::sqrt(std::max(window + 0.5 - tau, 0.5) / values)};
}

/// The probability that chance makes the ratio of two estimates of one variance larger than `ratio`, or more for few
/// degrees of freedom in the denominator: the F distribution in the approximation of Wilson and Hilferty, in which the
/// cube root of an estimate is normal with mean 1 - 2/(9 n) and variance 2/(9 n) (Paulson, Ann. Math. Stat. 13, 233,
/// 1942).
inline double probability_of_ratio(double ratio, double numerator, double denominator) {
  const double c = 2 / (9 * numerator), d = 2 / (9 * denominator), root = std::cbrt(ratio);
  const double deviation =
      std::isinf(root) ? (1 - d) / std::sqrt(d) : ((1 - d) * root - (1 - c)) / std::sqrt(d * root * root + c);
  return std::erfc(deviation / std::numbers::sqrt2) / 2;
}

}  // namespace tessera::analysis
