// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <tessera/core/kokkos_ext/gpu.hpp>

/// Scratch memory of a team in bytes: allocation at launch, access by the lanes, and collective operations of a team of
/// any size. On a GPU level 0 is shared memory, at most 48 KiB.
namespace tessera {

/// The policy with this number of bytes per team, plus a margin for alignment.
template <class Policy>
Policy with_scratch(Policy policy, std::size_t bytes, std::size_t alignment, int level = 0) {
  policy.set_scratch_size(level, Kokkos::PerTeam(static_cast<int>(bytes + alignment)));
  return policy;
}

/// Returns the next `count` elements of the team's scratch memory. All lanes must call this, and get the same address.
template <class T, class Team>
KOKKOS_FORCEINLINE_FUNCTION T* scratch_array(const Team& team, std::size_t count, std::size_t alignment = alignof(T),
                                             int level = 0) {
  return static_cast<T*>(team.team_scratch(level).get_shmem_aligned(count * sizeof(T), alignment));
}

/// Makes writes of the lanes to memory visible to all lanes of the team, which on GPUs has more than a warp.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION void sync_warps([[maybe_unused]] const Team& team) {
#if defined(TESSERA_ON_GPU)
  __syncthreads();
#else
  team.team_barrier();
#endif
}

/// The same within each warp. Teams without warps have one lane.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION void sync_within_warps([[maybe_unused]] const Team& team) {
#if defined(TESSERA_ON_GPU)
  sync_warp();
#else
  if constexpr (requires { team.warp_barrier(); }) team.warp_barrier();
#endif
}

/// The same for a team of any number of lanes.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION void sync_team(const Team& team) {
#if defined(TESSERA_ON_GPU)
  if (team.team_size() <= warp_lanes)
    sync_warp();
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
#if defined(TESSERA_ON_GPU)
  const unsigned lane = static_cast<unsigned>(team.team_rank()) % static_cast<unsigned>(warp_lanes);
  const LaneBits wanting = lanes_where(want);
  const int more = Kokkos::popcount(wanting);
  int first = 0;
  if (lane == 0) first = atomicAdd(count, more);
  first = value_in_lane(first, 0);
  taken = first + more;
  return first + Kokkos::popcount(wanting & ((LaneBits{1} << lane) - 1));
#else
  const int position = want ? Kokkos::atomic_fetch_add(count, 1) : 0;
  taken = want ? position + 1 : taken;
  return position;
#endif
}

}  // namespace tessera
