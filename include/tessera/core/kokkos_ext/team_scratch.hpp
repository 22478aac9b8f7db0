// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>

/// Collective operations of a team of any size on its scratch memory.
namespace tessera {

/// Makes writes of the lanes to memory visible to all lanes of the team. For teams of more than a warp on GPUs; the
/// size is not tested.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION void sync_warps([[maybe_unused]] const Team& team) {
#if defined(__CUDA_ARCH__)
  __syncthreads();
#else
  team.team_barrier();
#endif
}

/// The same within each warp. Teams without warps have one lane.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION void sync_within_warps([[maybe_unused]] const Team& team) {
#if defined(__CUDA_ARCH__)
  __syncwarp();
#else
  if constexpr (requires { team.warp_barrier(); }) team.warp_barrier();
#endif
}

/// The same for a team of any number of lanes.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION void sync_team(const Team& team) {
#if defined(__CUDA_ARCH__)
  if (team.team_size() <= 32)
    __syncwarp();
  else
    __syncthreads();
#else
  if (team.team_size() > 1) team.team_barrier();
#endif
}

/// Reserves a position in a list for each lane that needs one; raises `count` by their number, and `taken` to at least
/// the number of reserved positions. The lanes of a warp call this together.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION int reserve_position([[maybe_unused]] const Team& team, bool want, int* count, int& taken) {
#if defined(__CUDA_ARCH__)
  const unsigned lane = static_cast<unsigned>(team.team_rank()) & 31u, wanting = __ballot_sync(0xffffffffu, want);
  const int more = __popc(wanting);
  int first = 0;
  if (lane == 0) first = atomicAdd(count, more);
  first = __shfl_sync(0xffffffffu, first, 0);
  taken = first + more;
  return first + __popc(wanting & ((1u << lane) - 1));
#else
  const int position = want ? Kokkos::atomic_fetch_add(count, 1) : 0;
  taken = want ? position + 1 : taken;
  return position;
#endif
}

}  // namespace tessera
