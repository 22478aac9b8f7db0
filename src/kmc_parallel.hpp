// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>
#include <tessera/kmc/models.hpp>
#include <tessera/kmc/parameters.hpp>
#include <tessera/kmc/simulation.hpp>

#include "kmc_adapter.hpp"

namespace tessera::program {

/// The tile method on an execution space, for the model that the parameters choose.
template <class ExecutionSpace>
std::unique_ptr<SimulationInterface> make_kmc_parallel(const kmc::Parameters& parameters) {
  const ExecutionSpace space;
  const auto make = [&]<class Model>(const Model& model) -> std::unique_ptr<SimulationInterface> {
    using Simulation = kmc::Simulation<ExecutionSpace, Model>;
    return std::make_unique<KmcAdapter<Simulation, Model>>(parameters, space, parameters, model);
  };
  return kmc::visit_model(parameters.model, make);
}

}  // namespace tessera::program
