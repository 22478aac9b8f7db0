// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <tessera/core/exact_arithmetic.hpp>

/// Moments from exact integer sums, equal bit for bit in any order of summation.
namespace tessera::analysis {

/// 128-bit integer, for sums of fourth powers over large lattices.
__extension__ using Wide = __int128;

/// Sums over `count` integers and their powers.
struct PowerSums {
  std::int64_t count = 0;
  Wide first = 0, second = 0, third = 0, fourth = 0;
};

/// Mean, and central moments of order 2, 3 and 4.
struct Moments {
  double mean, variance, third, fourth;
};

/// Sums of powers of the same integers minus `shift`.
inline PowerSums shifted(const PowerSums& s, std::int64_t shift) {
  const Wide m = shift, n = s.count;
  return {s.count, s.first - n * m, s.second - 2 * m * s.first + n * m * m,
          s.third - 3 * m * s.second + 3 * m * m * s.first - n * m * m * m,
          s.fourth - 4 * m * s.third + 6 * m * m * s.second - 4 * m * m * m * s.first + n * m * m * m * m};
}

inline Moments moments(const PowerSums& sums) {
  const Wide twice = 2 * sums.first + sums.count, whole = 2 * Wide{sums.count};
  const auto near_mean = static_cast<std::int64_t>(twice >= 0 ? twice / whole : -((-twice + whole - 1) / whole));
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

}  // namespace tessera::analysis
