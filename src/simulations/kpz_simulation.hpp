// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include "simulations/kpz.hpp"
#include "simulations/simulation_of.hpp"

namespace tessera::kpz {

template <class Simulation>
class KpzSimulation final : public program::SimulationOf<Simulation, AnySimulation> {
 public:
  using program::SimulationOf<Simulation, AnySimulation>::SimulationOf;

  double attempts() const override { return this->simulation_.attempts(); }
  const Parameters& parameters() const override { return this->simulation_.parameters(); }
  std::vector<EffectiveExponent> drain_exponents() override { return this->simulation_.drain_exponents(); }
  std::uint64_t inconsistencies() const override { return this->simulation_.inconsistencies(); }
  std::vector<std::uint32_t> words() const override { return this->simulation_.words(); }
  std::vector<std::int32_t> heights() const override { return this->simulation_.heights(); }

  std::vector<program::Field> fields() override {
    const Parameters& p = parameters();
    std::vector<program::Field> fields(1);
    fields[0] = {"height",
                 "layers",
                 {static_cast<std::size_t>(p.ny), static_cast<std::size_t>(p.nx)},
                 this->simulation_.height_parts()};
    return fields;
  }

 protected:
  std::vector<QuantityChange> drain_changes() override { return this->simulation_.drain_changes(); }
};

}  // namespace tessera::kpz
