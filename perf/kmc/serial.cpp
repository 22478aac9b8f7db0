// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <Kokkos_Core.hpp>

#include "tile_system.hpp"

namespace tessera::perf {

std::unique_ptr<KmcSystem> make_tile_serial(const kmc::Parameters& parameters) {
  return std::make_unique<TileSystem<Kokkos::Serial>>(parameters);
}

}  // namespace tessera::perf
