// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <Kokkos_Core.hpp>
#include <tessera/disks/simulation.hpp>

#include "on_space.hpp"

namespace tessera::perf {

std::unique_ptr<DisksSystem> make_disks_openmp(const disks::Parameters& parameters) {
  using Space = Kokkos::OpenMP;
  return std::make_unique<DisksSystemOf<disks::Simulation<Space>>>(Space(), parameters);
}

}  // namespace tessera::perf
