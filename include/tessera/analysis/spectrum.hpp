// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <numeric>
#include <span>
#include <tessera/analysis/estimate.hpp>
#include <vector>

/// Low frequencies of series in a steady state. S(0) = 2 tau var is the power at frequency zero, with the variance of a
/// row and the integrated autocorrelation time tau in rows; the squared error of a mean over n rows is S(0) / n.
namespace tessera::analysis {

constexpr std::size_t few_replicas = 8;  ///< that have errors in windows that are long enough only

/// The factor by which Student's distribution with f degrees of freedom is wider than the normal one at p standard
/// errors, times p (Cornish and Fisher).
inline double student(double p, double f) {
  const double q = p * p;
  return p * (1 + (q + 1) / (4 * f) + ((5 * q + 16) * q + 3) / (96 * f * f) +
              (((3 * q + 19) * q + 17) * q - 15) / (384 * f * f * f));
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

/// [count, replicas]: amplitudes of the lowest cosines in deviations [rows, replicas] from the mean,
///     L_j = sqrt(2 / n) sum_i y_i cos(pi j (i + 1/2) / n), j = 1 to count < n, i = 0 to n - 1.
inline std::vector<double> cosines_of(std::span<const double> deviations, std::size_t replicas, std::size_t count) {
  const std::size_t n = deviations.size() / replicas;
  std::vector<double> cosines(4 * n), amplitudes(count * replicas);
  for (std::size_t k = 0; k < cosines.size(); ++k)
    cosines[k] = std::cos(std::numbers::pi * static_cast<double>(k) / (2 * static_cast<double>(n)));
  for (std::size_t j = 1; j <= count; ++j) {
    const std::span<double> of_j(&amplitudes[(j - 1) * replicas], replicas);
    for (std::size_t i = 0, k = j; i < n; ++i, k = (k + 2 * j) % (4 * n))
      for (std::size_t r = 0; r < replicas; ++r) of_j[r] += cosines[k] * deviations[i * replicas + r];
    for (double& one : of_j) one *= std::sqrt(2 / static_cast<double>(n));
  }
  return amplitudes;
}

/// Squares of cosines_of(), whose expectation values at low frequencies are S(0).
inline std::vector<double> powers_of(std::span<const double> deviations, std::size_t replicas, std::size_t count) {
  auto powers = cosines_of(deviations, replicas, count);
  for (double& one : powers) one *= one;
  return powers;
}

/// The same for a rate, the growth of a count per row. A count that does not go far, such as the difference of forward
/// and backward events, has S(0) = 0, and its rate the squared error 2 V / n^2 due to its ends, with the variance V of
/// the count. Powers (L_(j+2) - L_j)^2 / 2 do not depend on the ends; 2 V / n, `ends`, is added to them. V is that of
/// the count about its trend, less that of a count whose rate has these powers, n S / 15.
inline std::vector<double> powers_of_rate(std::span<const double> deviations, std::size_t replicas, std::size_t count,
                                          double& ends) {
  const auto cosines = cosines_of(deviations, replicas, count + 2);
  std::vector<double> powers(count * replicas);
  for (std::size_t k = 0; k < powers.size(); ++k) powers[k] = std::pow(cosines[k + 2 * replicas] - cosines[k], 2) / 2;
  const std::size_t rows = deviations.size() / replicas, low = std::min<std::size_t>(8, count) * replicas;
  const auto n = static_cast<double>(rows);
  double squares = 0;
  for (std::size_t r = 0; r < replicas; ++r) {
    double grown = 0, sum = 0, moment = 0, square = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      grown += deviations[i * replicas + r];
      const double place = (static_cast<double>(i) + 0.5) / n - 0.5;
      sum += grown;
      moment += place * grown;
      square += grown * grown;
    }
    squares += (square - sum * sum / n - 12 * moment * moment / n) / (n * static_cast<double>(replicas));
  }
  const double power = mean_with_scatter(std::span(powers).first(low)).value;
  ends = std::max(0.0, 2 * squares / n - 2 * power / 15);
  for (double& one : powers) one += ends;
  return powers;
}

/// An estimate of S(0), with the factor of Student's distribution for its degrees of freedom.
struct PowerAtZero {
  double power = 0, freedom = 1;
  double ratio = std::numeric_limits<double>::quiet_NaN();  ///< of the scatter of replicas to powers; NaN: one replica
  bool differ = false;                                      ///< whether chance does not explain it
};

/// Of `rows` rows with these means of the replicas and powers_of() them: the larger of two estimates, with at least 8
/// and 24 degrees of freedom. Both use the scatter of the means and as few frequencies as that takes; the scatter
/// alone, if it exceeds what the frequencies explain, by 1.5 in short windows. Of a rate the estimate with fewer
/// frequencies: its power may increase with them.
inline PowerAtZero power_at_zero(double rows, std::span<const double> means, std::span<const double> powers,
                                 bool is_rate = false) {
  constexpr double few = 8, many = 24, margin = 1.5, least_q = 1e-3;
  const auto replicas = static_cast<double>(means.size()), others = replicas - 1;
  const auto sum_of = [&](double count) {
    return std::accumulate(powers.begin(), powers.begin() + static_cast<std::ptrdiff_t>(count * replicas), 0.0);
  };
  const double error = mean_with_scatter(means).error, scatter = others > 0 ? rows * error * error * replicas : 0;
  const double known = static_cast<double>(powers.size()) / replicas;
  PowerAtZero best;
  if (const double count = std::min(known, std::ceil(many / replicas)); others > 0 && count > 0) {
    best.ratio = scatter / std::max(sum_of(count) / (count * replicas), std::numeric_limits<double>::min());
    best.differ = probability_of_ratio(best.ratio / margin, others, count * replicas) < least_q;
  }
  for (const double least : {many, few}) {
    const double count = best.differ ? 0 : std::min(known, std::ceil(std::max(0.0, least - others) / replicas));
    const double freedom = others + count * replicas, factor = student(1, freedom);
    if (!(freedom > 0) || (is_rate && least == many)) continue;
    const double power = (others * scatter + sum_of(count)) / freedom * factor * factor;
    if (power <= best.power) continue;
    best.power = power;
    best.freedom = freedom;
  }
  return best;
}

/// Rows that missing_length() requires.
inline double fewest_rows(std::size_t replicas, double slower = 1) {
  return 1.25 * std::ceil(128 / (static_cast<double>(std::min<std::size_t>(replicas, 2)) * slower));
}

/// Series [rows, replicas] of deviations, equivalent ones, of the same shape.
struct SlowSeries {
  std::vector<std::span<const double>> deviations;
  std::size_t replicas = 1;
  double slower = 1;  ///< see SimulationInterface::SlowMode
};

/// How many times longer a window must be, at least, to have some 60 autocorrelation times; 0 if it may have that many,
/// from the ratio of powers at low and at high frequencies. Of several replicas half the length suffices: their means
/// scatter, but each must have forgotten its beginning.
inline double missing_length(const SlowSeries& series) {
  constexpr double times = 60, low_ones = 16, least_high = 33, most_high = 128, quantile = 0.72, most = 60;
  const double scale = static_cast<double>(std::min<std::size_t>(series.replicas, 2)) * series.slower;
  const double low = std::ceil(low_ones / scale), high = std::ceil(least_high / scale),
               last = std::ceil(most_high / scale);
  const double rows = static_cast<double>(series.deviations[0].size() / series.replicas);
  if (const double fewest = fewest_rows(series.replicas, series.slower); rows < fewest) return fewest / rows;
  const auto ratio_of = [&](const auto& power_of) {
    double at_low = 0, at_high = 0;
    for (double j = 1; j <= low; ++j) at_low += power_of(j) / low;
    for (double j = high; j <= last; ++j) at_high += power_of(j) / (last - high + 1);
    return at_low / std::max(at_high, std::numeric_limits<double>::min());
  };
  std::vector<double> all(static_cast<std::size_t>(last));
  for (const auto& one : series.deviations) {
    const auto powers = powers_of(one, series.replicas, all.size());
    for (std::size_t k = 0; k < powers.size(); ++k) all[k / series.replicas] += powers[k];
  }
  const double ratio = ratio_of([&](double j) { return all[static_cast<std::size_t>(j) - 1]; });
  // Of a Lorentz spectrum, whose autocorrelation is exponential, in a window of so many autocorrelation times.
  const auto expected = [&](double its_times) {
    return ratio_of([&](double j) { return 1 / (1 + std::pow(std::numbers::pi * j / its_times, 2)); });
  };
  const double count = static_cast<double>(series.deviations.size() * series.replicas) * low / low_ones;
  if (!(ratio > expected(times / scale) * std::exp(quantile / std::sqrt(count)))) return 0;
  double longer = 1, too_long = most;
  for (int i = 0; i < 20; ++i) {
    const double middle = std::sqrt(longer * too_long);
    (expected(times / scale / middle) < ratio ? longer : too_long) = middle;
  }
  return longer;
}

}  // namespace tessera::analysis
