// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/analysis/exact_sums.hpp>
#include <tessera/core/host_array.hpp>
#include <tessera/core/kokkos_ext/team_scratch.hpp>
#include <tessera/disks/observables/bond_order.hpp>
#include <tessera/disks/state/state.hpp>
#include <tessera/parallel/array_transfer.hpp>
#include <vector>

namespace tessera::disks {

/// Sample of a configuration of one replica.
struct Sample {
  std::vector<std::uint64_t> pairs;  ///< in each of PairBins, each pair once
  double psi6_re = 0, psi6_im = 0;   ///< mean of psi_6 over all disks
  std::vector<std::uint64_t> disks = std::vector<std::uint64_t>(Blocks::count);  ///< in each of Blocks
};

/// Takes samples on an execution space. Collective: all ranks get those of the whole system.
template <class ExecutionSpace>
class Sampler {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;  ///< of the state

  /// `bins`: those of Sample::pairs.
  Sampler(const ExecutionSpace& space, int replicas, PairBins bins, const parallel::Communicator& ranks = {})
      : space_(space),
        bins_(bins),
        ranks_(ranks),
        pairs_("tessera::disks::pairs", static_cast<std::size_t>(replicas), PairBins::count),
        order_("tessera::disks::order", static_cast<std::size_t>(replicas)),
        disks_("tessera::disks::disks_of_blocks", static_cast<std::size_t>(replicas)) {}

  /// One sample per replica of `particles` disks. Writes psi_6 of each disk to `orders` unless it is empty.
  std::vector<Sample> take(const State<MemorySpace>& state, std::int64_t particles,
                           const BondOrders<MemorySpace>& orders = {}) const {
    Kokkos::deep_copy(space_, pairs_, std::uint64_t{0});
    Kokkos::deep_copy(space_, order_, std::uint64_t{0});
    Kokkos::deep_copy(space_, disks_, std::uint64_t{0});
    using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
    using Member = typename Policy::member_type;
    constexpr bool host = runs_on_host<ExecutionSpace>;
    constexpr int lanes = host ? 1 : 128, per_team = host ? 256 : lanes;
    constexpr int bins = PairBins::count;
    const PairBins bin_of = bins_;
    const Cells<MemorySpace> cells = state.cells;
    const Geometry g = cells.geometry;
    const int teams = (g.cells() + per_team - 1) / per_team;
    const auto origins = state.origins;
    const auto all_pairs = pairs_;
    const auto all_orders = order_;
    const auto all_disks = disks_;
    Kokkos::parallel_for(
        "tessera::disks::sample",
        with_scratch(Policy(space_, teams * g.replicas, lanes), sizeof(std::uint32_t) * bins, alignof(std::uint32_t)),
        KOKKOS_LAMBDA(const Member& team) {
          const int replica = team.league_rank() / teams;
          const int begin = (team.league_rank() - replica * teams) * per_team;
          auto* const histogram = scratch_array<std::uint32_t>(team, bins);
          for (int i = team.team_rank(); i < bins; i += lanes) histogram[i] = 0;
          team.team_barrier();
          std::int64_t re = 0, im = 0;
          for (int c = begin + team.team_rank(); c < begin + per_team && c < g.cells(); c += lanes)
            sample_cell(cells, origins(replica), orders, bin_of, replica, c, histogram, &all_disks(replica, 0), re, im);
          team.team_barrier();
          for (int i = team.team_rank(); i < bins; i += lanes)
            if (histogram[i] != 0) Kokkos::atomic_add(&all_pairs(replica, i), std::uint64_t{histogram[i]});
          if (lanes > 1) {
            team.team_reduce(Kokkos::Sum<std::int64_t>(re));
            team.team_reduce(Kokkos::Sum<std::int64_t>(im));
          }
          Kokkos::single(Kokkos::PerTeam(team), [&] {
            analysis::add_in_parts(&all_orders(replica, 0), static_cast<std::uint64_t>(re));
            analysis::add_in_parts(&all_orders(replica, 2), static_cast<std::uint64_t>(im));
          });
        });
    const auto pairs = parallel::sum_on_host(space_, pairs_, ranks_);
    const auto order = parallel::sum_on_host(space_, order_, ranks_);
    const auto disks = parallel::sum_on_host(space_, disks_, ranks_);
    std::vector<Sample> samples(pairs.extent(0));
    for (std::size_t r = 0; r < samples.size(); ++r) {
      samples[r].pairs.assign(&pairs(r, 0), &pairs(r, 0) + PairBins::count);
      samples[r].disks.assign(&disks(r, 0), &disks(r, 0) + Blocks::count);
      const double all = fixed_point * static_cast<double>(particles);
      samples[r].psi6_re = static_cast<double>(analysis::sum_of_parts(order(r, 0), order(r, 1))) / all;
      samples[r].psi6_im = static_cast<double>(analysis::sum_of_parts(order(r, 2), order(r, 3))) / all;
    }
    return samples;
  }

