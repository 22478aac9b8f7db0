// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tessera/kpz/any_simulation.hpp"

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

std::vector<History> AnySimulation::drain_histories() {
  std::vector<History> tables;
  for (const QuantityChange& c : drain_changes())
    tables.push_back(
        {c.name, {"time_before", "time", "before", "now"}, {}, {{c.time_before}, {c.time}, c.before, c.now}});
  return tables;
}

std::vector<History> AnySimulation::tables_of(std::vector<History> drained) const {
  for (History& table : drained) {
    const auto& c = table.columns;
    const EffectiveExponent e = exponent_of({table.name, c[0].front(), c[1].front(), c[2], c[3]});
    table = {table_name(e.name),
             {"time_before", "time", "value", "error", "propagated_error"},
             {"MCS", "MCS", "", "", ""},
             {{e.time_before}, {e.time}, {e.value}, {e.error}, {e.propagated_error}}};
  }
  return drained;
}

}  // namespace tessera::kpz
