// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <tessera/core/history.hpp>
#include <tessera/io/memory_archive.hpp>
#include <tessera/kmc/goal.hpp>
#include <tessera/kmc/impl/step_state.hpp>
#include <tessera/kmc/impl/tile_sizes.hpp>
#include <tessera/kmc/kernels/window_frame.hpp>
#include <tessera/kmc/model.hpp>
#include <tessera/kmc/parameters.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/rank_grid.hpp>
#include <vector>

#include "run/simulation_interface.hpp"
#include "simulations/join_histories.hpp"

namespace tessera::kmc {

/// Interface of the simulations of kmc for the run loop, the benchmarks and the tests.
template <Model M>
class AnySimulation : public program::SimulationInterface {
 public:
  using SimulationInterface::load;
  using SimulationInterface::save;
  virtual void save(io::MemoryArchive& archive) const = 0;
  virtual void load(const io::MemoryArchive& archive) = 0;
  virtual std::vector<std::uint64_t> events() const = 0;
  virtual const Parameters& parameters() const = 0;
  virtual History drain_history() = 0;
  virtual std::vector<typename M::State> states() const = 0;

  std::string time_unit() const override { return time_unit_of<M>(); }
  double time_goal() const override { return parameters().until_time; }
  double work() const override {
    double sum = 0;
    for (const std::uint64_t one : events()) sum += static_cast<double>(one);
    return sum;
  }
  double work_goal() const override {
    const std::uint64_t goal = events_goal(parameters());
    if (goal == std::numeric_limits<std::uint64_t>::max()) return std::numeric_limits<double>::infinity();
    return static_cast<double>(goal) * parameters().replicas;
  }
  std::string rate_unit() const override { return "events/s"; }

  /// All observables except the mean height, numbers of events, and skewness and kurtosis, which follow from the
  /// moments.
  bool steady(const std::string& observable) const override {
    for (const char* name : {"height_mean", "skewness", "kurtosis", "events"})
      if (observable == name) return false;
    return !is_counted(observable);
  }
  /// Rates per site of the events that the model counts.
  RateOfCounter rate_of_counter(const std::string& observable) const override {
    if (!is_counted(observable)) return {};
    const std::string unit = time_unit();
    return {static_cast<double>(parameters().nx) * parameters().ny,
            unit.starts_with("1/") || unit.empty() ? unit.substr(std::min<std::size_t>(2, unit.size())) : "1/" + unit};
  }
  std::vector<History> drain_histories() override { return program::tables_of(drain_history()); }
  std::vector<History> join_histories(const std::vector<std::vector<History>>& histories,
                                      const std::vector<int>& first) const override {
    return program::join_by_turns(histories, first);
  }
  std::optional<std::size_t> replica_dimension(const std::string& entry) const override {
    if (entry == "ceiling_of_event") return std::nullopt;
    return 0;
  }

 protected:
  /// Whether an observable is one of counted_events_of() the model.
  virtual bool is_counted(const std::string& observable) const = 0;
};

/// Interface of Simulation<Space, M>, with the settings of TileSteps for tests.
template <Model M>
class AnyTileMethod : public AnySimulation<M> {
 public:
  virtual const std::vector<StepState>& step_states() const = 0;
  virtual const TileSizes& tile_sizes() const = 0;
  virtual std::vector<double> waiting_times() const = 0;
  virtual std::vector<std::uint64_t> streams() const = 0;
  virtual void set_first_order(EventOrder order) = 0;
  virtual void check_only(unsigned side_mask) = 0;
};

/// Defined for all built execution spaces and the models of the list. `ranks` divide the lattice on `grid`, or on the
/// grid with the shortest borders.
template <class Space, Model M>
std::unique_ptr<AnyTileMethod<M>> make_tile_method(const Parameters& parameters, const M& model,
                                                   const parallel::Communicator& ranks = {},
                                                   const std::optional<parallel::GridShape>& grid = {});

// Sequential methods, defined for the models of the list.

template <Model M>
std::unique_ptr<AnySimulation<M>> make_bkl(const Parameters& parameters, const M& model);
template <Model M>
std::unique_ptr<AnySimulation<M>> make_waiting_time(const Parameters& parameters, const M& model);

}  // namespace tessera::kmc
