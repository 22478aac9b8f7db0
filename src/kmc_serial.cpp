// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <Kokkos_Core.hpp>

#include "kmc_backends.hpp"
#include "kmc_parallel.hpp"

namespace tessera::program {

std::unique_ptr<SimulationInterface> make_kmc_serial(const kmc::Parameters& parameters) {
  return make_kmc_parallel<Kokkos::Serial>(parameters);
}

}  // namespace tessera::program
