// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cmath>
#include <cstddef>
#include <tessera/analysis/estimate.hpp>
#include <vector>

namespace tessera::analysis {

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

}  // namespace tessera::analysis
