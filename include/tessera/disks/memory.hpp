// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <tessera/analysis/block_averages.hpp>
#include <tessera/core/memory.hpp>
#include <tessera/disks/impl/geometry.hpp>
#include <tessera/disks/impl/shared_cells.hpp>
#include <tessera/disks/impl/state.hpp>
#include <tessera/disks/impl/subdomains.hpp>
#include <tessera/disks/impl/sweep_plan.hpp>
#include <tessera/disks/observables/bond_order.hpp>
#include <tessera/disks/observables/statistics.hpp>
#include <tessera/disks/parameters.hpp>

namespace tessera::disks {

namespace detail {

/// Of the pairs of a replica in all samples.
inline std::size_t bytes_of_pairs(const Parameters& p) {
  return p.pressure_fit == PressureFit::automatic ? PairBins::count * sizeof(std::uint64_t) : 0;
}

/// Of the averages of a replica, and of its pairs.
inline std::size_t bytes_of_averages(const Parameters& p) {
  const double samples = std::max(1.0, (p.sweeps - p.equilibrate) / p.sample_every);
  const auto levels = std::bit_ceil(static_cast<std::size_t>(std::log2(samples)) + 1);
  return averages_of_replica(p.pressure_fit) * levels * 4 * sizeof(double) + bytes_of_pairs(p);
}

/// Of a start, all of it, and what making the one of a replica takes.
inline std::size_t bytes_of_start(const Parameters& p, std::size_t particles, std::size_t all) {
  constexpr std::size_t point = 2 * sizeof(double);
  if (p.start != Start::random) return point * all + 12 * particles;
  // Disks are compressed in a list of cells; those of a dilute system are dropped into as many lists as it has area.
  const auto area = static_cast<std::size_t>(box_width(p) * box_height(p));
  return point * all + std::max(120 * particles, 24 * area + 32 * particles);
}

}  // namespace detail

/// What a run takes of memory; host: start, averages, snapshots and checkpoints, all of the sequential method; device:
/// where sweeps are made. For parameters that validate() accepts. Without what grows with the length of a run: rows and
/// samples that wait to be written, 40 bytes a sample. `ranks` that share out the cells: the most that one of them
/// takes on its device; and rank 0, which has the files, on the host.
inline MemoryNeeded memory_needed(const Parameters& p, const Subdomains& subdomains = {}) {
  const auto particles = static_cast<std::size_t>(p.particles), replicas = static_cast<std::size_t>(p.replicas);
  const std::size_t all = particles * replicas;
  constexpr std::size_t point = 2 * sizeof(double), in_file = 3 * sizeof(double);
  const std::size_t frame = point * all + in_file * particles;  // a replica is written after the other
  const std::size_t averages = replicas * detail::bytes_of_averages(p);
  const std::size_t averages_saved =
      replicas * averages_of_replica(p.pressure_fit) * analysis::BlockAverages::size * sizeof(double);
  const auto g = p.method == Method::mpmc ? fit_cells(box_width(p), box_height(p), p.replicas) : std::nullopt;
  if (!g) {
    // A cell of the list has room for 16 numbers of disks.
    const auto cells = static_cast<std::size_t>(box_width(p)) * static_cast<std::size_t>(box_height(p));
    const std::size_t state = point * all + replicas * cells * 65;
    const std::size_t start = detail::bytes_of_start(p, particles, all);
    return {averages + state + std::max({start, frame, point * all + averages_saved}), 0};
  }
  // Blocks differ by a pair of cells at most; the first one is the largest.
  const Geometry part = subdomains.part(*g, 0);
  const auto cells = static_cast<std::size_t>(g->all_grid_cells());
  const auto stored = static_cast<std::size_t>(part.all_cells()),
             owned = static_cast<std::size_t>(part.all_own_cells());
  // Some more than their share: as many disks in each cell.
  const std::size_t own_disks = owned == cells
                                    ? all
                                    : static_cast<std::size_t>(static_cast<double>(all) / static_cast<double>(cells) *
                                                               static_cast<double>(owned)) +
                                          1;
  constexpr std::size_t plans_at_once = 32, move_parts_of_replica = 32;
  const std::size_t of_replica = plans_at_once * sizeof(SweepPlan) + (move_parts_of_replica + 1) * sizeof(MoveCount) +
                                 sizeof(Origin) + sizeof(float) + PairBins::count * sizeof(std::uint64_t) +
                                 4 * sizeof(std::uint64_t);
  const std::size_t checkpoint = sizeof(Position) * all + cells + averages_saved;
  const std::size_t snapshot = point * own_disks;  // on its way to the host
  const std::size_t ghosts = 2 * sizeof(DisksOfCell) * static_cast<std::size_t>(table_of_cells(part).ghosts());
  const std::size_t state = ghosts + 2 * stored * (most_in_a_cell * sizeof(Position) + 1) + replicas * of_replica;
  const std::size_t sorting =
      stored * (most_in_a_cell + 1) * sizeof(std::uint32_t) + (p.start == Start::lattice ? 0 : point * all);
  const std::size_t start = p.start == Start::lattice ? 0 : detail::bytes_of_start(p, particles, all);
  // What rank 0 gathers from the others: a part of its own and one of theirs, and all.
  const std::size_t parts = subdomains.alone() ? 0 : 2 * (sizeof(Position) * own_disks + owned);
  const std::size_t gathered = subdomains.alone() ? 0 : sizeof(Position) * all + cells;
  return {averages + std::max({start, gathered + std::max(frame, parts), checkpoint + parts}),
          state + std::max(snapshot, sorting)};
}

}  // namespace tessera::disks
