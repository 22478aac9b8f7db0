// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tessera/core/observable.hpp>
#include <tessera/kmc/kernels/window_frame.hpp>
#include <tessera/kmc/model.hpp>
#include <tessera/kmc/observables/clusters.hpp>
#include <tessera/kmc/observables/order.hpp>
#include <tessera/kmc/observables/waves.hpp>
#include <tessera/kmc/parameters.hpp>
#include <tessera/kmc/state/clock.hpp>
#include <tessera/kmc/state/read_start.hpp>
#include <tessera/kmc/state/tile_sizes.hpp>
#include <tessera/kmc/steps/step_state.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/rank_grid.hpp>
#include <tessera/simulation/simulation_interface.hpp>
#include <utility>
#include <vector>

namespace tessera::kmc {

/// Interface of the simulations of kmc for the run loop, the benchmarks and the tests.
template <Model M>
class AnySimulation : public SimulationInterface {
 public:
  using State = typename M::State;  ///< of a cell
  /// Number of events of each replica since time 0.
  virtual std::vector<std::uint64_t> events() const = 0;
  /// Whether each replica has its number of events or, without a stopping time, no further event.
  virtual std::vector<bool> ended() const = 0;
  virtual const Parameters& parameters() const = 0;  ///< as given
  virtual History drain_history() = 0;               ///< the steps since the last call, with Parameters::record_steps
  /// States of all replicas, [replicas, ny, nx]. Of several ranks, rank 0 has these and the following results.
  virtual std::vector<State> states() const = 0;
  /// Copies `count` states from number `first` on to `to`.
  virtual void read_states(std::size_t first, std::size_t count, std::span<State> to) const = 0;
  /// Sizes of the clusters of the model, [kinds][replicas].
  virtual std::vector<std::vector<ClusterSizes>> cluster_sizes() const = 0;
  virtual const M& model() const = 0;  ///< as given: with the rates at time 0
  /// Restarts at time 0 with the states that read() returns, [replicas, ny, nx], all valid in the model.
  virtual void start_from(const std::function<std::vector<State>()>& read) = 0;

  /// Reads Parameters::starts. Returns false if Parameters::keep_going does.
  bool start(const std::function<bool()>& /*keep_going*/) override {
    if (parameters().starts.empty()) return true;
    try {
      start_from([this] { return read_starts(parameters(), model()); });
    } catch (const Interrupted&) {
      return false;
    }
    return true;
  }
  bool finished() const override {
    return static_cast<std::size_t>(std::ranges::count(ended(), true)) == ended().size() || time() >= stopping_time();
  }
  /// The smallest time of the replicas that have not ended; of all replicas if all have.
  double time() const override {
    const std::vector<double> all = times();
    const std::vector<bool> has_ended = ended();
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t r = 0; r < all.size(); ++r)
      if (!has_ended[r]) smallest = std::min(smallest, all[r]);
    return std::isinf(smallest) ? std::ranges::min(all) : smallest;
  }
  std::string time_unit() const override { return time_unit_of(model()); }
  double stopping_time() const override { return parameters().until_time; }
  double work() const override {
    const std::vector<std::uint64_t> all = events();
    return std::accumulate(all.begin(), all.end(), 0.0);
  }
  double stopping_work() const override {
    const std::uint64_t events = stopping_events(parameters());
    if (events == std::numeric_limits<std::uint64_t>::max()) return std::numeric_limits<double>::infinity();
    return static_cast<double>(events) * parameters().replicas;
  }
  std::string rate_unit() const override { return "events/s"; }

  /// All observables except the mean height, numbers of events, and skewness and kurtosis, functions of averages.
  bool steady(const std::string& observable) const override {
    for (const char* name : {"height_mean", "skewness", "kurtosis", "events"})
      if (observable == name) return false;
    return !is_counted(observable);
  }
  /// Rates per site of the events that the model counts.
  RateOfCounter rate_of_counter(const std::string& observable) const override {
    if (!is_counted(observable)) return {};
    return {static_cast<double>(parameters().nx) * parameters().ny, unit_of_growth("", time_unit())};
  }
  std::vector<analysis::FunctionOfMeans> functions_of_averages() const override {
    return kmc::functions_of_averages(model(), static_cast<double>(parameters().nx) * parameters().ny);
  }
  std::vector<SlowMode> slow_modes() const override {
    std::vector<SlowMode> all;
    for (const auto& one : quantities_of_cells(model())) all.push_back(SlowMode::longest_waves(one.name));
    return all;
  }
  std::vector<Field> fields() override {
    const Parameters& p = parameters();
    if constexpr (has_clusters<M>) {
      const auto sizes = cluster_sizes();
      if (!sizes.empty() && !sizes[0].empty())
        for (History& table : tables_of_clusters(model(), sizes, times())) clusters_.push_back(std::move(table));
    }
    const parallel::Gather<State> states = [this](std::size_t first, std::size_t count, std::span<State> to) {
      read_states(first, count, to);
    };
    return {{state_name_of<M>(),
             state_unit_of<M>(),
             {static_cast<std::size_t>(p.ny), static_cast<std::size_t>(p.nx)},
             states}};
  }
  std::vector<History> drain_histories() override {
    std::vector<History> tables = std::exchange(clusters_, {});
    if (History steps = drain_history(); !steps.columns.empty()) tables.insert(tables.begin(), std::move(steps));
    return tables;
  }
  std::optional<std::size_t> replica_dimension(const std::string& entry) const override {
    if (entry == "ceiling_of_event") return std::nullopt;
    return 0;
  }

 private:
  /// Whether an observable is one of counted_events_of() the model.
  bool is_counted(const std::string& observable) const {
    if (counted_.empty())
      for (const CountedEvents& one : counted_events_of(model())) counted_.insert(one.name);
    return counted_.contains(observable);
  }

  mutable std::set<std::string> counted_;
  std::vector<History> clusters_;  ///< sizes of clusters at the times of the fields since the last drain_histories()
};

/// Interface of Simulation<Space, M>, with the settings of TileSteps for tests.
template <Model M>
class AnyTileMethod : public AnySimulation<M> {
 public:
  /// State of each replica: time, step size, accepted and rejected steps, repaired tiles.
  virtual const std::vector<StepState>& step_states() const = 0;
  virtual const TileSizes& tile_sizes() const = 0;  ///< in use
  /// Times of the next events of all cells, relative to the origins of the clocks, [replicas, ny, nx].
  virtual std::vector<double> waiting_times() const = 0;
  virtual std::vector<std::uint64_t> streams() const = 0;  ///< states of the streams of all cells, [replicas, ny, nx]
  virtual void set_first_order(EventOrder order) = 0;      ///< of the first run of a tile
  virtual void check_only(unsigned side_mask) = 0;         ///< compares only these sides of tiles
};

/// Defined for all built execution spaces and the models of the list by the library tessera_simulations. `ranks` divide
/// the lattice on `grid`, or on the grid with the shortest borders.
template <class Space, Model M>
std::unique_ptr<AnyTileMethod<M>> make_tile_method(const Parameters& parameters, const M& model,
                                                   const parallel::Communicator& ranks = {},
                                                   const std::optional<parallel::GridShape>& grid = {});

// Sequential methods, defined for the models of the list.

/// A BklSimulation.
template <Model M>
std::unique_ptr<AnySimulation<M>> make_bkl(const Parameters& parameters, const M& model);
/// A WaitingTimeSimulation.
template <Model M>
std::unique_ptr<AnySimulation<M>> make_waiting_time(const Parameters& parameters, const M& model);

}  // namespace tessera::kmc
