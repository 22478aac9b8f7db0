// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>

namespace tessera::kmc {

/// What the last run of a tile left behind.
struct TileRun {
  double last_event;
  std::uint32_t events;
  std::int32_t round;   ///< 0: run with the narrow halo; r: run again in round r
  std::int32_t listed;  ///< 1: on the list of tiles to repair
};

}  // namespace tessera::kmc
