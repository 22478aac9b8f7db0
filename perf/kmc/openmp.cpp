// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <Kokkos_Core.hpp>

#include "tile_system.hpp"

namespace tessera::perf {

std::unique_ptr<KmcSystem> make_tile_openmp(const kmc::Parameters& parameters) {
  return std::make_unique<TileSystem<Kokkos::OpenMP>>(parameters);
}

}  // namespace tessera::perf
