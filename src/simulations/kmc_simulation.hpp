// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <tessera/kmc/models.hpp>
#include <tessera/kmc/observables/order.hpp>
#include <tessera/kmc/simulation.hpp>
#include <tuple>
#include <type_traits>
#include <utility>

#include "processes/table_model.hpp"
#include "simulations/kmc.hpp"
#include "simulations/kmc_start.hpp"
#include "simulations/simulation_of.hpp"

namespace tessera::kmc {

/// The models of Tessera, and the models of tables from model files.
using ModelsAndTables = decltype(std::tuple_cat(
    std::declval<Models::Types>(),
    std::declval<std::tuple<processes::TableModel, processes::SquareTableModel, processes::FarTableModel>>()));

/// Simulation behind the interface Any, AnySimulation<M> or a class derived from it.
template <class Simulation, Model M, class Any = AnySimulation<M>>
class KmcSimulation : public program::SimulationOf<Simulation, Any> {
 public:
  using State = typename M::State;
  using program::SimulationOf<Simulation, Any>::SimulationOf;

  bool start(const std::function<bool()>& /*keep_going*/) override {
    if (!parameters().start.empty())
      this->simulation_.start([this] { return read_start(parameters(), this->simulation_.model()); });
    return true;
  }
  bool finished() const override { return this->simulation_.finished(); }
  std::vector<double> times() const override { return this->simulation_.times(); }
  std::vector<std::uint64_t> events() const override { return this->simulation_.events(); }
  std::vector<double> absorbed() const override { return this->simulation_.absorbed(); }
  const Parameters& parameters() const override { return this->simulation_.parameters(); }
  History drain_history() override { return this->simulation_.drain_history(); }
  std::vector<History> drain_histories() override {
    std::vector<History> tables = program::tables_of(drain_history());
    for (History& table : std::exchange(clusters_, {})) tables.push_back(std::move(table));
    return tables;
  }
  std::vector<State> states() const override { return this->simulation_.states(); }

  std::vector<analysis::FunctionOfMeans> functions_of_averages() const override {
    return kmc::functions_of_averages(this->simulation_.model(),
                                      static_cast<double>(parameters().nx) * parameters().ny);
  }

  std::vector<program::Field> fields() override {
    const Parameters& p = parameters();
    if constexpr (has_clusters<M>) {
      const auto sizes = this->simulation_.cluster_sizes();
      if (!sizes.empty() && !sizes[0].empty())
        for (History& table : tables_of_clusters(this->simulation_.model(), sizes, times()))
          clusters_.push_back(std::move(table));
    }
    std::vector<program::Field> fields(1);
    fields[0] = {state_name_of<M>(),
                 state_unit_of<M>(),
                 {static_cast<std::size_t>(p.ny), static_cast<std::size_t>(p.nx)},
                 parallel::Gather<State>([this](std::size_t first, std::size_t count, std::span<State> to) {
                   this->simulation_.read_states(first, count, to);
                 })};
    return fields;
  }

 protected:
  bool is_counted(const std::string& observable) const override {
    const auto counted = counted_events_of(this->simulation_.model());
    return std::ranges::find(counted, observable, &CountedEvents::name) != counted.end();
  }

 private:
  std::vector<History> clusters_;  ///< sizes of clusters at the times of the fields since the last drain_histories()
};

template <class Space, Model M>
class TileMethod final : public KmcSimulation<Simulation<Space, M>, M, AnyTileMethod<M>> {
 public:
  using KmcSimulation<Simulation<Space, M>, M, AnyTileMethod<M>>::KmcSimulation;

  const std::vector<StepState>& step_states() const override { return this->simulation_.step_states(); }
  const TileSizes& tile_sizes() const override { return this->simulation_.tile_sizes(); }
  std::vector<double> waiting_times() const override { return this->simulation_.waiting_times(); }
  std::vector<std::uint64_t> streams() const override { return this->simulation_.streams(); }
  void set_first_order(EventOrder order) override { this->simulation_.steps().set_first_order(order); }
  void check_only(unsigned side_mask) override { this->simulation_.steps().check_only(side_mask); }
};

template <class Space, Model M>
std::unique_ptr<AnyTileMethod<M>> make_tile_method(const Parameters& parameters, const M& model,
                                                   const parallel::Communicator& ranks,
                                                   const std::optional<parallel::GridShape>& grid) {
  return std::make_unique<TileMethod<Space, M>>(Space(), parameters, model, ranks, grid);
}

/// Every `Parts`-th of the models, from number `Part` on: a file of instantiations is compiled in several parts,
/// because models take long to compile, especially for GPUs.
template <std::size_t Part, std::size_t Parts, class Models, std::size_t... i>
auto models_of_part(std::index_sequence<i...>) -> decltype(std::tuple_cat(
    std::declval<
        std::conditional_t<i % Parts == Part, std::tuple<std::tuple_element_t<i, Models>>, std::tuple<>>>()...));
template <std::size_t Part, std::size_t Parts, class Models>
using PartOf = decltype(models_of_part<Part, Parts, Models>(std::make_index_sequence<std::tuple_size_v<Models>>()));

/// Explicit instantiation defines make_tile_method() for tuples of execution spaces and of models.
template <class Spaces, class Models>
struct TileMethods;
template <class... Spaces, class Models>
struct TileMethods<std::tuple<Spaces...>, Models> {
  template <class Space, class... M>
  static constexpr auto on(std::tuple<M...>*) {
    return std::tuple(&make_tile_method<Space, M>...);
  }
  static constexpr std::tuple all{on<Spaces>(static_cast<Models*>(nullptr))...};
};

}  // namespace tessera::kmc
