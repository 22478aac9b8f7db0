// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "kmc_adapter.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <tessera/core/kokkos_ext/visit_backend.hpp>
#include <tessera/kmc/goal.hpp>
#include <tessera/kmc/models.hpp>
#include <utility>
#include <vector>

#include "simulation_adapter.hpp"
#include "simulations/kmc.hpp"

namespace tessera::program {
namespace {

/// Any of the simulations of kmc, parallel or sequential, behind the interface that the run loop drives.
template <kmc::Model Model>
class KmcAdapter : public SimulationAdapter<kmc::AnySimulation<Model>> {
 public:
  using State = typename Model::State;

  KmcAdapter(const kmc::Parameters& parameters, std::unique_ptr<kmc::AnySimulation<Model>> simulation)
      : SimulationAdapter<kmc::AnySimulation<Model>>(std::move(simulation)),
        parameters_(parameters),
        goal_(kmc::events_goal(parameters)) {}

  bool finished() const override {
    if (this->simulation_->finished()) return true;
    const auto times = this->simulation_->times();
    const auto events = this->simulation_->events();
    for (std::size_t r = 0; r < times.size(); ++r) {
      if (times[r] < parameters_.until_time && events[r] < goal_) return false;
    }
    return true;
  }

  std::vector<double> times() const override { return this->simulation_->times(); }
  std::string time_unit() const override { return kmc::time_unit_of<Model>(); }
  double time_goal() const override { return parameters_.until_time; }

  double work() const override {
    double sum = 0;
    for (const std::uint64_t events : this->simulation_->events()) sum += static_cast<double>(events);
    return sum;
  }

  double work_goal() const override {
    if (goal_ == std::numeric_limits<std::uint64_t>::max()) return std::numeric_limits<double>::infinity();
    return static_cast<double>(goal_) * parameters_.replicas;
  }

  std::string rate_unit() const override { return "events/s"; }

  /// All that a model has but the mean height. Skewness and kurtosis follow from the moments.
  bool steady(const std::string& observable) const override {
    for (const char* name : {"height_mean", "skewness", "kurtosis", "events"})
      if (observable == name) return false;
    return true;
  }

  std::vector<Field> fields() override {
    Field field;
    field.name = kmc::state_name_of<Model>();
    field.unit = kmc::state_unit_of<Model>();
    field.shape = {static_cast<std::size_t>(parameters_.ny), static_cast<std::size_t>(parameters_.nx)};
    field.data = io::Parts<State>(this->simulation_->state_parts());
    std::vector<Field> fields;
    fields.push_back(std::move(field));
    return fields;
  }

  void serve_fields() override { this->simulation_->serve_states(); }

  std::vector<History> drain_history() override { return this->drain_only_history(); }

  std::optional<std::size_t> replica_dimension(const std::string& entry) const override {
    if (entry == "ceiling_of_event") return std::nullopt;
    return 0;
  }

  std::size_t bytes_on_device() const override { return this->simulation_->bytes(); }

 private:
  kmc::Parameters parameters_;
  std::uint64_t goal_;
};

template <kmc::Model Model>
std::unique_ptr<kmc::AnySimulation<Model>> tile_method_of(const kmc::Parameters& parameters, const Sharing& sharing,
                                                          const Model& model) {
  return visit_backend(sharing.backend,
                       [&]<class Space>(std::type_identity<Space>) -> std::unique_ptr<kmc::AnySimulation<Model>> {
                         return kmc::make_tile_method<Space>(parameters, model, sharing.ranks, sharing.grid);
                       });
}

template <kmc::Model Model>
std::unique_ptr<kmc::AnySimulation<Model>> simulation_of(const kmc::Parameters& parameters, Backend backend,
                                                         const Model& model) {
  switch (parameters.method) {
    case kmc::Method::bkl:
      return kmc::make_bkl(parameters, model);
    case kmc::Method::waiting_time:
      return kmc::make_waiting_time(parameters, model);
    case kmc::Method::tile:
      break;
  }
  return tile_method_of(parameters, {backend, {}, {}}, model);
}

}  // namespace

std::unique_ptr<SimulationInterface> make_simulation(const kmc::Parameters& parameters, Backend backend) {
  const auto make = [&]<class Model>(const Model& model) -> std::unique_ptr<SimulationInterface> {
    return std::make_unique<KmcAdapter<Model>>(parameters, simulation_of(parameters, backend, model));
  };
  return kmc::visit_model(parameters.model, make);
}

std::unique_ptr<SimulationInterface> make_shared_simulation(const kmc::Parameters& parameters, const Sharing& sharing) {
  const auto make = [&]<class Model>(const Model& model) -> std::unique_ptr<SimulationInterface> {
    return std::make_unique<KmcAdapter<Model>>(parameters, tile_method_of(parameters, sharing, model));
  };
  return kmc::visit_model(parameters.model, make);
}

}  // namespace tessera::program
