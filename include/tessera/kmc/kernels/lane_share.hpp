// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Macros.hpp>
#include <tessera/kmc/impl/concerned.hpp>

namespace tessera::kmc {

/// A lane's share of the events that a team of whole warps performs at once. Lanes of one warp share an event: lane k
/// of them redraws the cell at place k (Concerned). What is left of a warp has none.
template <Model M>
struct LaneShare {
  static constexpr int warp = 32;
  static constexpr int concerned = Concerned<M>::places;
  static constexpr int events_of_warp = warp / concerned;

  int event;  ///< its number among those of the team; that of none for a lane without a share
  int k;

  KOKKOS_FORCEINLINE_FUNCTION explicit LaneShare(int rank)
      : event(rank / warp * events_of_warp + rank % warp / concerned), k(rank % warp % concerned) {
    if (rank % warp >= events_of_warp * concerned) event = none;
  }

  KOKKOS_FORCEINLINE_FUNCTION static constexpr int events_of(int lanes) { return lanes / warp * events_of_warp; }

  /// The number of the event of the first lane in this one's warp.
  KOKKOS_FORCEINLINE_FUNCTION static int first_event(int rank) { return rank / warp * events_of_warp; }

  /// Calls use(lane) for each lane of the team that has this k.
  template <class Use>
  KOKKOS_FORCEINLINE_FUNCTION static void for_each_lane(int lanes, int k, const Use& use) {
    for (int first = 0; first < lanes; first += warp)
      for (int lane = k; lane < events_of_warp * concerned; lane += concerned) use(first + lane);
  }

 private:
  static constexpr int none = 1 << 20;
};

}  // namespace tessera::kmc
