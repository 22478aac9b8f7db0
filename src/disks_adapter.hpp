// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <tessera/disks/host_samples.hpp>
#include <tessera/disks/parameters.hpp>
#include <tessera/disks/starts.hpp>
#include <tessera/io/checkpoint_reader.hpp>
#include <tessera/io/checkpoint_writer.hpp>
#include <utility>
#include <vector>

#include "simulation_interface.hpp"

namespace tessera::program {

/// Any of the simulations of disks, parallel or sequential, behind the interface that the run loop drives. The start is
/// made when it is first needed: a restart has none, and compressing one can take longer than the rest.
template <class Simulation>
class DisksAdapter : public SimulationInterface {
 public:
  using Points = std::vector<std::vector<disks::Point>>;

  /// make(points) constructs the simulation with these disks.
  DisksAdapter(const disks::Parameters& parameters, std::function<std::unique_ptr<Simulation>(const Points&)> make)
      : parameters_(parameters), make_(std::move(make)) {}

  bool advance(double until, const std::function<bool()>& keep_going) override {
    bool arrived = true;
    simulation().advance(until, [&] {
      arrived = keep_going();
      return arrived;
    });
    return arrived;
  }

  bool finished() const override { return simulation().finished(); }
  double time() const override { return simulation().time(); }
  std::vector<double> times() const override {
    return std::vector<double>(static_cast<std::size_t>(parameters_.replicas), time());
  }
  std::string time_unit() const override { return "sweeps"; }
  double time_goal() const override { return parameters_.sweeps; }

  double work() const override {
    double sum = 0;
    for (const auto& moves : simulation().moves()) sum += static_cast<double>(moves.tried);
    return sum;
  }
  double work_goal() const override { return std::numeric_limits<double>::infinity(); }
  std::string rate_unit() const override { return "trial moves/s"; }

  std::vector<Measurement> measure() override {
    std::vector<Measurement> measurements;
    for (auto& observable : simulation().measure()) {
      measurements.push_back({std::move(observable.name), std::move(observable.unit), std::move(observable.values),
                              std::move(observable.errors)});
    }
    return measurements;
  }

  /// g(r) of the disks as they are now, in rings of width 0.02.
  std::vector<Field> fields() override {
    const disks::Point box = simulation().box();
    std::vector<double> all;
    for (const auto& points : simulation().points()) {
      const auto g = disks::pair_distribution(points, box[0], box[1], reach, ring);
      all.insert(all.end(), g.begin(), g.end());
    }
    const std::size_t rings = all.size() / static_cast<std::size_t>(parameters_.replicas);
    return {{"pair_distribution", "", {rings}, std::move(all)}};
  }

  std::vector<ParticleFrame> particles() override {
    return {{"disks", "sigma", simulation().box(), simulation().points()}};
  }

  std::vector<io::HistoryTable> drain_history() override {
    auto history = simulation().drain_history();
    if (history.columns.front().empty()) return {};
    return {{"samples", std::move(history.names), std::move(history.units), std::move(history.columns)}};
  }

  void save(io::CheckpointWriter& checkpoint) const override { simulation().save(checkpoint); }
  void load(const io::CheckpointReader& checkpoint) override {
    simulation_ = make_(Points(static_cast<std::size_t>(parameters_.replicas)));
    simulation_->load(checkpoint);
  }

  /// Of cells twice as large as the disks in them, twice.
  std::size_t bytes_on_device() const override {
    return static_cast<std::size_t>(parameters_.particles) * static_cast<std::size_t>(parameters_.replicas) * 40;
  }

 private:
  static constexpr double reach = 5, ring = 0.02;  ///< of g(r), in sigma

  Simulation& simulation() const {
    if (!simulation_) simulation_ = make_(disks::start_points(parameters_));
    return *simulation_;
  }

  disks::Parameters parameters_;
  std::function<std::unique_ptr<Simulation>(const Points&)> make_;
  mutable std::unique_ptr<Simulation> simulation_;
};

}  // namespace tessera::program
