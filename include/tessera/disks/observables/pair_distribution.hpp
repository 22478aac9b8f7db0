// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tessera/core/host_array.hpp>
#include <tessera/core/kokkos_ext/team_scratch.hpp>
#include <tessera/disks/observables/bond_order.hpp>
#include <tessera/disks/state/state.hpp>
#include <tessera/parallel/array_transfer.hpp>
#include <vector>

namespace tessera::disks {

/// Half of the cells within reach of a cell, itself included, so that every pair of disks is found once.
struct CellsInReach {
  Geometry g;
  Rings rings;
  double square;      ///< of the reach
  int columns, rows;  ///< of the cells within reach, to either side

  CellsInReach(const Geometry& geometry, const Rings& r)
      : g(geometry),
        rings(r),
        square(r.reach() * r.reach()),
        columns(1 + static_cast<int>(r.reach() / static_cast<double>(g.cell_width()))),
        rows(1 + static_cast<int>(r.reach() / static_cast<double>(g.cell_height()))) {}

  /// Whether a disk in a cell `i` columns and `j` rows away can be within reach.
  KOKKOS_FORCEINLINE_FUNCTION bool have(int i, int j) const {
    const double x = gap(i) * static_cast<double>(g.cell_width()), y = gap(j) * static_cast<double>(g.cell_height());
    return x * x + y * y < square;
  }
  KOKKOS_FORCEINLINE_FUNCTION static int wrap(int at, int length) {
    const int rest = at % length;
    return rest < 0 ? rest + length : rest;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static int gap(int cells) { return cells > 1 ? cells - 1 : cells < -1 ? -cells - 1 : 0; }
};

/// Sums over the pairs in each ring, each pair once, [replicas, rings].
template <class MemorySpace>
struct PairSums {
  Kokkos::View<std::uint64_t**, Kokkos::LayoutRight, MemorySpace> pairs;
  /// Of order_product(); empty without orders.
  Kokkos::View<std::int64_t**, Kokkos::LayoutRight, MemorySpace> products;

