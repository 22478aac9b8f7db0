// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <Kokkos_Core.hpp>

#include "disks_backends.hpp"
#include "disks_parallel.hpp"

namespace tessera::program {

std::unique_ptr<SimulationInterface> make_disks_cuda(const disks::Parameters& parameters) {
  return make_disks_parallel<Kokkos::Cuda>(parameters);
}

}  // namespace tessera::program
