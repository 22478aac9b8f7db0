// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <tessera/kmc/space/methods.hpp>

#include "processes/space_model.hpp"
#include "simulations/kmc_space.hpp"

namespace tessera::kmc::space {
namespace {

template <Model M>
std::unique_ptr<SimulationInterface> make(const M& model, const Parameters& p) {
  if (p.method == Method::bkl) return std::make_unique<BklSimulation<M>>(p, model);
  return std::make_unique<SequentialSimulation<M>>(p, model);
}

}  // namespace

std::unique_ptr<SimulationInterface> make_sequential(const Choice& choice, const Parameters& p) {
  return choice.visit([&](const auto& model) { return make(model, p); });
}
std::unique_ptr<SimulationInterface> make_sequential(const processes::Tables& tables, const Parameters& p) {
  return make(processes::SpaceModel(tables, p.nx, p.ny * p.nz, processes::UsedOn::host), p);
}

}  // namespace tessera::kmc::space
