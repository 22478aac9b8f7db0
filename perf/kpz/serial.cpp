// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <Kokkos_Core.hpp>
#include <tessera/kpz/simulation.hpp>

#include "on_space.hpp"

namespace tessera::perf {

std::unique_ptr<KpzSystem> make_kpz_serial(const kpz::Parameters& parameters) {
  return std::make_unique<KpzSystemOf<kpz::Simulation<Kokkos::Serial>>>(Kokkos::Serial(), parameters);
}

}  // namespace tessera::perf
