// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/host_array.hpp>
#include <tessera/core/kokkos_ext/gpu.hpp>

/// A team of lanes works on a tile: one or more warps on a GPU, one thread on a CPU. A lane is identified by its team
/// rank, and works through the team interface of Kokkos. The functions below are faster for a single warp than their
/// general form. Each has a portable body, which hosts use; a test compares both.
namespace tessera {

/// Number of lanes in the smallest team of a tile: 1, or those of a warp; a team may have several warps.
template <class ExecutionSpace>
inline constexpr int lanes_per_tile = runs_on_host<ExecutionSpace> ? 1 : warp_lanes;

/// Makes writes of one lane to scratch memory visible to all lanes of the team.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION void sync_lanes(const Team& team) {
#if defined(TESSERA_ON_GPU)
  (void)team;
  sync_warp();
#else
  if (team.team_size() > 1) team.team_barrier();
#endif
}

/// Returns the sum of a value over the lanes of the team, in all lanes.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t sum_over_lanes(const Team& team, std::uint32_t value) {
#if defined(TESSERA_ON_GPU)
  (void)team;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_add_sync(0xffffffffu, value);
#else
  for (int offset = warp_lanes / 2; offset > 0; offset /= 2) value += value_in_lane(value, team.team_rank() ^ offset);
  return value;
#endif
#else
  if (team.team_size() > 1) team.team_reduce(Kokkos::Sum<std::uint32_t>(value));
  return value;
#endif
}

/// Lanes of a warp in groups. Lanes of a group have equal ranks modulo the number of groups. Groups of more than one
/// lane require the warp of a GPU; groups of one are portable.
template <int lanes_per_group>
struct LaneGroups {
  static constexpr int warp = warp_lanes, groups = warp / lanes_per_group;

  /// Returns whether the flag is set in any lane of this group.
  KOKKOS_FORCEINLINE_FUNCTION static bool any([[maybe_unused]] int lane, bool flag) {
    if constexpr (lanes_per_group > 1) {
#if defined(TESSERA_ON_GPU)
      LaneBits first = 0;
      for (int i = 0; i < lanes_per_group; ++i) first |= LaneBits{1} << (i * groups);
      return (lanes_where(flag) & (first << (lane % groups))) != 0;
#endif
    }
    return flag;
  }

  /// Returns the value in lane `source` of this group.
  KOKKOS_FORCEINLINE_FUNCTION static float from([[maybe_unused]] int lane, float value, [[maybe_unused]] int source) {
    if constexpr (lanes_per_group > 1) {
#if defined(TESSERA_ON_GPU)
      return value_in_lane(value, lane % groups + source * groups);
#endif
    }
    return value;
  }
};

}  // namespace tessera
