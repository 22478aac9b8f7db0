// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Macros.hpp>
#include <tessera/kmc/state/concerned.hpp>
#include <tessera/kmc/state/scratch.hpp>

namespace tessera::kmc {

/// Assignment of lanes to the events that a team performs at once, in warps of 32 lanes (a wavefront of AMD is two of
/// these). Where events affect neighbours, or at most 8 cells, several lanes of a warp share an event: lane k of them
/// redraws the cell at position k (Concerned); the remaining lanes of a warp are idle. Otherwise all lanes share the
/// cells of all events: one lane draws the outcome of an event.
template <Model M>
struct LaneShare {
  static constexpr int warp = 32;
  static constexpr bool of_team = Concerned<M>::positions > 9;
  static constexpr int concerned = of_team ? warp : Concerned<M>::positions;
  static constexpr int events_of_warp = warp / concerned;

  int event;  ///< number of the event in the team; `none` for an idle lane
  int k;

  KOKKOS_FORCEINLINE_FUNCTION explicit LaneShare(int rank)
      : event(rank / warp * events_of_warp + rank % warp / concerned), k(rank % warp % concerned) {
    if (rank % warp >= events_of_warp * concerned) event = none;
  }

  KOKKOS_FORCEINLINE_FUNCTION static constexpr int events_of(int lanes) {
    return of_team ? TeamLayout::most_shared<sizeof(SharedEvent<M>)> : lanes / warp * events_of_warp;
  }

  /// Number of the event of the first lane in the warp of lane `rank`.
  KOKKOS_FORCEINLINE_FUNCTION static int first_event(int rank) { return rank / warp * events_of_warp; }

  /// Calls use(lane) for each lane of the team with this k, where lanes of a warp share events.
  template <class Use>
  KOKKOS_FORCEINLINE_FUNCTION static void for_each_lane(int lanes, int k, const Use& use) {
    for (int first = 0; first < lanes; first += warp)
      for (int lane = k; lane < events_of_warp * concerned; lane += concerned) use(first + lane);
  }

 private:
  static constexpr int none = 1 << 20;
};

}  // namespace tessera::kmc
