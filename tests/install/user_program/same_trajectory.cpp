// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <Kokkos_Core.hpp>
#include <iostream>
#include <tessera/kmc/sequential/waiting_time.hpp>
#include <tessera/kmc/simulation.hpp>

#include "lattice_gas.hpp"

namespace kmc = tessera::kmc;

/// Whether the tile method follows the sequential one to the last bit with this model.
bool same_trajectory(const LatticeGas& model) {
  kmc::Parameters parameters;
  parameters.nx = parameters.ny = 64;
  parameters.tile = 16;
  kmc::Simulation tiles(Kokkos::DefaultExecutionSpace(), parameters, model);
  kmc::WaitingTimeSimulation<LatticeGas> sequential(parameters, model);
  tiles.advance(20);
  sequential.advance(20);
  return tiles.states() == sequential.states() && tiles.waiting_times() == sequential.waiting_times() &&
         tiles.streams() == sequential.streams();
}

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const bool same = same_trajectory(LatticeGas(0.2, 1, 0.5));
  std::cout << "the trajectories are " << (same ? "equal" : "different") << '\n';
  return same ? 0 : 1;
}
