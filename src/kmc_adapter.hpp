// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <tessera/io/checkpoint_reader.hpp>
#include <tessera/io/checkpoint_writer.hpp>
#include <tessera/kmc/goal.hpp>
#include <tessera/kmc/model.hpp>
#include <tessera/kmc/observables/observable.hpp>
#include <tessera/kmc/parameters.hpp>
#include <utility>
#include <vector>

#include "simulation_interface.hpp"

namespace tessera::program {

/// Any of the simulations of kmc, parallel or sequential, behind the interface that the run loop drives.
template <class Simulation, class Model>
class KmcAdapter : public SimulationInterface {
 public:
  using State = typename Model::State;

  template <class... Arguments>
  explicit KmcAdapter(const kmc::Parameters& parameters, const Arguments&... arguments)
      : parameters_(parameters), goal_(kmc::events_goal(parameters)), simulation_(arguments...) {}

  bool advance(double until, const std::function<bool()>& keep_going) override {
    bool arrived = true;
    simulation_.advance(until, [&] {
      arrived = keep_going();
      return arrived;
    });
    return arrived;
  }

  bool finished() const override {
    if (simulation_.finished()) return true;
    const auto times = simulation_.times();
    const auto events = events_of_each();
    for (std::size_t r = 0; r < times.size(); ++r) {
      if (times[r] < parameters_.until_time && events[r] < goal_) return false;
    }
    return true;
  }

  double time() const override { return simulation_.time(); }
  std::vector<double> times() const override { return simulation_.times(); }
  std::string time_unit() const override { return kmc::time_unit_of<Model>(); }
  double time_goal() const override { return parameters_.until_time; }

  double work() const override {
    double sum = 0;
    for (const std::uint64_t events : events_of_each()) sum += static_cast<double>(events);
    return sum;
  }

  double work_goal() const override {
    if (goal_ == std::numeric_limits<std::uint64_t>::max()) return std::numeric_limits<double>::infinity();
    return static_cast<double>(goal_) * parameters_.replicas;
  }

  std::string rate_unit() const override { return "events/s"; }

  std::vector<Measurement> measure() override {
    std::vector<Measurement> measurements;
    for (auto& observable : simulation_.measure()) {
      measurements.push_back({std::move(observable.name), std::move(observable.unit), std::move(observable.values)});
    }
    return measurements;
  }

  std::vector<Field> fields() override {
    Field field;
    field.name = kmc::state_name_of<Model>();
    field.unit = kmc::state_unit_of<Model>();
    field.shape = {static_cast<std::size_t>(parameters_.ny), static_cast<std::size_t>(parameters_.nx)};
    field.data =
        io::Parts<State>([this](std::size_t first, std::span<State> part) { simulation_.read_states(first, part); });
    std::vector<Field> fields;
    fields.push_back(std::move(field));
    return fields;
  }

  std::vector<io::HistoryTable> drain_history() override {
    auto history = simulation_.drain_history();
    if (history.columns.empty() || history.columns.front().empty()) return {};
    return {{"steps", std::move(history.names), std::move(history.units), std::move(history.columns)}};
  }

  void save(io::CheckpointWriter& checkpoint) const override { simulation_.save(checkpoint); }
  void load(const io::CheckpointReader& checkpoint) override { simulation_.load(checkpoint); }
  std::size_t bytes_on_device() const override { return simulation_.bytes(); }

 private:
  std::vector<std::uint64_t> events_of_each() const {
    if constexpr (requires { simulation_.events(); }) {
      return simulation_.events();
    } else {
      std::vector<std::uint64_t> events;
      for (int r = 0; r < parameters_.replicas; ++r) events.push_back(simulation_.events(r));
      return events;
    }
  }

  kmc::Parameters parameters_;
  std::uint64_t goal_;
  Simulation simulation_;
};

}  // namespace tessera::program
