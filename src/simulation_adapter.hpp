// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "simulation_interface.hpp"

namespace tessera::program {

/// What the run loop asks of the simulations of all methods alike. `AnySimulation`: a method's own, of
/// src/simulations.
template <class AnySimulation>
class SimulationAdapter : public SimulationInterface {
 public:
  explicit SimulationAdapter(std::unique_ptr<AnySimulation> simulation) : simulation_(std::move(simulation)) {}

  bool advance(double until, const std::function<bool()>& keep_going) override {
    bool arrived = true;
    simulation_->advance(until, [&] {
      arrived = keep_going();
      return arrived;
    });
    return arrived;
  }

  double time() const override { return simulation_->time(); }
  std::vector<Observable> measure() override { return simulation_->measure(); }
  void save(io::CheckpointWriter& checkpoint) const override { simulation_->save(checkpoint); }
  void load(const io::CheckpointReader& checkpoint) override { simulation_->load(checkpoint); }

 protected:
  /// The simulation's one history, if it has rows.
  std::vector<History> drain_only_history() {
    History history = simulation_->drain_history();
    if (history.empty()) return {};
    return {std::move(history)};
  }

  std::unique_ptr<AnySimulation> simulation_;
};

}  // namespace tessera::program
