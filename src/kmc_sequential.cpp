// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <tessera/kmc/models.hpp>
#include <tessera/kmc/sequential/bkl.hpp>
#include <tessera/kmc/sequential/waiting_time.hpp>

#include "kmc_adapter.hpp"
#include "kmc_backends.hpp"

namespace tessera::program {
namespace {

template <template <class> class Simulation>
std::unique_ptr<SimulationInterface> make_sequential(const kmc::Parameters& parameters) {
  const auto make = [&]<class Model>(const Model& model) -> std::unique_ptr<SimulationInterface> {
    return std::make_unique<KmcAdapter<Simulation<Model>, Model>>(parameters, parameters, model);
  };
  return kmc::visit_model(parameters.model, make);
}

}  // namespace

std::unique_ptr<SimulationInterface> make_kmc_bkl(const kmc::Parameters& parameters) {
  return make_sequential<kmc::BklSimulation>(parameters);
}

std::unique_ptr<SimulationInterface> make_kmc_waiting_time(const kmc::Parameters& parameters) {
  return make_sequential<kmc::WaitingTimeSimulation>(parameters);
}

}  // namespace tessera::program
