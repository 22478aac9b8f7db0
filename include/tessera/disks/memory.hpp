// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tessera/analysis/block_sums.hpp>
#include <tessera/core/backend.hpp>
#include <tessera/disks/observables/bond_order.hpp>
#include <tessera/disks/observables/correlations.hpp>
#include <tessera/disks/observables/density_waves.hpp>
#include <tessera/disks/parameters.hpp>
#include <tessera/disks/state/geometry.hpp>
#include <tessera/disks/state/state.hpp>
#include <tessera/disks/state/subdomains.hpp>
#include <tessera/disks/state/sweep_plan.hpp>

namespace tessera::disks {
namespace detail {
inline constexpr std::size_t bytes_of_point = 2 * sizeof(double), bytes_in_file = 3 * sizeof(double);

/// Bytes of the initial configurations of all replicas, and of the construction of one.
inline std::size_t bytes_of_start(const Parameters& p, std::size_t particles, std::size_t all) {
  std::size_t of_one = 12 * particles;
  if (p.start == Start::file) of_one += bytes_in_file * particles;
  if (p.start == Start::random) {  // dense disks begin in a box of twice their area
    const auto area = static_cast<std::size_t>(box_width(p) * box_height(p));
    of_one = 4 * std::max(area, 2 * particles) + 20 * particles;
  }
  return bytes_of_point * all + of_one;
}
}  // namespace detail

/// Memory of a run with valid parameters. Host: start, averages, snapshots and checkpoints; the sequential method uses
/// the host only. Device: the state of the sweeps. Samples waiting to be written, 64 bytes each, are not included. With
/// `distribution`: the largest device memory of a rank, and the host memory of rank 0, which writes the files.
inline MemoryNeeded memory_needed(const Parameters& p, const parallel::Distribution& distribution = {}) {
  const auto size = [](auto n) { return static_cast<std::size_t>(n); };
  const std::size_t particles = size(p.particles), replicas = size(p.replicas), all = particles * replicas;
  const std::size_t points = detail::bytes_of_point * all,
                    frame = points + detail::bytes_in_file * particles;  // replicas are written one after another
  const CorrelationPlan plan(p, {box_width(p), box_height(p)});
  const std::size_t averages_saved = replicas * plan.numbers() * (2 * analysis::BlockSums::enough + 1) * sizeof(double);
  constexpr std::size_t pairs = PairBins::count * sizeof(std::uint64_t);  // of a replica in all samples
  const std::size_t averages = averages_saved + (p.pressure_fit == PressureFit::automatic ? replicas * pairs : 0);
  const auto g = p.method == Method::mpmc ? fit_cells(box_width(p), box_height(p), p.replicas) : std::nullopt;
  if (!g) {
    const std::size_t cells = size(box_width(p)) * size(box_height(p)), list = 4 * (particles + cells);  // cell list
    const std::size_t start = detail::bytes_of_start(p, particles, all);
    return {averages + points + replicas * list + std::max({start, frame, points + averages_saved, list}), 0};
  }
  // Blocks differ by at most a pair of cells; the first one is the largest.
  const Geometry part = part_of(*g, distribution.grid.shape(), 0);
  const std::size_t cells = size(g->all_grid_cells()), stored = size(part.all_cells()),
                    owned = size(part.all_own_cells());
  // An upper estimate of the disks of a subdomain, from the mean number per cell.
  const double of_a_cell = static_cast<double>(all) / static_cast<double>(cells);
  const std::size_t own_disks = owned == cells ? all : size(of_a_cell * static_cast<double>(owned)) + 1;
  constexpr std::size_t plans_at_once = 32, move_parts_of_replica = 32;
  const std::size_t of_replica = plans_at_once * sizeof(SweepPlan) + move_parts_of_replica * sizeof(MoveCount) +
                                 sizeof(Origin) + sizeof(MoveCount) + sizeof(float) + pairs +
                                 (4 + Blocks::count) * sizeof(std::uint64_t) +
                                 (plan.numbers() - plan.waves.size()) * sizeof(std::int64_t);
  const std::size_t configuration = sizeof(Position) * all + cells;
  const std::size_t snapshot = sizeof(Position) * own_disks + owned;  // copied to the host
  const std::size_t ghosts = 2 * sizeof(DisksOfCell) * size(table_of_cells(part).ghosts());
  const std::size_t orders = p.g6 ? ghosts + stored * most_in_a_cell * sizeof(Position) : 0;
  const std::size_t state =
      ghosts + orders + 2 * stored * (most_in_a_cell * sizeof(Position) + 1) + replicas * of_replica +
      WaveTable(plan.waves).bytes(static_cast<std::int64_t>(own_disks), p.replicas);
  const std::size_t sorting =
      stored * (most_in_a_cell + 1) * sizeof(std::uint32_t) + (p.start == Start::lattice ? 0 : points);
  const std::size_t start = p.start == Start::lattice ? 0 : detail::bytes_of_start(p, particles, all);
  // At rank 0: its own part, the counts of another rank, and the whole.
  const std::size_t parts = distribution.is_serial() ? 0 : sizeof(Position) * own_disks + 2 * owned;
  const std::size_t gathered = distribution.is_serial() ? 0 : configuration;
  const std::size_t saved = configuration + averages_saved + parts;
  return {averages + std::max({start, configuration + points, gathered + std::max(frame, parts), saved}),
          state + std::max(snapshot, sorting)};
}

}  // namespace tessera::disks
