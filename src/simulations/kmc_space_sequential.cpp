// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <tessera/kmc/space/methods.hpp>

#include "processes/space_model.hpp"
#include "simulations/kmc_space.hpp"

namespace tessera::kmc::space {
namespace {

template <Model M>
std::unique_ptr<SimulationInterface> make(const M& model, const Parameters& p,
                                          const std::vector<TrackedSpecies>& tracked = {}) {
  if (p.method == Method::bkl) return std::make_unique<BklSimulation<M>>(p, model, tracked);
  return std::make_unique<SequentialSimulation<M>>(p, model, tracked);
}

}  // namespace

std::unique_ptr<SimulationInterface> make_sequential(const Choice& choice, const Parameters& p) {
  return choice.visit([&](const auto& model) { return make(model, p); });
}
std::unique_ptr<SimulationInterface> make_sequential(const processes::Tables& tables, const Parameters& p) {
  return make(processes::SpaceModel(tables, p.nx, p.ny * p.nz, processes::UsedOn::host), p,
              processes::tracked_species(tables, p.track));
}

}  // namespace tessera::kmc::space
