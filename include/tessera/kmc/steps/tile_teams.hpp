// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/kokkos_ext/functor_as_argument.hpp>
#include <tessera/core/kokkos_ext/lanes.hpp>
#include <tessera/core/kokkos_ext/team_scratch.hpp>
#include <tessera/kmc/state/tile_sizes.hpp>

namespace tessera::kmc {

/// Launch policy and scratch memory of teams that simulate one window each.
template <class ExecutionSpace>
struct TileTeams {
  /// On CPUs a team is one lane.
  static constexpr bool single_lane = lanes_per_tile<ExecutionSpace> == 1;
  /// At most 128 registers per lane of a GPU, as many as the kernels use: a multiprocessor holds 512 lanes. A bound for
  /// 640 lanes is slower, because it moves registers to memory.
  using Policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::LaunchBounds<256, 2>>;
  using Team = typename Policy::member_type;

  /// Policy for `league` teams with this scratch memory.
  static auto policy(const ExecutionSpace& space, std::int64_t league, int lanes, const ScratchBytes& bytes) {
    const auto policy = with_scratch(Policy(space, static_cast<int>(league), lanes), bytes.level0, 16, level0);
    return functor_as_argument(single_lane ? policy : with_scratch(policy, bytes.level1, 16, level1));
  }

  /// Scratch memory of the calling team.
  KOKKOS_FORCEINLINE_FUNCTION static TileScratch scratch(const Team& team, const ScratchBytes& bytes) {
    return {scratch_array<char>(team, bytes.level0, 16, int{level0}),
            single_lane ? nullptr : scratch_array<char>(team, bytes.level1, 16, int{level1})};
  }

 private:
  /// Kokkos limits level 0 to 32 KiB on CPUs, where both levels are the same memory.
  static constexpr int level0 = single_lane ? 1 : 0, level1 = 1;
};

}  // namespace tessera::kmc
