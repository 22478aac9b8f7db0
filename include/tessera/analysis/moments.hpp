// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tessera/analysis/estimate.hpp>
#include <tessera/core/exact_arithmetic.hpp>
#include <tessera/core/observable.hpp>
#include <utility>
#include <vector>

/// Moments from exact integer sums, equal bit for bit in any order of summation, and cumulants of surfaces.
namespace tessera::analysis {

/// 128-bit integer, for sums of fourth powers over large lattices.
__extension__ using Wide = __int128;

/// Sums over `count` integers and their powers.
struct PowerSums {
  std::int64_t count = 0;                             ///< number of integers
  Wide first = 0, second = 0, third = 0, fourth = 0;  ///< sums of x, x^2, x^3, x^4
};

/// Mean, and central moments of order 2, 3 and 4.
struct Moments {
  double mean, variance, third, fourth;  ///< m_1, then m_k = <(x - m_1)^k>
};

/// Sums of powers of the same integers minus `shift`.
inline PowerSums shifted(const PowerSums& s, std::int64_t shift) {
  const Wide m = shift, n = s.count;
  return {s.count, s.first - n * m, s.second - 2 * m * s.first + n * m * m,
          s.third - 3 * m * s.second + 3 * m * m * s.first - n * m * m * m,
          s.fourth - 4 * m * s.third + 6 * m * m * s.second - 4 * m * m * m * s.first + n * m * m * m * m};
}

/// The integer nearest to the mean of `count` integers with this sum, floor(sum / count + 1/2).
inline std::int64_t nearest_to_mean(Wide sum, std::int64_t count) {
  const Wide twice = 2 * sum + count, whole = 2 * Wide{count};
  return static_cast<std::int64_t>(twice >= 0 ? twice / whole : -((-twice + whole - 1) / whole));
}

/// Mean and central moments, computed about the integer next to the mean, which avoids cancellation.
inline Moments moments(const PowerSums& sums) {
  const std::int64_t near_mean = nearest_to_mean(sums.first, sums.count);
  const PowerSums s = shifted(sums, near_mean);
  const auto count = static_cast<double>(s.count);
  const double m1 = static_cast<double>(s.first) / count, m2 = static_cast<double>(s.second) / count,
               m3 = static_cast<double>(s.third) / count, m4 = static_cast<double>(s.fourth) / count;
  const double square = m1 * m1, variance = m2 - square;
  const double mean = static_cast<double>(near_mean) + m1;
  if (s.second * s.count == s.first * s.first) return {mean, 0, 0, 0};
  const double third = m3 - 3 * (m1 * m2) + 2 * (m1 * square);
  const double fourth = m4 - 4 * (m1 * m3) + 6 * (square * m2) - 3 * (square * square);
  return {mean, variance, third, fourth};
}

/// The covariance of two sets of `count` integers, from their sums and the sum of the products.
inline double covariance(std::int64_t count, Wide sum_a, Wide sum_b, Wide sum_of_products) {
  const auto n = static_cast<double>(count);
  // (S_ab - S_a S_b / n) / n; the product is divided in two parts to avoid overflow.
  const Wide whole = sum_a * sum_b / count, rest = sum_a * sum_b - whole * count;
  return (static_cast<double>(sum_of_products - whole) - static_cast<double>(rest) / n) / n;
}

// Skewness and kurtosis are those of the ensemble, as in the literature: from central moments averaged over all
// surfaces. Averages of the cumulants of single surfaces differ from them if the widths differ, as in steady states.

/// S = m_3 / m_2^1.5 of the second, third and fourth central moment, averages over an ensemble; NaN for flat surfaces.
inline double skewness(std::span<const double> m) { return m[1] / (m[0] * std::sqrt(m[0])); }

/// Q = m_4 / m_2^2 - 3, the excess kurtosis; NaN for flat surfaces.
inline double kurtosis(std::span<const double> m) { return m[2] / (m[0] * m[0]) - 3; }

/// Both of averages over time.
inline std::vector<FunctionOfMeans> cumulants_of_averages() {
  const std::vector<std::string> of{"roughness", "moment_3", "moment_4"};
  return {{"skewness", "", of, skewness}, {"kurtosis", "", of, kurtosis}};
}

/// `skewness` and `kurtosis` over all replicas from of_replicas[moment][replica], with jackknife errors if several.
inline std::array<Observable, 2> cumulant_observables(const std::array<std::vector<double>, 3>& of_replicas) {
  std::array<double, 3> means;
  for (std::size_t k = 0; k < means.size(); ++k) means[k] = mean_of(of_replicas[k]).value;
  const auto observable = [&](const char* name, double (*cumulant)(std::span<const double>)) {
    Observable result{name, "", {cumulant(means)}, {}};
    if (of_replicas[0].size() > 1) result.errors = {jackknife_error(of_replicas, cumulant)};
    return result;
  };
  return {observable("skewness", skewness), observable("kurtosis", kurtosis)};
}

/// Observables of the heights of surfaces. For each replica: `height_mean`, `roughness` (W^2, the second central
/// moment), `moment_3` and `moment_4`. Over all replicas: `skewness` and `kurtosis` (excess), with jackknife errors if
/// there are several replicas. `unit` is that of a height, `moments` are those of each replica.
inline std::vector<Observable> height_observables(const std::string& unit, const std::vector<double>& height_means,
                                                  const std::vector<Moments>& moments) {
  std::array<std::vector<double>, 3> of_replicas;
  for (const Moments& m : moments) {
    of_replicas[0].push_back(m.variance);
    of_replicas[1].push_back(m.third);
    of_replicas[2].push_back(m.fourth);
  }
  auto [skewness, kurtosis] = cumulant_observables(of_replicas);
  const auto power = [&](const char* exponent) { return unit.empty() ? unit : unit + exponent; };
  return {{"height_mean", unit, height_means, {}},
          {"roughness", power("^2"), std::move(of_replicas[0]), {}},
          {"moment_3", power("^3"), std::move(of_replicas[1]), {}},
          {"moment_4", power("^4"), std::move(of_replicas[2]), {}},
          std::move(skewness),
          std::move(kurtosis)};
}

}  // namespace tessera::analysis
