// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>

/// What the lanes of a team of any size do together in its scratch.
namespace tessera {

/// What the lanes of the team wrote to memory is seen by all of them afterwards.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION void sync_team(const Team& team) {
  if (team.team_size() > 1) team.team_barrier();
}

/// The next place of a list for each lane that calls this: `count` is raised by their number.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION int take_place([[maybe_unused]] const Team& team, int* count) {
#if defined(__CUDA_ARCH__)
  // One atomic for those lanes of a warp that come together.
  const unsigned together = __activemask(), lane = static_cast<unsigned>(team.team_rank()) & 31u;
  const unsigned first = static_cast<unsigned>(__ffs(static_cast<int>(together))) - 1;
  int place = 0;
  if (lane == first) place = atomicAdd(count, __popc(together));
  return __shfl_sync(together, place, static_cast<int>(first)) + __popc(together & ((1u << lane) - 1));
#else
  return Kokkos::atomic_fetch_add(count, 1);
#endif
}

}  // namespace tessera
