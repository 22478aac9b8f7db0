// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <Kokkos_Core.hpp>
#include <tessera/disks/simulation.hpp>

#include "on_space.hpp"

namespace tessera::perf {

std::unique_ptr<DisksSystem> make_disks_openmp(const disks::Parameters& parameters, disks::TeamShape shape) {
  using Space = Kokkos::OpenMP;
  return std::make_unique<DisksSystemOf<disks::Simulation<Space>>>(
      Space(), parameters, shape.lanes > 0 ? shape : disks::default_team_shape<Space>);
}

}  // namespace tessera::perf
