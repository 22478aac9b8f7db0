// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tessera/kpz/any_simulation.hpp"

#include <cmath>
#include <tessera/analysis/estimate.hpp>

namespace tessera::kpz {
namespace {

/// Name of the table of exponents: "lambda_eff_height_100" for "height_autocorrelation_100".
std::string table_name(const std::string& quantity) {
  if (quantity == "roughness") return "beta_eff";
  const std::string word = "_autocorrelation";
  const auto at = quantity.find(word);
  return "lambda_eff_" + quantity.substr(0, at) + quantity.substr(at + word.size());
}

}  // namespace

/// Skewness and kurtosis follow from the moments.
bool AnySimulation::steady(const std::string& observable) const {
  for (const char* name : {"roughness", "moment_3", "moment_4", "velocity", "acceptance"})
    if (observable == name) return true;
  return false;
}

std::optional<std::size_t> AnySimulation::replica_dimension(const std::string& entry) const {
  for (const char* name : {"intervals", "attempts", "kept_times", "measured_time", "measured_before_time"})
    if (entry == name) return std::nullopt;
  return entry.ends_with("_quantities") ? 1 : 0;
}

std::vector<History> AnySimulation::tables_of(std::vector<History> drained) const {
  for (History& table : drained) {
    const double time_before = table.columns[0].front(), time = table.columns[1].front();
    const auto &before = table.columns[2], &now = table.columns[3];
    const double sign = table.name == "roughness" ? 0.5 : -1;
    const auto e = analysis::effective_exponent(time_before, before, time, now);
    const auto propagated = analysis::effective_exponent(time_before, analysis::mean_with_scatter(before), time,
                                                         analysis::mean_with_scatter(now));
    table = {
        table_name(table.name),
        {"time_before", "time", "value", "error", "propagated_error"},
        {"MCS", "MCS", "", "", ""},
        {{time_before}, {time}, {sign * e.value}, {std::abs(sign) * e.error}, {std::abs(sign) * propagated.error}}};
  }
  return drained;
}

}  // namespace tessera::kpz
