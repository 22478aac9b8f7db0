// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cmath>
#include <tessera/analysis/estimate.hpp>
#include <vector>

namespace tessera::testing {

/// Deviation of two independent estimates in standard errors.
inline double z_score(const analysis::Estimate& a, const analysis::Estimate& b) {
  return (a.value - b.value) / std::hypot(a.error, b.error);
}

/// A chi-square with many degrees of freedom as a standard normal deviate (Wilson and Hilferty).
inline double deviate_of_chi_square(double chi_square, double degrees) {
  const double variance = 2 / (9 * degrees);
  return (std::cbrt(chi_square / degrees) - (1 - variance)) / std::sqrt(variance);
}

/// How far a statistic that is a standard normal deviate may be from 0: it is farther once in 5e6 tests.
inline constexpr double largest_deviate = 5.2;

}  // namespace tessera::testing
