// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "kpz_adapter.hpp"

#include <cstddef>
#include <limits>
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
  KpzAdapter(const kpz::Parameters& parameters, HeightFields fields, std::unique_ptr<kpz::AnySimulation> simulation)
      : SimulationAdapter(std::move(simulation)), parameters_(parameters), fields_(fields) {}

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

  /// A table of effective exponents for each quantity: beta_eff, lambda_eff_height_S, lambda_eff_slope_S.
  std::vector<History> drain_history() override {
    std::vector<History> tables;
    for (const auto& e : simulation_->drain_exponents())
      tables.push_back({table_name(e.name),
                        {"time_before", "time", "value", "error", "propagated_error"},
                        {"MCS", "MCS", "", "", ""},
                        {{e.time_before}, {e.time}, {e.value}, {e.error}, {e.propagated_error}}});
    return tables;
  }

  std::size_t bytes_on_device() const override { return simulation_->bytes(); }

 private:
  /// The exponent of a quantity: "height_autocorrelation_100" has lambda_eff_height_100.
  static std::string table_name(const std::string& quantity) {
    if (quantity == "roughness") return "beta_eff";
    const std::string word = "_autocorrelation";
    const auto at = quantity.find(word);
    return "lambda_eff_" + quantity.substr(0, at) + quantity.substr(at + word.size());
  }

  kpz::Parameters parameters_;
  HeightFields fields_;
};

}  // namespace

std::unique_ptr<SimulationInterface> make_simulation(const kpz::Parameters& parameters, HeightFields fields,
                                                     Backend backend) {
  auto simulation = parameters.method == kpz::Method::sequential
                        ? kpz::make_sequential(parameters)
                        : visit_backend(backend, [&]<class Space>(std::type_identity<Space>) {
                            return kpz::make_simulation<Space>(parameters);
                          });
  return std::make_unique<KpzAdapter>(parameters, fields, std::move(simulation));
}

}  // namespace tessera::program
