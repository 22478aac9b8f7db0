// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <Kokkos_Graph.hpp>
#include <cstdint>
#include <string>
#include <tessera/core/known_divisor.hpp>
#include <tessera/core/lanes.hpp>
#include <tessera/core/runs_on_host.hpp>
#include <tessera/disks/lane_shift.hpp>
#include <tessera/disks/lane_update.hpp>
#include <tessera/disks/state.hpp>
#include <tessera/disks/sweep_plan.hpp>

/// Sweeps as a GPU makes them, on disks in pairs: a lane for each active cell, in teams of one warp.
namespace tessera::disks {

/// A host, on which this is for tests, has warps of one lane.
template <class ExecutionSpace>
inline constexpr int warp_lanes = runs_on_host<ExecutionSpace> ? 1 : 32;

/// Bounds the registers of a lane to 80, so that a multiprocessor holds 24 such teams. (Stated as so many teams at
/// least, the bound would be refused by GPUs with less scratch.)
using WarpBounds = Kokkos::LaunchBounds<24 * 32, 1>;

/// Trial moves of a replica in parts, [replica][part], so that not all teams add to the same number.
template <class MemorySpace>
using MoveParts = Kokkos::View<MoveCount**, Kokkos::LayoutRight, MemorySpace>;
inline constexpr int move_parts = 32;

/// Launches kernels.
struct LaunchNow {
  template <class Policy, class Kernel>
  void operator()(const char* label, const Policy& policy, const Kernel& kernel) const {
    Kokkos::parallel_for(label, policy, kernel);
  }
};

/// Makes kernels the nodes of a graph, one after the other.
template <class ExecutionSpace>
struct LaunchInGraph {
  mutable Kokkos::Experimental::GraphNodeRef<ExecutionSpace> last;
  template <class Policy, class Kernel>
  void operator()(const char* label, const Policy& policy, const Kernel& kernel) const {
    last = last.then_parallel_for(std::string(label), policy, kernel);
  }
};

/// Cells that a lane should update one after the other: several where there are so many that a GPU is busy with a
/// fraction of them, so that what a team begins with is paid for once.
inline int cells_of_lane(const Geometry& g, int moves) { return g.cells() >= (1 << 22) && moves < 512 ? 4 : 1; }

/// Updates the cells of the checkerboard set whose turn it is in each replica, `cells_each` by a lane, with which a
/// team makes less than 2^16 moves. `launch`: LaunchNow or LaunchInGraph.
template <class ExecutionSpace, class Launch, class MemorySpace, class Plans, class Radii>
void update_set_by_lanes(const ExecutionSpace& space, const Launch& launch, const Cells<MemorySpace>& cells,
                         const Plans& plans, const MoveRules& common, const Radii& radii,
                         const MoveParts<MemorySpace>& parts, int sweep, int sub_sweep, int cells_each) {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace, WarpBounds>;
  using Member = typename Policy::member_type;
  constexpr int lanes = warp_lanes<ExecutionSpace>;
  constexpr std::size_t bytes = lanes * LaneList<lanes>::bytes_a_lane;
  const Geometry g = cells.geometry;
  const PairArray pairs(cells);
  const int in_row = g.columns / 2, active = in_row * (g.rows / 2);
  const int of_team = lanes * cells_each, teams = (active + of_team - 1) / of_team;
  const auto plans_now = Kokkos::subview(plans, sweep, Kokkos::ALL);
  const KnownDivisor by_teams(teams), by_row(in_row);
  launch(
      "tessera::disks::update_set",
      Policy(space, teams * g.replicas, lanes)
          .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(bytes + alignof(Position)))),
      KOKKOS_LAMBDA(const Member& team) {
        const int replica = by_teams.quotient(team.league_rank());
        const int team_of_replica = team.league_rank() - replica * teams;
        const int lane = team.team_rank();
        const LaneList<lanes> list(team.team_scratch(0).get_shmem_aligned(bytes, alignof(Position)), lane);
        const SweepPlan& plan = plans_now(replica);
        const int set = plan.order[sub_sweep];
        const std::uint64_t key = plan.key;
        const MoveRules rules{common.moves, radii(replica), common.shuffle_particles};
        std::uint32_t both = 0;
        for (int i = 0; i < cells_each; ++i) {
          const int a = team_of_replica * of_team + i * lanes + lane;
          if (a >= active) break;
          const int row = by_row.quotient(a);
          const ActiveCell cell(g, replica, a - row * in_row, set & 1, 2 * row + (set >> 1));
          const MoveCount one = update_cell_by_lane(pairs, g, key, rules, cell, list);
          both += static_cast<std::uint32_t>((one.tried << 16) | one.accepted);
        }
        both = sum_over_lanes(team, both);
        if (lane != 0) return;
        MoveCount& part = parts(replica, team_of_replica % move_parts);
        Kokkos::atomic_add(&part.tried, std::uint64_t{both >> 16});
        Kokkos::atomic_add(&part.accepted, std::uint64_t{both & 0xffffu});
      });
}

