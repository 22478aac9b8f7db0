// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>

/// Scratch memory of a team in bytes: allocation at launch, and access by the lanes. On a GPU level 0 is shared memory,
/// at most 48 KiB.
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

}  // namespace tessera