  PairSums(int replicas, const Rings& rings, bool with_orders)
      : pairs("tessera::disks::pairs_in_rings", static_cast<std::size_t>(replicas),
              static_cast<std::size_t>(rings.count)),
        products("tessera::disks::orders_in_rings", static_cast<std::size_t>(with_orders ? replicas : 0),
                 static_cast<std::size_t>(rings.count)) {}
};

template <bool one_lane, class Number>
KOKKOS_FORCEINLINE_FUNCTION void add_in_team(Number& sum, Number value) {
  if constexpr (one_lane)
    sum += value;
  else
    Kokkos::atomic_add(&sum, value);
}

/// Adds the pairs of the disks in cell (x, y) with those in CellsInReach to the sums of a team.
template <bool one_lane, bool with_orders, class MemorySpace>
KOKKOS_FUNCTION void count_pairs_of_cell(const Cells<MemorySpace>& cells, const BondOrders<MemorySpace>& orders,
                                         const CellsInReach& reach, int replica, int x, int y, std::uint32_t* pairs,
                                         std::int64_t* products) {
  const Geometry& g = reach.g;
  const std::int64_t cell = g.index(replica, x, y);
  const int own = g.owns(x, y) ? cells.counts(cell) : 0;
  if (own == 0) return;
  Position disks[most_in_a_cell], own_orders[most_in_a_cell];
  for (int a = 0; a < own; ++a) {
    disks[a] = cells.position(a, cell);
    if constexpr (with_orders) own_orders[a] = orders(cells.index(a, cell));
  }
  const double w = g.cell_width(), h = g.cell_height();
  for (int j = 0; j <= reach.rows; ++j) {
    const int row = CellsInReach::wrap(y + j, g.rows);
    for (int i = j == 0 ? 0 : -reach.columns; i <= reach.columns; ++i) {
      if (!reach.have(i, j)) continue;
      const std::int64_t other_cell = g.index(replica, CellsInReach::wrap(x + i, g.columns), row);
      const int others = cells.counts(other_cell);
      for (int b = 0; b < others; ++b) {
        const Position q = cells.position(b, other_cell);
        Position order{};
        if constexpr (with_orders) order = orders(cells.index(b, other_cell));
        const double qx = double{q.x} + i * w, qy = double{q.y} + j * h;
        const int before = i == 0 && j == 0 ? b : own;
        for (int a = 0; a < before; ++a) {
          const double dx = qx - double{disks[a].x}, dy = qy - double{disks[a].y};
          const double square = dx * dx + dy * dy;
          if (square >= reach.square) continue;
          const int ring = reach.rings(square);
          if (ring >= reach.rings.count) continue;
          add_in_team<one_lane>(pairs[ring], std::uint32_t{1});
          if constexpr (with_orders) add_in_team<one_lane>(products[ring], order_product(own_orders[a], order));
        }
      }
    }
  }
}

/// Adds the pairs of the disks to `sums`; on a rank, those of disks in its own cells, whose ghosts must extend to the
/// reach. Launches at most `most_teams` teams from number `first_team` on; returns the number of all teams.
template <bool with_orders, class ExecutionSpace, class MemorySpace>
int count_pairs(const ExecutionSpace& space, const Cells<MemorySpace>& cells, const BondOrders<MemorySpace>& orders,
                const Rings& rings, const PairSums<MemorySpace>& sums, int first_team = 0,
                int most_teams = std::numeric_limits<int>::max()) {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
  using Member = typename Policy::member_type;
  constexpr bool host = runs_on_host<ExecutionSpace>;
  constexpr int lanes = host ? 1 : 128, per_team = host ? 256 : 512;
  constexpr std::size_t bytes_of_ring = sizeof(std::uint32_t) + (with_orders ? sizeof(std::int64_t) : 0);
  const Geometry g = cells.geometry;
  const CellsInReach reach(g, rings);
  const int teams = (g.cells() + per_team - 1) / per_team, count = rings.count, with = with_orders ? count : 0;
  const int all = teams * g.replicas;
  Kokkos::parallel_for(
      "tessera::disks::pair_distribution",
      with_scratch(Policy(space, std::min(most_teams, all - first_team), lanes),
                   bytes_of_ring * static_cast<std::size_t>(count), alignof(std::int64_t)),
      KOKKOS_LAMBDA(const Member& team) {
        const int replica = (first_team + team.league_rank()) / teams;
        const int begin = (first_team + team.league_rank() - replica * teams) * per_team;
        auto* const products = scratch_array<std::int64_t>(team, static_cast<std::size_t>(with));
        auto* const pairs = scratch_array<std::uint32_t>(team, static_cast<std::size_t>(count));
        for (int i = team.team_rank(); i < count; i += lanes) pairs[i] = 0;
        for (int i = team.team_rank(); i < with; i += lanes) products[i] = 0;
        team.team_barrier();
        for (int c = begin + team.team_rank(); c < begin + per_team && c < g.cells(); c += lanes) {
          const int y = c / g.columns;
          count_pairs_of_cell<lanes == 1, with_orders>(cells, orders, reach, replica, g.column(c - y * g.columns), y,
                                                       pairs, products);
        }
        team.team_barrier();
        for (int i = team.team_rank(); i < count; i += lanes)
          if (pairs[i] != 0) Kokkos::atomic_add(&sums.pairs(replica, i), std::uint64_t{pairs[i]});
        for (int i = team.team_rank(); i < with; i += lanes)
          if (products[i] != 0) Kokkos::atomic_add(&sums.products(replica, i), products[i]);
      });
  return all;
}

/// Collective. g(r) of the whole system for each replica in snapshot_rings, [replicas * rings]: equation 5 with the
/// area of the ring.
template <class ExecutionSpace, class MemorySpace>
std::vector<double> pair_distribution(const ExecutionSpace& space, const Cells<MemorySpace>& cells,
                                      std::int64_t particles, const parallel::Communicator& ranks = {}) {
  const Geometry& g = cells.geometry;
  const PairSums<MemorySpace> sums(g.replicas, snapshot_rings, false);
  count_pairs<false>(space, cells, {}, snapshot_rings, sums);
  const auto pairs = parallel::sum_on_host(space, sums.pairs, ranks);
  std::vector<double> all;
  for (int r = 0; r < g.replicas; ++r)
    for (int i = 0; i < snapshot_rings.count; ++i)
      all.push_back(2 * static_cast<double>(pairs(r, i)) /
                    ideal_pairs(snapshot_rings, i, static_cast<double>(particles), g.box_x() * g.box_y()));
  return all;
}

}  // namespace tessera::disks
