// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <tessera/analysis/estimate.hpp>
#include <tessera/analysis/moments.hpp>
#include <tessera/core/observable.hpp>
#include <tessera/kmc/model.hpp>
#include <vector>

/// The order parameter of a model, and what follows from averages of its powers.
namespace tessera::kmc {

/// |m|, m^2, m^4 and e^2 of each replica, from the model's own observables: e, the energy per site, is the first.
template <Model M>
requires has_order<M> std::vector<Observable> order_observables(std::span<const Observable> own) {
  std::vector<Observable> powers{
      {M::order_names[0], "", {}}, {M::order_names[1], "", {}}, {M::order_names[2], "", {}}, {"energy_2", "J^2", {}}};
  for (std::size_t r = 0; r < own[0].values.size(); ++r) {
    std::vector<double> means;
    for (const Observable& one : own) means.push_back(one.values[r]);
    const double m = M::order(means.data()), e = means[0];
    for (std::size_t i = 0; const double value : {m, m * m, m * m * m * m, e * e}) powers[i++].values.push_back(value);
  }
  return powers;
}

/// Of a model with an order parameter: Binder cumulant 1 - <m^4> / (3 <m^2>^2), susceptibility K N (<m^2> - <|m|>^2) in
/// 1/J, and specific heat K^2 N (<e^2> - <e>^2) in k_B, both per site, with K = J / (k_B T). `energy`: name of e;
/// `sites`: lattice size N.
template <class M>
std::vector<analysis::FunctionOfMeans> functions_of_order(const M& model, const char* energy, double sites) {
  const std::string m = M::order_names[0], m_2 = M::order_names[1], m_4 = M::order_names[2];
  const double k = model.coupling();
  const auto variance = [](double factor) {
    return [factor](std::span<const double> mean) { return factor * (mean[1] - mean[0] * mean[0]); };
  };
  return {{"binder_cumulant",
           "",
           {m_2, m_4},
           [](std::span<const double> mean) { return 1 - mean[1] / (3 * mean[0] * mean[0]); }},
          {"susceptibility", "1/J", {m, m_2}, variance(k * sites)},
          {"specific_heat", "k_B", {energy, "energy_2"}, variance(k * k * sites)}};
}

/// Derived time averages: skewness and kurtosis for heights; for models with an order parameter functions_of_order().
template <Model M>
std::vector<analysis::FunctionOfMeans> functions_of_averages(const M& model, double sites) {
  if constexpr (has_order<M>) {
    return functions_of_order(model, M::site_observables[0].name, sites);
  } else if constexpr (requires { requires M::state_is_height; }) {
    return analysis::cumulants_of_averages();
  } else {
    return {};
  }
}

}  // namespace tessera::kmc
