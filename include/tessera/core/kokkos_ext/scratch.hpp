// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>

/// Memory that the lanes of a team share, by bytes: how a launch asks for it, and where a lane finds it. On a GPU level
/// 0 lies on the multiprocessor, 48 KiB at most.
namespace tessera {

/// The policy with so many bytes for each team, and some for the alignment of what is put there.
template <class Policy>
Policy with_scratch(Policy policy, std::size_t bytes, std::size_t alignment, int level = 0) {
  policy.set_scratch_size(level, Kokkos::PerTeam(static_cast<int>(bytes + alignment)));
  return policy;
}

/// The next `count` elements of the team's memory: all lanes ask for them, and all get the same.
template <class T, class Team>
KOKKOS_FORCEINLINE_FUNCTION T* scratch_array(const Team& team, std::size_t count, std::size_t alignment = alignof(T),
                                             int level = 0) {
  return static_cast<T*>(team.team_scratch(level).get_shmem_aligned(count * sizeof(T), alignment));
}

}  // namespace tessera
