// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tessera/core/memory.hpp>
#include <tessera/kpz/decomposition.hpp>
#include <tessera/kpz/parameters.hpp>

namespace tessera::kpz {

/// What a run with parameters that validate() accepts takes. Where the method runs: surfaces, streams, and the surfaces
/// of all waiting times, as Simulation::bytes() and Sequential::bytes() count them. On the host besides: the copy of
/// the larger of surfaces and streams that a restart reads. `heights`: whether the heights of all sites are wanted,
/// which are computed there and packed here, at most 64 MiB at a time.
inline MemoryNeeded memory_needed(const Parameters& p, bool heights = true) {
  constexpr std::size_t most_at_once = std::size_t{64} << 20;
  constexpr std::size_t copies_of_packing = 4;
  const Lattice lattice = lattice_of(p);
  const auto replicas = static_cast<std::size_t>(p.replicas);
  const std::size_t surfaces = lattice.all_words() * sizeof(std::uint32_t);
  std::size_t streams = 2;
  if (p.method == Method::domain) streams = streams_of_replica(Decomposition(lattice, p));
  streams *= replicas * sizeof(std::uint64_t);
  MemoryNeeded needed;
  needed.device = (1 + p.waiting_times.size()) * surfaces + streams + 2 * replicas * sizeof(std::uint64_t);
  needed.host = std::max(surfaces, streams);
  if (heights) {
    const std::size_t all = static_cast<std::size_t>(lattice.sites()) * replicas * sizeof(std::int32_t);
    needed.device += std::min(all, most_at_once);
    needed.host += copies_of_packing * std::min(all, most_at_once);
  }
  return needed;
}

}  // namespace tessera::kpz
