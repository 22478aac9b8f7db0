// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/host_array.hpp>
#include <tessera/kpz/state/decomposition.hpp>

namespace tessera::kpz {

/// State of a run, except the number of intervals: one bit per site, and 8 bytes for the stream of each domain of a set
/// and each of its thread cells. (With TC=1,1: 1/32 byte per site for double tilings, 1/8 for dead borders.)
template <class MemorySpace>
struct State {
  Lattice lattice;
  Kokkos::View<std::uint32_t*, MemorySpace> words;     ///< bits of the surface, at Lattice::word
  Kokkos::View<std::uint64_t*, MemorySpace> streams;   ///< streams_of_replica() of each replica
  Kokkos::View<std::uint64_t*, MemorySpace> accepted;  ///< [2 replicas]: depositions, removals since time 0

  State(const Lattice& of, std::size_t streams_of_replica)
      : lattice(of),
        words(Kokkos::view_alloc(Kokkos::WithoutInitializing, "tessera::kpz::words"), of.all_words()),
        streams(Kokkos::view_alloc(Kokkos::WithoutInitializing, "tessera::kpz::streams"),
                streams_of_replica * static_cast<std::size_t>(of.replicas)),
        accepted("tessera::kpz::accepted", 2 * static_cast<std::size_t>(of.replicas)) {}
};

/// Makes the surfaces of all replicas flat.
template <class ExecutionSpace, class Words>
void flatten(const ExecutionSpace& space, const Lattice& lattice, const Words& words) {
  Kokkos::parallel_for(
      "tessera::kpz::flatten", Indices<ExecutionSpace, std::size_t>(space, 0, lattice.all_words()),
      KOKKOS_LAMBDA(std::size_t i) {
        words(i) = flat_word(static_cast<int>(i / static_cast<std::size_t>(lattice.row) % 4));
      });
}

}  // namespace tessera::kpz
