// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <tessera/kmc/space/methods.hpp>

#include "simulations/kmc_space.hpp"

namespace tessera::kmc::space {

template <class Space, class L>
std::unique_ptr<SimulationInterface> make_tiles_on(const Choice& choice, const Parameters& p,
                                                   const parallel::Distribution& distribution) {
  return choice.visit_on<L>([&]<class M>(const M& model) -> std::unique_ptr<SimulationInterface> {
    static_assert(TileSteps<Space, M>::least_side <= least_side_for_tiles &&
                  TileLaunches<Space, M>::ghosts <= most_ghosts);
    return std::make_unique<TileSimulation<Space, M>>(Space(), p, model, distribution);
  });
}
template std::unique_ptr<SimulationInterface> make_tiles_on<TESSERA_EXECUTION_SPACE, TESSERA_LATTICE>(
    const Choice&, const Parameters&, const parallel::Distribution&);

}  // namespace tessera::kmc::space
