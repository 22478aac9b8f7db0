// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>

namespace tessera::kmc {

/// What the last run of a tile left behind.
struct TileRun {
  double last_event;
  std::uint32_t events, unresolved;
  std::int32_t halo;    ///< that it was run with
  std::int32_t listed;  ///< whether it is to be run again: 0: never was; 1: is on a list; 2: has been run again
};

}  // namespace tessera::kmc
