// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "kpz_adapter.hpp"

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <tessera/core/kokkos_ext/visit_backend.hpp>
#include <utility>
#include <vector>

#include "simulation_adapter.hpp"
#include "simulations/kpz.hpp"

namespace tessera::program {
namespace {

/// Any of the simulations of kpz, parallel or sequential, behind the interface that the run loop drives.
class KpzAdapter : public SimulationAdapter<kpz::AnySimulation> {
 public:
  KpzAdapter(const kpz::Parameters& parameters, HeightFields fields, bool one_of_several,
             std::unique_ptr<kpz::AnySimulation> simulation)
      : SimulationAdapter(std::move(simulation)),
        parameters_(parameters),
        fields_(fields),
        one_of_several_(one_of_several) {}

  bool finished() const override { return simulation_->time() >= parameters_.steps; }
  std::vector<double> times() const override {
    return std::vector<double>(static_cast<std::size_t>(parameters_.replicas), time());
  }
  std::string time_unit() const override { return "MCS"; }
  double time_goal() const override { return parameters_.steps; }
  double work() const override { return simulation_->attempts(); }
  double work_goal() const override { return std::numeric_limits<double>::infinity(); }
  std::string rate_unit() const override { return "attempts/s"; }

  /// Skewness and kurtosis follow from the moments.
  bool steady(const std::string& observable) const override {
    for (const char* name : {"roughness", "moment_3", "moment_4", "velocity", "acceptance"})
      if (observable == name) return true;
    return false;
  }

  std::vector<Field> fields() override {
    if (fields_ == HeightFields::never) return {};
    Field field;
    field.name = "height";
    field.unit = "layers";
    field.shape = {static_cast<std::size_t>(parameters_.ny), static_cast<std::size_t>(parameters_.nx)};
    field.data = simulation_->height_parts();
    std::vector<Field> fields;
    fields.push_back(std::move(field));
    return fields;
  }

  void serve_fields() override {
    if (fields_ != HeightFields::never) simulation_->serve_heights();
  }

  /// A table of effective exponents for each quantity: beta_eff, lambda_eff_height_S, lambda_eff_slope_S. They are of
  /// all replicas together: of one of several simulations what they are made of.
  std::vector<History> drain_history() override {
    std::vector<History> tables;
    for (const kpz::QuantityChange& change : simulation_->drain_changes())
      tables.push_back(one_of_several_ ? table_of(change) : table_of(kpz::exponent_of(change)));
    return tables;
  }

  std::optional<std::size_t> replica_dimension(const std::string& entry) const override {
    for (const char* name : {"intervals", "attempts", "kept_times", "measured_time", "measured_before_time"})
      if (entry == name) return std::nullopt;
    return entry.ends_with("_quantities") ? 1 : 0;
  }
  bool has_one_time() const override { return true; }
  std::vector<History> join_histories(const std::vector<std::vector<History>>& histories,
                                      const std::vector<int>&) const override {
    std::vector<History> tables;
    for (std::size_t i = 0; i < histories.front().size(); ++i) {
      const History& table = histories.front()[i];
      kpz::QuantityChange change{table.name, table.columns[0].front(), table.columns[1].front(), {}, {}};
      for (const auto& of_simulation : histories) {
        const auto& columns = of_simulation.at(i).columns;
        change.before.insert(change.before.end(), columns[2].begin(), columns[2].end());
        change.now.insert(change.now.end(), columns[3].begin(), columns[3].end());
      }
      tables.push_back(table_of(kpz::exponent_of(change)));
    }
    return tables;
  }

  std::size_t bytes_on_device() const override { return simulation_->bytes(); }

 private:
  static History table_of(const kpz::EffectiveExponent& e) {
    return {table_name(e.name),
            {"time_before", "time", "value", "error", "propagated_error"},
            {"MCS", "MCS", "", "", ""},
            {{e.time_before}, {e.time}, {e.value}, {e.error}, {e.propagated_error}}};
  }
  /// For join_histories() alone: the last two columns have a row for each replica.
  static History table_of(const kpz::QuantityChange& c) {
    return {c.name, {"time_before", "time", "before", "now"}, {}, {{c.time_before}, {c.time}, c.before, c.now}};
  }

  /// The exponent of a quantity: "height_autocorrelation_100" has lambda_eff_height_100.
  static std::string table_name(const std::string& quantity) {
    if (quantity == "roughness") return "beta_eff";
    const std::string word = "_autocorrelation";
    const auto at = quantity.find(word);
    return "lambda_eff_" + quantity.substr(0, at) + quantity.substr(at + word.size());
  }

  kpz::Parameters parameters_;
  HeightFields fields_;
  bool one_of_several_;
};

}  // namespace

std::unique_ptr<SimulationInterface> make_simulation(const kpz::Parameters& parameters, HeightFields fields,
                                                     Backend backend, bool one_of_several) {
  auto simulation = parameters.method == kpz::Method::sequential
                        ? kpz::make_sequential(parameters)
                        : visit_backend(backend, [&]<class Space>(std::type_identity<Space>) {
                            return kpz::make_simulation<Space>(parameters);
                          });
  return std::make_unique<KpzAdapter>(parameters, fields, one_of_several, std::move(simulation));
}

std::unique_ptr<SimulationInterface> make_shared_simulation(const kpz::Parameters& parameters, HeightFields fields,
                                                            const Sharing& sharing, bool one_of_several) {
  auto simulation = visit_backend(sharing.backend, [&]<class Space>(std::type_identity<Space>) {
    return kpz::make_simulation<Space>(parameters, sharing.ranks, sharing.grid);
  });
  return std::make_unique<KpzAdapter>(parameters, fields, one_of_several, std::move(simulation));
}

}  // namespace tessera::program
