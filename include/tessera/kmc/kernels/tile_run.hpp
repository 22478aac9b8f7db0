// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>

namespace tessera::kmc {

/// Result of the last run of a tile.
struct TileRun {
  double last_event;
  std::uint32_t events, unresolved;
  std::int32_t halo;    ///< halo of the run
  std::int32_t listed;  ///< 0: never repaired; 1: listed; 2: repaired
};

}  // namespace tessera::kmc
