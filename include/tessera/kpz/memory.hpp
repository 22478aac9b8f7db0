// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tessera/core/backend.hpp>
#include <tessera/kpz/parameters.hpp>
#include <tessera/kpz/state/decomposition.hpp>
#include <tessera/kpz/state/state.hpp>
#include <tessera/kpz/state/subdomains.hpp>
#include <tessera/kpz/steps/shifted_subdomains.hpp>

namespace tessera::kpz {

/// Memory of a run with valid parameters. Device: surfaces, also those of all waiting times, streams, numbers of
/// accepted attempts, and sums over columns and rows. Host: a copy of the larger of surfaces and streams during a
/// restart. With `heights`: their computation and compression in parts of at most 64 MiB. With `distribution`: the
/// device memory of this rank, and the host memory of rank 0.
inline MemoryNeeded memory_needed(const Parameters& p, bool heights = true,
                                  const parallel::Distribution& distribution = {}) {
  constexpr std::size_t most_at_once = std::size_t{64} << 20;
  constexpr std::size_t copies_of_packing = 4;
  const Lattice whole = lattice_of(p), block = block_of(p, distribution);
  const auto streams = [&](const Lattice& lattice) {
    const std::size_t of_replica =
        p.method == Method::domain ? streams_of_replica(extents_of_streams({lattice, p})) : 2;
    return of_replica * static_cast<std::size_t>(p.replicas);
  };
  MemoryNeeded needed;
  needed.device = (1 + p.waiting_times.size()) * block.bytes() + streams(block) * sizeof(std::uint64_t);
  needed.device += 8 * static_cast<std::size_t>(p.replicas) * static_cast<std::size_t>(2 + p.nx + p.ny);
  needed.device += bytes_of_strips(block, Decomposition(block, p), distribution.grid);
  needed.host = std::max(whole.bytes(), streams(whole) * sizeof(std::uint64_t));
  if (heights) {
    const std::size_t all = static_cast<std::size_t>(block.sites() * p.replicas) * sizeof(std::int32_t);
    needed.device += std::min(all, most_at_once);
    needed.host += copies_of_packing * std::min(all, most_at_once);
  }
  return needed;
}

}  // namespace tessera::kpz
