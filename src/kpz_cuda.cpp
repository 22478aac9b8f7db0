// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <Kokkos_Core.hpp>
#include <tessera/kpz/simulation.hpp>

#include "kpz_adapter.hpp"
#include "kpz_backends.hpp"

namespace tessera::program {

std::unique_ptr<SimulationInterface> make_kpz_cuda(const kpz::Parameters& parameters, HeightFields fields) {
  using Space = Kokkos::Cuda;
  return std::make_unique<KpzAdapter<kpz::Simulation<Space>>>(parameters, fields, Space(), parameters);
}

}  // namespace tessera::program
