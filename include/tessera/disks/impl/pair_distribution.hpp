// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <tessera/core/kokkos_ext/runs_on_host.hpp>
#include <tessera/core/kokkos_ext/scratch.hpp>
#include <tessera/disks/impl/state.hpp>
#include <tessera/disks/observables/bond_order.hpp>
#include <tessera/parallel/communicator.hpp>
#include <vector>

namespace tessera::disks {

/// g(r) of a replica from the number of pairs in each ring, where every pair is counted from both disks (equation 5
/// with the area of the ring).
inline std::vector<double> pair_distribution(const std::uint64_t* pairs, std::size_t number_of_rings, double particles,
                                             double area, int per_sigma) {
  const double width = 1.0 / per_sigma;
  std::vector<double> g(number_of_rings);
  for (std::size_t i = 0; i < g.size(); ++i) {
    const double ring = std::numbers::pi * width * width * (2 * static_cast<double>(i) + 1);
    g[i] = static_cast<double>(pairs[i]) / (particles * particles / area * ring);
  }
  return g;
}

/// Half of the cells within reach of a cell, the cell itself included, such that every pair of disks is found once.
struct CellsInReach {
  Geometry g;
  int columns, rows;  ///< reach to either side

  explicit CellsInReach(const Geometry& geometry)
      : g(geometry),
        columns(1 + static_cast<int>(ring_reach / static_cast<double>(g.cell_width()))),
        rows(1 + static_cast<int>(ring_reach / static_cast<double>(g.cell_height()))) {}

  /// Whether a disk `i` columns and `j` rows away can be within reach.
  KOKKOS_FORCEINLINE_FUNCTION bool have(int i, int j) const {
    const double x = gap(i) * static_cast<double>(g.cell_width()), y = gap(j) * static_cast<double>(g.cell_height());
    return x * x + y * y < ring_reach * ring_reach;
  }
  KOKKOS_FORCEINLINE_FUNCTION static int wrap(int at, int length) {
    const int rest = at % length;
    return rest < 0 ? rest + length : rest;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static int gap(int cells) { return cells > 1 ? cells - 1 : cells < -1 ? -cells - 1 : 0; }
};

/// Adds the pairs of the disks in cell (x, y) of a replica, as defined by CellsInReach, to the histogram of a team.
template <bool one_lane, class MemorySpace>
KOKKOS_FUNCTION void count_pairs_of_cell(const Cells<MemorySpace>& cells, const CellsInReach& reach, int replica, int x,
                                         int y, std::uint32_t* histogram) {
  const Geometry& g = reach.g;
  const std::int64_t cell = g.index(replica, x, y);
  const int own = g.owns(x, y) ? cells.counts(cell) : 0;
  if (own == 0) return;
  Position disks[most_in_a_cell];
  for (int a = 0; a < own; ++a) disks[a] = cells.position(a, cell);
  const double w = g.cell_width(), h = g.cell_height();
  for (int j = 0; j <= reach.rows; ++j) {
    const int row = CellsInReach::wrap(y + j, g.rows);
    for (int i = j == 0 ? 0 : -reach.columns; i <= reach.columns; ++i) {
      if (!reach.have(i, j)) continue;
      const std::int64_t there = g.index(replica, CellsInReach::wrap(x + i, g.columns), row);
      const int others = cells.counts(there);
      for (int b = 0; b < others; ++b) {
        const Position q = cells.position(b, there);
        const double qx = double{q.x} + i * w, qy = double{q.y} + j * h;
        const int before = i == 0 && j == 0 ? b : own;
        for (int a = 0; a < before; ++a) {
          const double dx = qx - double{disks[a].x}, dy = qy - double{disks[a].y};
          const double square = dx * dx + dy * dy;
          if (square >= ring_reach * ring_reach) continue;
          std::uint32_t& pairs = histogram[ring_of(square, rings_per_sigma)];
          if constexpr (one_lane)
            ++pairs;
          else
            Kokkos::atomic_inc(&pairs);
        }
      }
    }
  }
}

/// g(r) of the present disks of each replica, [replicas * rings]. All `ranks` that share the grid call this, and get
/// g(r) of the whole system.
template <class ExecutionSpace, class MemorySpace>
std::vector<double> pair_distribution(const ExecutionSpace& space, const Cells<MemorySpace>& cells,
                                      std::int64_t particles, const parallel::Communicator& ranks = {}) {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
  using Member = typename Policy::member_type;
  constexpr bool host = runs_on_host<ExecutionSpace>;
  constexpr int lanes = host ? 1 : 128, per_team = host ? 256 : 512;
  const Geometry g = cells.geometry;
  const CellsInReach reach(g);
  const int teams = (g.cells() + per_team - 1) / per_team;
  const Kokkos::View<std::uint64_t* [rings], Kokkos::LayoutRight, MemorySpace> pairs(
      "tessera::disks::pairs_in_rings", static_cast<std::size_t>(g.replicas));
  Kokkos::parallel_for(
      "tessera::disks::pair_distribution",
      with_scratch(Policy(space, teams * g.replicas, lanes), sizeof(std::uint32_t) * rings, alignof(std::uint32_t)),
      KOKKOS_LAMBDA(const Member& team) {
        const int replica = team.league_rank() / teams;
        const int begin = (team.league_rank() - replica * teams) * per_team;
        auto* const histogram = scratch_array<std::uint32_t>(team, rings);
        for (int i = team.team_rank(); i < rings; i += lanes) histogram[i] = 0;
        team.team_barrier();
        for (int c = begin + team.team_rank(); c < begin + per_team && c < g.cells(); c += lanes) {
          const int y = c / g.columns;
          count_pairs_of_cell<lanes == 1>(cells, reach, replica, g.column(c - y * g.columns), y, histogram);
        }
        team.team_barrier();
        for (int i = team.team_rank(); i < rings; i += lanes)
          if (histogram[i] != 0) Kokkos::atomic_add(&pairs(replica, i), 2 * std::uint64_t{histogram[i]});
      });
  const auto on_host = Kokkos::create_mirror_view(pairs);
  Kokkos::deep_copy(space, on_host, pairs);
  space.fence("tessera::disks::pair_distribution");
  ranks.sum(std::span(on_host.data(), on_host.size()));
  std::vector<double> all;
  all.reserve(on_host.size());
  for (std::size_t r = 0; r < on_host.extent(0); ++r) {
    const auto one = pair_distribution(&on_host(r, 0), rings, static_cast<double>(particles), g.box_x() * g.box_y(),
                                       rings_per_sigma);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

}  // namespace tessera::disks
