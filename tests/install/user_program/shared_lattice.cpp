// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <Kokkos_Core.hpp>
#include <iostream>
#include <tessera/kmc/models.hpp>
#include <tessera/kmc/simulation.hpp>
#include <tessera/parallel/world.hpp>

int main(int argc, char** argv) {
  const tessera::parallel::World world;  // MPI, if the program was started by mpirun or srun
  const Kokkos::ScopeGuard kokkos(argc, argv);
  tessera::kmc::Parameters parameters;
  parameters.nx = parameters.ny = 256;
  const tessera::kmc::SolidOnSolid model(1.0);
  tessera::kmc::Simulation simulation(Kokkos::DefaultExecutionSpace(), parameters, model, world.communicator());
  simulation.advance(2);
  const auto observables = simulation.measure();  // of the whole lattice, on all ranks
  if (world.communicator().rank() != 0) return 0;
  for (const tessera::Observable& o : observables)
    if (o.name == "height_mean") std::cout << o.name << ' ' << o.values.front() << ' ' << o.unit << '\n';
}
