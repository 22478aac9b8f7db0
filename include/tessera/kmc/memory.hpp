// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <tessera/core/backend.hpp>
#include <tessera/kmc/kernels/checksums.hpp>
#include <tessera/kmc/parameters.hpp>
#include <tessera/kmc/sequential/bkl.hpp>
#include <tessera/kmc/sequential/waiting_time.hpp>
#include <tessera/kmc/state/clock.hpp>
#include <tessera/kmc/state/state.hpp>
#include <tessera/kmc/state/subdomains.hpp>
#include <tessera/kmc/state/tile_sizes.hpp>
#include <tessera/kmc/steps/step_state.hpp>

/// Memory requirements of a run, computed before allocation.
namespace tessera::kmc {

/// Sums over the columns and rows of the lattice, in measurements.
inline std::size_t bytes_of_lines(const Parameters& p) {
  return 8 * static_cast<std::size_t>(p.replicas) * static_cast<std::size_t>(p.nx + p.ny);
}

/// Bytes of a Simulation's arrays for these valid parameters (validate()), at the rank with this block or on one
/// process with `lanes` lanes to a tile. `groups`: groups_of() the model; `sums`: kept_sums_of() it.
template <Model M>
std::size_t tile_method_bytes(const Parameters& p, const Geometry& block, int groups = 0, int sums = 0) {
  const bool repair = p.step_control == StepControl::repair;
  const auto tile = static_cast<std::size_t>(block.tile), replicas = static_cast<std::size_t>(block.replicas);
  const std::size_t cells = replicas * static_cast<std::size_t>(block.sites());
  const std::size_t tiles = static_cast<std::size_t>(block.all_tiles());
  const auto counts = static_cast<std::size_t>(groups);
  const std::size_t bits = 4 * ((tile * tile + 31) / 32);
  const std::size_t of_cell = sizeof(typename M::State) + 16 + 8 * static_cast<std::size_t>(sums);
  const std::size_t state = 2 * cells * of_cell + tiles * (bits + 1) + replicas * 4;
  const std::size_t rounds = repair ? static_cast<std::size_t>(p.repair_rounds) : 0;
  const std::size_t runs =
      tiles * (sizeof(TileRun) + checksums<M> * std::size_t{8} + counts * 4 + (rounds > 0 ? 8 : 0)) + (rounds + 1) * 8;
  const std::size_t steps = replicas * (sizeof(StepReport) + sizeof(StepState) + sizeof(Passage) + counts * 16 +
                                        most_steps_of_batch * sizeof(StepRecord));
  const std::size_t ghosts =
      2 * std::max(static_cast<std::size_t>(block.table_of_sites().ghosts()) * sizeof(PresentCell<M>),
                   static_cast<std::size_t>(block.table_of_tiles().ghosts()) * sizeof(TileChecksums<M>));
  return state + runs + steps + ghosts + bytes_of_lines(p);
}
/// The same for one process with `lanes` lanes to a tile.
template <Model M>
std::size_t tile_method_bytes(const Parameters& p, int lanes, int groups = 0, int sums = 0) {
  const TileSizes sizes = tile_sizes(p, lanes, event_reach<M>);
  return tile_method_bytes<M>(p, block_of(p, sizes, distribute(p, sizes)), groups, sums);
}

/// Bytes of the arrays of the chosen sequential method. `sums`: kept_sums_of() the model.
template <Model M>
std::size_t sequential_bytes(const Parameters& p, int sums = 0) {
  const auto replicas = static_cast<std::size_t>(p.replicas);
  const std::size_t cells = static_cast<std::size_t>(p.nx) * static_cast<std::size_t>(p.ny);
  const std::size_t of_lattice = cells * (sizeof(typename M::State) + 8 * static_cast<std::size_t>(sums));
  if (p.method == Method::bkl) return replicas * (of_lattice + RateClasses::bytes(cells)) + bytes_of_lines(p);
  return replicas * (of_lattice + cells * 8 + WaitingTimeTree::bytes(cells)) + bytes_of_lines(p);
}

/// Largest memory of a run with these valid parameters (validate()), with `lanes` lanes to a tile (lanes_per_tile): the
/// state of all replicas, and on the host one more field, for initial states, measurements, checkpoints and restarts.
/// Memory of Kokkos and of the output file is not included.
template <Model M>
MemoryNeeded memory_needed(const Parameters& p, int lanes, int groups = 0, int sums = 0) {
  const auto replicas = static_cast<std::size_t>(p.replicas);
  const std::size_t cells = replicas * static_cast<std::size_t>(p.nx) * static_cast<std::size_t>(p.ny);
  if (p.method == Method::bkl)
    return {sequential_bytes<M>(p, sums) + replicas * 2 * sizeof(BklReplica<M>) + cells * sizeof(typename M::State), 0};
  if (p.method == Method::waiting_time)
    return {sequential_bytes<M>(p, sums) + replicas * sizeof(WaitingTimeReplica<M>) + cells * 8, 0};
  const MemoryNeeded apart{cells * 8 + 2 * replicas * sizeof(StepState), tile_method_bytes<M>(p, lanes, groups, sums)};
  return lanes > 1 ? apart : MemoryNeeded{apart.host + apart.device, 0};
}

/// Memory of a run on several ranks: of the device of this block, and of the host of rank 0, with a whole field.
template <Model M>
MemoryNeeded memory_needed(const Parameters& p, const Geometry& block, int groups = 0, int sums = 0) {
  const std::size_t field =
      8 * static_cast<std::size_t>(p.replicas) * static_cast<std::size_t>(p.nx) * static_cast<std::size_t>(p.ny);
  const std::size_t on_the_way = 3 * std::min(field, parallel::bytes_at_once);  // buffers of messages, packed cells
  return {field + on_the_way, tile_method_bytes<M>(p, block, groups, sums)};
}

}  // namespace tessera::kmc
