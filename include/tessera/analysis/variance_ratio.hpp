// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cmath>
#include <limits>

namespace tessera::analysis {

/// What the ratio of two estimates of one variance, with so many degrees of freedom, exceeds once in 1000 times, or
/// less often where few are in the denominator: the quantile of the F distribution in the approximation of Wilson and
/// Hilferty, which takes the cube root of an estimate as normal with mean 1 - 2/(9 n) and variance 2/(9 n) (E. Paulson,
/// Ann. Math. Stat. 13, 233, 1942). Infinite for less than three in the denominator.
inline double largest_variance_ratio(double numerator, double denominator) {
  constexpr double square = 3.0902 * 3.0902;  // of what a normal number exceeds once in 1000 times
  const double c = 2 / (9 * numerator), d = 2 / (9 * denominator), a = 1 - d, b = 1 - c;
  const double leading = a * a - square * d;
  if (a <= 0 || leading <= 0) return std::numeric_limits<double>::infinity();
  return std::pow((a * b + std::sqrt(a * a * b * b - leading * (b * b - square * c))) / leading, 3);
}

}  // namespace tessera::analysis