/// Adds the parts to the moves of the replicas, and sets them to zero.
template <class ExecutionSpace, class MemorySpace, class Moves>
void collect_moves(const ExecutionSpace& space, const MoveParts<MemorySpace>& parts, const Moves& moves) {
  Kokkos::parallel_for(
      "tessera::disks::collect_moves", Kokkos::RangePolicy<ExecutionSpace>(space, 0, moves.extent(0)),
      KOKKOS_LAMBDA(std::size_t r) {
        for (std::size_t part = 0; part < parts.extent(1); ++part) {
          moves(r).tried += parts(r, part).tried;
          moves(r).accepted += parts(r, part).accepted;
          parts(r, part) = MoveCount{};
        }
      });
}

/// Shifts all cells from one buffer into the other; launch as for update_set_by_lanes().
template <class ExecutionSpace, class Launch, class MemorySpace, class Plans>
void shift_cells_by_lanes(const ExecutionSpace& space, const Launch& launch, const Cells<MemorySpace>& from,
                          const Cells<MemorySpace>& to, const Plans& plans, int sweep) {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
  using Member = typename Policy::member_type;
  constexpr int lanes = runs_on_host<ExecutionSpace> ? 1 : 128;
  constexpr std::size_t bytes = lanes * ShiftedList<lanes>::bytes_a_lane;
  const Geometry g = from.geometry;
  const PairArray read(from), written(to);
  std::uint8_t* const counts = to.counts.data();
  const int of_replica = g.cells() / 2, all = of_replica * g.replicas, half = g.columns / 2;
  const KnownDivisor by_replica(of_replica), by_half(half), by_columns(g.columns);
  const auto plans_now = Kokkos::subview(plans, sweep, Kokkos::ALL);
  launch(
      "tessera::disks::shift_cells",
      Policy(space, (all + lanes - 1) / lanes, lanes)
          .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(bytes + alignof(Position)))),
      KOKKOS_LAMBDA(const Member& team) {
        const int i = team.league_rank() * lanes + team.team_rank();
        if (i >= all) return;
        auto* const data = static_cast<Position*>(team.team_scratch(0).get_shmem_aligned(bytes, alignof(Position)));
        const ShiftedList<lanes> list{data + team.team_rank()};
        const int replica = by_replica.quotient(i), number = i - replica * of_replica;
        const SweepPlan& plan = plans_now(replica);
        if (plan.direction < 2) {
          const CoordinateShift shift(plan, true, g);
          const int row = by_half.quotient(number);
          const auto line = CellsInLine::of_row(g, replica, row, number - row * half, shift.forward);
          shift_cells_by_lane<true>(read, written, counts, shift, line, list);
        } else {
          const CoordinateShift shift(plan, false, g);
          const int pair = by_columns.quotient(number);
          const auto line = CellsInLine::of_column(g, replica, number - pair * g.columns, pair, shift.forward);
          shift_cells_by_lane<false>(read, written, counts, shift, line, list);
        }
      });
}

}  // namespace tessera::disks
