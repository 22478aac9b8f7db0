// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
//
// A run of kpz and one of disks, that sanitizers watch.
#include <Kokkos_Core.hpp>
#include <tessera/disks/simulation.hpp>
#include <tessera/kpz/simulation.hpp>

#include "tests/sanitized/runs.hpp"

using Space = Kokkos::DefaultHostExecutionSpace;

int main() {
  const Kokkos::ScopeGuard kokkos;
  tessera::kpz::Parameters of_kpz;
  of_kpz.nx = of_kpz.ny = 64;
  of_kpz.steps = 4;
  tessera::kpz::Simulation<Space> kpz(Space(), of_kpz);
  tessera::disks::Parameters of_disks;
  of_disks.particles = 256;
  of_disks.sweeps = 8;
  of_disks.sample_every = 2;
  tessera::disks::Simulation<Space> disks(Space(), of_disks);
  return tessera::testing::status_of(kpz, 4) + tessera::testing::status_of(disks, 8);
}
