// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cmath>
#include <string>
#include <tessera/analysis/effective_exponents.hpp>
#include <vector>

namespace tessera::kpz {

/// Local exponent of a quantity between two successive measurements (equation 8).
struct EffectiveExponent {
  std::string name;
  double time_before, time;
  double value, error;      ///< mean and error over the replicas; the error is NaN for fewer than two
  double propagated_error;  ///< from the errors at both times, taken as independent
};

/// Input of an effective exponent: a quantity of each replica at two successive measurements.
struct QuantityChange {
  std::string name;  ///< "roughness" (W^2 ~ t^(2 beta)), or an autocorrelation (C ~ t^(-lambda / z))
  double time_before, time;
  std::vector<double> before, now;
};

/// Returns beta_eff, or lambda_eff / z.
inline EffectiveExponent exponent_of(const QuantityChange& c) {
  const double sign = c.name == "roughness" ? 0.5 : -1;
  const auto e = analysis::effective_exponent(c.time_before, c.before, c.time, c.now);
  const auto propagated = analysis::effective_exponent(c.time_before, analysis::mean_with_scatter(c.before), c.time,
                                                       analysis::mean_with_scatter(c.now));
  return {c.name, c.time_before, c.time, sign * e.value, std::abs(sign) * e.error, std::abs(sign) * propagated.error};
}

}  // namespace tessera::kpz
