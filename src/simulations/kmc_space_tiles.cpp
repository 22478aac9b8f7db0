// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <tessera/kmc/space/methods.hpp>

#include "simulations/kmc_space.hpp"

namespace tessera::kmc::space {

template <class Space>
std::unique_ptr<SimulationInterface> make_tiles(const Choice& choice, const Parameters& p) {
  return choice.visit([&]<class M>(const M& model) -> std::unique_ptr<SimulationInterface> {
    static_assert(TileSteps<Space, M>::least_side <= least_side_for_tiles);
    return std::make_unique<TileSimulation<Space, M>>(Space(), p, model);
  });
}
template std::unique_ptr<SimulationInterface> make_tiles<TESSERA_EXECUTION_SPACE>(const Choice&, const Parameters&);

}  // namespace tessera::kmc::space
