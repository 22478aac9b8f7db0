// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <tessera/kmc/space/methods.hpp>

#include "simulations/kmc_space.hpp"

namespace tessera::kmc::space {

std::unique_ptr<SimulationInterface> make_sequential(const Choice& choice, const Parameters& p) {
  return choice.visit([&]<class M>(const M& model) -> std::unique_ptr<SimulationInterface> {
    if (p.method == Method::bkl) return std::make_unique<BklSimulation<M>>(p, model);
    return std::make_unique<SequentialSimulation<M>>(p, model);
  });
}

}  // namespace tessera::kmc::space
