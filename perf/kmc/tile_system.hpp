// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <limits>
#include <tessera/kmc/models.hpp>
#include <tessera/kmc/simulation.hpp>

#include "system.hpp"

namespace tessera::perf {

/// The tile method on an execution space.
template <class ExecutionSpace>
class TileSystem : public KmcSystem {
 public:
  explicit TileSystem(const kmc::Parameters& parameters)
      : simulation_(ExecutionSpace(), parameters, kmc::make_model<kmc::SolidOnSolid>(parameters.model)) {}

  void run(const std::function<bool()>& keep_going) override {
    simulation_.advance(std::numeric_limits<double>::infinity(), keep_going);
  }

  Counts counts() const override {
    Counts sum;
    for (const kmc::StepState& s : simulation_.step_states()) {
      sum.events += s.events;
      sum.steps += s.accepted + s.rejected;
      sum.rejected += s.rejected;
      sum.repaired += s.repaired;
    }
    return sum;
  }

  void save(Archive& archive) const override { simulation_.save(archive); }
  void load(const Archive& surface) override { simulation_.load(surface); }
  std::size_t bytes() const override { return simulation_.bytes(); }

  double tiles() const override {
    const kmc::Parameters& p = simulation_.parameters();
    const int tile = simulation_.tile_sizes().tile;
    return static_cast<double>(p.nx / tile) * (p.ny / tile) * p.replicas;
  }

 private:
  kmc::Simulation<ExecutionSpace, kmc::SolidOnSolid> simulation_;
};

}  // namespace tessera::perf
