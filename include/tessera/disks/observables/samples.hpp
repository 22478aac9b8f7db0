// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/kokkos_ext/runs_on_host.hpp>
#include <tessera/core/kokkos_ext/scratch.hpp>
#include <tessera/disks/observables/bond_order.hpp>
#include <tessera/disks/overlap.hpp>
#include <tessera/disks/state.hpp>
#include <vector>

namespace tessera::disks {

/// What is taken of a configuration of one replica.
struct Sample {
  std::vector<std::uint64_t> pairs;  ///< by distance, in PairBins, each pair once
  double psi6_re = 0, psi6_im = 0;   ///< global orientational order: mean over all disks of that of the disk
};

/// Takes samples on an execution space; the memory for them lives as long as this does.
template <class ExecutionSpace>
class Sampler {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;

  Sampler(const ExecutionSpace& space, int replicas, PairBins bins)
      : space_(space),
        bins_(bins),
        pairs_("tessera::disks::pairs", static_cast<std::size_t>(replicas), PairBins::count),
        order_("tessera::disks::order", static_cast<std::size_t>(replicas), 2) {}

  /// One sample per replica of `particles` disks.
  std::vector<Sample> operator()(const Cells<MemorySpace>& cells, std::int64_t particles) const {
    Kokkos::deep_copy(space_, pairs_, std::uint64_t{0});
    Kokkos::deep_copy(space_, order_, std::int64_t{0});
    count(cells);
    const auto pairs = Kokkos::create_mirror_view(pairs_);
    const auto order = Kokkos::create_mirror_view(order_);
    Kokkos::deep_copy(space_, pairs, pairs_);
    Kokkos::deep_copy(space_, order, order_);
    space_.fence("tessera::disks::sample");
    std::vector<Sample> samples(pairs.extent(0));
    for (std::size_t r = 0; r < samples.size(); ++r) {
      samples[r].pairs.assign(&pairs(r, 0), &pairs(r, 0) + PairBins::count);
      const double all = fixed_point * static_cast<double>(particles);
      samples[r].psi6_re = static_cast<double>(order(r, 0)) / all;
      samples[r].psi6_im = static_cast<double>(order(r, 1)) / all;
    }
    return samples;
  }

  // Public for CUDA, which makes no kernel of a private function.
  /// A disk's neighbours are in the 25 cells around it; every pair is found from both of its disks.
  void count(const Cells<MemorySpace>& cells) const {
    using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
    using Member = typename Policy::member_type;
    constexpr bool host = runs_on_host<ExecutionSpace>;
    constexpr int lanes = host ? 1 : 128, per_team = host ? 256 : 512;
    constexpr int bins = PairBins::count;
    const PairBins bin_of = bins_;
    const Geometry g = cells.geometry;
    const int teams = (g.cells() + per_team - 1) / per_team;
    const auto pairs = pairs_;
    const auto order = order_;
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
            sample_cell(cells, bin_of, replica, c, histogram, re, im);
          team.team_barrier();
          for (int i = team.team_rank(); i < bins; i += lanes)
            if (histogram[i] != 0) Kokkos::atomic_add(&pairs(replica, i), std::uint64_t{histogram[i]});
          if (lanes > 1) {
            team.team_reduce(Kokkos::Sum<std::int64_t>(re));
            team.team_reduce(Kokkos::Sum<std::int64_t>(im));
          }
          Kokkos::single(Kokkos::PerTeam(team), [&] {
            Kokkos::atomic_add(&order(replica, 0), re);
            Kokkos::atomic_add(&order(replica, 1), im);
          });
        });
  }

 private:
  /// Cell number `at` of a periodic line, at most two cells beyond its ends.
  KOKKOS_FORCEINLINE_FUNCTION static int wrap(int at, int length) {
    while (at < 0) at += length;
    while (at >= length) at -= length;
    return at;
  }

  /// The disks of the cell stored at `c` of the replica, all of them with one disk of the cells around after the other.
  KOKKOS_FUNCTION static void sample_cell(const Cells<MemorySpace>& cells, const PairBins& bin_of, int replica, int c,
                                          std::uint32_t* histogram, std::int64_t& re, std::int64_t& im) {
    const Geometry& g = cells.geometry;
    const std::int64_t cell = std::int64_t{replica} * g.cells() + c;
    const int own = cells.counts(cell);
    if (own == 0) return;
    const int y = c / g.columns, x = g.column(c - y * g.columns);
    const double end = bin_of.end();
    constexpr auto about_reach = static_cast<float>(neighbour_distance * neighbour_distance * (1 + 1e-5));
    Position disks[most_in_a_cell];
    double cosines[most_in_a_cell] = {}, sines[most_in_a_cell] = {};
    int neighbours[most_in_a_cell] = {};
    // Cells two away are in reach of few disks.
    const float w = g.cell_width(), h = g.cell_height();
    int left = -1, right = 1, below = -1, above = 1;
    for (int a = 0; a < most_in_a_cell; ++a) {
      disks[a] = cells.position(a < own ? a : 0, cell);
      if (disks[a].x + w < neighbour_distance) left = -2;
      if (2 * w - disks[a].x < neighbour_distance) right = 2;
      if (disks[a].y + h < neighbour_distance) below = -2;
      if (2 * h - disks[a].y < neighbour_distance) above = 2;
    }
    for (int j = below; j <= above; ++j) {
      const int row = wrap(y + j, g.rows);
      for (int i = left; i <= right; ++i) {
        const std::int64_t there = g.index(replica, wrap(x + i, g.columns), row);
        const int others = cells.counts(there);
        for (int b = 0; b < others; ++b) {
          const Position q = cells.position(b, there);
          for (int a = 0; a < most_in_a_cell; ++a) {
            if (a >= own) break;
            // Exact in floats where it matters (geometry.hpp), and most are too far away.
            const float near_x = q.x - disks[a].x + static_cast<float>(i) * w;
            const float near_y = q.y - disks[a].y + static_cast<float>(j) * h;
            if (about_square(near_x, near_y) > about_reach) continue;
            const double dx = near_x, dy = near_y, square = dx * dx + dy * dy;
            if (square >= neighbour_distance * neighbour_distance) continue;
            if (i == 0 && j == 0 && a == b) continue;
            const SixFold direction = six_fold(dx, dy, square);
            cosines[a] += direction.cosine;
            sines[a] += direction.sine;
            ++neighbours[a];
            const bool once = j > 0 || (j == 0 && (i > 0 || (i == 0 && b > a)));
            if (!once || square >= end) continue;
            const int bin = bin_of(square);
            if (bin < PairBins::count) Kokkos::atomic_inc(&histogram[bin]);
          }
        }
      }
    }
    for (int a = 0; a < most_in_a_cell; ++a) {
      if (a >= own || neighbours[a] == 0) continue;
      re += to_fixed_point(cosines[a] / neighbours[a]);
      im += to_fixed_point(sines[a] / neighbours[a]);
    }
  }

  ExecutionSpace space_;
  PairBins bins_;
  Kokkos::View<std::uint64_t**, Kokkos::LayoutRight, MemorySpace> pairs_;
  Kokkos::View<std::int64_t**, Kokkos::LayoutRight, MemorySpace> order_;
};

}  // namespace tessera::disks
