// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <tessera/kmc/space/methods.hpp>

#include "processes/space_model.hpp"
#include "simulations/kmc_space.hpp"

namespace tessera::kmc::space {

template <class Space>
std::unique_ptr<SimulationInterface> make_tiles(const processes::Tables& tables, const Parameters& p,
                                                const parallel::Distribution& distribution) {
  using Simulation = TileSimulation<Space, processes::SpaceModel>;
  static_assert(TileLaunches<Space, processes::SpaceModel>::halo == largest_reach_for_tiles &&
                TileLaunches<Space, processes::SpaceModel>::ghosts == most_ghosts &&
                TileSteps<Space, processes::SpaceModel>::least_side == least_side_for_tiles);
  return std::make_unique<Simulation>(Space(), p, processes::SpaceModel(tables, p.nx, p.ny * p.nz), distribution);
}
template std::unique_ptr<SimulationInterface> make_tiles<TESSERA_EXECUTION_SPACE>(const processes::Tables&,
                                                                                  const Parameters&,
                                                                                  const parallel::Distribution&);

}  // namespace tessera::kmc::space
