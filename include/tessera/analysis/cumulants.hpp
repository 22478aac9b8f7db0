// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <tessera/analysis/estimate.hpp>
#include <tessera/analysis/moments.hpp>
#include <tessera/core/observable.hpp>
#include <utility>
#include <vector>

/// Skewness and kurtosis of surfaces as defined in the literature: of the ensemble, from central moments averaged over
/// all surfaces. Averages of the cumulants of single surfaces differ from these if the widths of the surfaces differ,
/// as in steady states.
namespace tessera::analysis {

/// S = m_3 / m_2^1.5 of the second, third and fourth central moment, averages over an ensemble; NaN for flat surfaces.
inline double skewness(std::span<const double> m) { return m[1] / (m[0] * std::sqrt(m[0])); }

/// Q = m_4 / m_2^2 - 3, the excess kurtosis; NaN for flat surfaces.
inline double kurtosis(std::span<const double> m) { return m[2] / (m[0] * m[0]) - 3; }

/// Both of averages over time.
inline std::vector<FunctionOfMeans> cumulants_of_averages() {
  const std::vector<std::string> of{"roughness", "moment_3", "moment_4"};
  return {{"skewness", "", of, skewness}, {"kurtosis", "", of, kurtosis}};
}

/// `skewness` and `kurtosis` over all replicas from the moments of each, of_replicas[moment][replica], with jackknife
/// errors if there are several replicas.
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