 private:
  /// Maximum number of neighbours of a disk: 12 circles do not fit into a circle of four times their diameter.
  static constexpr int most_neighbours = 10;

  /// Adds the disks of the cell stored at `c` in the replica.
  KOKKOS_FUNCTION static void sample_cell(const Cells<MemorySpace>& cells, const Origin& origin,
                                          const BondOrders<MemorySpace>& orders, const PairBins& bin_of, int replica,
                                          int c, std::uint32_t* histogram, std::uint64_t* disks, std::int64_t& re,
                                          std::int64_t& im) {
    const Geometry& g = cells.geometry;
    const std::int64_t cell = std::int64_t{replica} * g.cells() + c;
    const int y = c / g.columns, x = g.column(c - y * g.columns);
    const int own = g.owns(x, y) ? cells.counts(cell) : 0;
    for (int a = 0; a < own; ++a) {
      const SixFold order = sample_disk(cells, bin_of, replica, x, y, a, histogram);
      re += to_fixed_point(order.cosine);
      im += to_fixed_point(order.sine);
      const Position p = cells.position(a, cell);
      const Origin at = steps_in_box(g, g.column_in_grid(x), g.row_in_grid(y), p, origin);
      Kokkos::atomic_inc(&disks[Blocks::number(at.x * Blocks::side / g.steps_x(), at.y * Blocks::side / g.steps_y())]);
      if (orders.extent(0) > 0)
        orders(cells.index(a, cell)) = {static_cast<float>(order.cosine), static_cast<float>(order.sine)};
    }
  }

  /// Counts the pairs of disk number a of cell (x, y), and returns its psi_6. Neighbours, in the 25 cells around it,
  /// are listed first: this balances the long computation per neighbour between lanes. A pair is counted from one disk.
  KOKKOS_FUNCTION static SixFold sample_disk(const Cells<MemorySpace>& cells, const PairBins& bin_of, int replica,
                                             int x, int y, int a, std::uint32_t* histogram) {
    const Geometry& g = cells.geometry;
    const Position p = cells.position(a, g.index(replica, x, y));
    const float w = g.cell_width(), h = g.cell_height();
    constexpr auto reach = static_cast<float>(neighbour_distance);
    constexpr float about_reach = reach * reach * (1 + 1e-5f);
    const int left = p.x + w < reach ? -2 : -1, right = 2 * w - p.x < reach ? 2 : 1;
    const int below = p.y + h < reach ? -2 : -1, above = 2 * h - p.y < reach ? 2 : 1;
    Position listed[most_neighbours];
    int count = 0;
    for (int j = below; j <= above; ++j) {
      const int row = g.wrap_row(y + j);
      for (int i = left; i <= right; ++i) {
        const std::int64_t other_cell = g.index(replica, g.wrap_column(x + i), row);
        const int others = cells.counts(other_cell);
        for (int b = 0; b < others; ++b) {
          const Position q = cells.position(b, other_cell);
          // Exact in floats within the distances used (geometry.hpp).
          const float dx = q.x - p.x + static_cast<float>(i) * w, dy = q.y - p.y + static_cast<float>(j) * h;
          if (about_square(dx, dy) < about_reach && !(i == 0 && j == 0 && a == b) && count < most_neighbours)
            listed[count++] = {dx, dy};
        }
      }
    }
    double cosine = 0, sine = 0;
    int neighbours = 0;
    for (int n = 0; n < count; ++n) {
      const double dx = listed[n].x, dy = listed[n].y, square = dx * dx + dy * dy;
      if (square >= neighbour_distance * neighbour_distance) continue;
      const SixFold direction = six_fold(dx, dy, square);
      cosine += direction.cosine;
      sine += direction.sine;
      ++neighbours;
      const bool first_of_pair = dy > 0 || (dy == 0 && dx > 0);
      if (!first_of_pair || square >= bin_of.end()) continue;
      const int bin = bin_of(square);
      if (bin < PairBins::count) Kokkos::atomic_inc(&histogram[bin]);
    }
    if (neighbours == 0) return {0, 0};
    return {cosine / neighbours, sine / neighbours};
  }

  ExecutionSpace space_;
  PairBins bins_;
  parallel::Communicator ranks_;
  Kokkos::View<std::uint64_t**, Kokkos::LayoutRight, MemorySpace> pairs_;
  /// Sums of psi_6, real and imaginary, in two parts each: sums over 2^31 disks may exceed 64 bits.
  Kokkos::View<std::uint64_t* [4], Kokkos::LayoutRight, MemorySpace> order_;
  Kokkos::View<std::uint64_t * [Blocks::count], Kokkos::LayoutRight, MemorySpace> disks_;
};

}  // namespace tessera::disks
