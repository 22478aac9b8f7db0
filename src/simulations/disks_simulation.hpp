// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include "simulations/disks.hpp"
#include "simulations/simulation_of.hpp"

namespace tessera::disks {

/// Simulation behind the interface Any, AnySimulation or a class derived from it.
template <class Simulation, class Any = AnySimulation>
class DisksSimulation : public program::SimulationOf<Simulation, Any> {
 public:
  using program::SimulationOf<Simulation, Any>::SimulationOf;

  bool start(const std::function<bool()>& keep_going) override { return this->simulation_.start(keep_going); }
  bool finished() const override { return this->simulation_.finished(); }
  const std::vector<MoveCount>& moves() const override { return this->simulation_.moves(); }
  const Parameters& parameters() const override { return this->simulation_.parameters(); }
  Point box() const override { return this->simulation_.box(); }
  std::vector<std::vector<Point>> points() const override { return this->simulation_.points(); }
  std::vector<AveragedFunction> functions() override { return this->simulation_.functions(); }
  double leave_out_functions() override {
    if constexpr (requires { this->simulation_.leave_out_functions(); }) return this->simulation_.leave_out_functions();
    return 0;
  }
  std::vector<double> pair_distribution() const override { return this->simulation_.pair_distribution(); }
  History drain_history() override { return this->simulation_.drain_history(); }
};

}  // namespace tessera::disks
