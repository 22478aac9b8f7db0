// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tessera/core/memory.hpp>
#include <tessera/kpz/parameters.hpp>
#include <tessera/kpz/state/decomposition.hpp>
#include <tessera/kpz/state/subdomains.hpp>
#include <tessera/kpz/steps/shifted_subdomains.hpp>

namespace tessera::kpz {

/// Memory of a run with valid parameters. On the device: surfaces, streams, and the surfaces of all waiting times, as
/// in Simulation::bytes() and Sequential::bytes(). On the host: a copy of the larger of surfaces and streams during a
/// restart, and heights if `heights` is true, computed and compressed in parts of at most 64 MiB. With `distribution`:
/// the device memory of this rank, and the host memory of rank 0, which writes the output file.
inline MemoryNeeded memory_needed(const Parameters& p, bool heights = true,
                                  const parallel::Distribution& distribution = {}) {
  constexpr std::size_t most_at_once = std::size_t{64} << 20;
  constexpr std::size_t copies_of_packing = 4;
  const Lattice whole = lattice_of(p), block = block_of(p, distribution);
  const auto replicas = static_cast<std::size_t>(p.replicas);
  const auto surfaces = [](const Lattice& lattice) { return lattice.all_words() * sizeof(std::uint32_t); };
  const auto streams = [&](const Lattice& lattice) {
    const std::size_t of_replica = p.method == Method::domain ? streams_of_replica(Decomposition(lattice, p)) : 2;
    return of_replica * replicas * sizeof(std::uint64_t);
  };
  MemoryNeeded needed;
  needed.device =
      (1 + p.waiting_times.size()) * surfaces(block) + streams(block) + 2 * replicas * sizeof(std::uint64_t);
  if (!distribution.is_serial()) needed.device += bytes_of_strips(block, Decomposition(block, p), distribution.grid);
  needed.host = std::max(surfaces(whole), streams(whole));
  if (heights) {
    const std::size_t all = static_cast<std::size_t>(block.sites()) * replicas * sizeof(std::int32_t);
    needed.device += std::min(all, most_at_once);
    needed.host += copies_of_packing * std::min(all, most_at_once);
  }
  return needed;
}

}  // namespace tessera::kpz
