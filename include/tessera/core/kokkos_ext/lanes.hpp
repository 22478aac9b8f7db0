// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/kokkos_ext/runs_on_host.hpp>

/// A tile is worked on by a team of a few lanes: one warp on CUDA, one thread on a CPU. A lane is the team's rank, so
/// all of it is Kokkos' team interface; the functions below are the places where one warp can do better than a team in
/// general. Each has a portable body, which hosts use and which a test compares with the warp's.
namespace tessera {

/// Lanes of the team that works on one tile.
template <class ExecutionSpace>
inline constexpr int lanes_per_tile = runs_on_host<ExecutionSpace> ? 1 : 32;

#if defined(KOKKOS_ENABLE_CUDA)
template <>
inline constexpr int lanes_per_tile<Kokkos::Cuda> = 32;
#endif

/// What one lane wrote to scratch is seen by all lanes of the team afterwards.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION void sync_lanes(const Team& team) {
#if defined(__CUDA_ARCH__)
  (void)team;
  __syncwarp();
#else
  if (team.team_size() > 1) team.team_barrier();
#endif
}

/// The same where a team has more lanes than a warp: team.team_barrier() without a look at the team's shape.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION void sync_team(const Team& team) {
#if defined(__CUDA_ARCH__)
  (void)team;
  __syncthreads();
#else
  team.team_barrier();
#endif
}

/// The smallest value over the team's lanes, by the portable team reduction.
template <class Team, class T>
KOKKOS_FUNCTION T min_over_team(const Team& team, T value) {
  T smallest = value;
  if (team.team_size() > 1) team.team_reduce(Kokkos::Min<T>(smallest));
  return smallest;
}

/// The smallest 32-bit value over the team's lanes; all of them get it.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t min_over_lanes(const Team& team, std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  (void)team;
#if __CUDA_ARCH__ >= 800
  return __reduce_min_sync(0xffffffffu, value);
#else
  for (int offset = 16; offset > 0; offset /= 2) value = min(value, __shfl_xor_sync(0xffffffffu, value, offset));
  return value;
#endif
#else
  return min_over_team(team, value);
#endif
}

/// The smallest 64-bit value over the team's lanes: the high word first, then the low word among the lanes that have
/// it.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t min_over_lanes(const Team& team, std::uint64_t value) {
#if defined(__CUDA_ARCH__)
  const auto high = static_cast<std::uint32_t>(value >> 32);
  const std::uint32_t smallest_high = min_over_lanes(team, high);
  const std::uint32_t low = high == smallest_high ? static_cast<std::uint32_t>(value) : 0xffffffffu;
  return (static_cast<std::uint64_t>(smallest_high) << 32) | min_over_lanes(team, low);
#else
  return min_over_team(team, value);
#endif
}

/// The sum of a value over the team's lanes; all of them get it.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t sum_over_lanes(const Team& team, std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  (void)team;
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(0xffffffffu, value);
#else
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
#endif
#else
  if (team.team_size() > 1) team.team_reduce(Kokkos::Sum<std::uint32_t>(value));
  return value;
#endif
}

/// Lanes of a warp in groups: those whose ranks are the same modulo the number of groups. More than one lane a group
/// takes a CUDA warp; groups of one are there everywhere.
template <int lanes_per_group>
struct LaneGroups {
  static constexpr int warp = 32, groups = warp / lanes_per_group;

  /// Whether the flag of any lane of this group is set.
  KOKKOS_FORCEINLINE_FUNCTION static bool any([[maybe_unused]] int lane, bool flag) {
    if constexpr (lanes_per_group > 1) {
#if defined(__CUDA_ARCH__)
      unsigned first = 0;
      for (int i = 0; i < lanes_per_group; ++i) first |= 1u << (i * groups);
      return (__ballot_sync(0xffffffffu, flag) & (first << (lane % groups))) != 0;
#endif
    }
    return flag;
  }

  /// The value of lane number `source` of this group.
  KOKKOS_FORCEINLINE_FUNCTION static float from([[maybe_unused]] int lane, float value, [[maybe_unused]] int source) {
    if constexpr (lanes_per_group > 1) {
#if defined(__CUDA_ARCH__)
      return __shfl_sync(0xffffffffu, value, lane % groups + source * groups);
#endif
    }
    return value;
  }
};

/// The number of lanes before this one whose flag is set; `total` becomes the number of all lanes whose flag is set.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION int ordinal_among_lanes(const Team& team, bool flag, int& total) {
#if defined(__CUDA_ARCH__)
  const unsigned flags = __ballot_sync(0xffffffffu, flag);
  total = __popc(flags);
  return __popc(flags & ((1u << team.team_rank()) - 1));
#else
  total = static_cast<int>(sum_over_lanes(team, flag ? 1u : 0u));
  return team.team_size() == 1 ? 0 : team.team_scan(flag ? 1 : 0);
#endif
}

}  // namespace tessera
