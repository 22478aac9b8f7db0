// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <Kokkos_Graph.hpp>
#include <cstdint>
#include <string>
#include <tessera/core/known_divisor.hpp>
#include <tessera/core/lanes.hpp>
#include <tessera/disks/lane_update.hpp>
#include <tessera/disks/shift_cells.hpp>
#include <tessera/disks/state.hpp>
#include <tessera/disks/sweep_plan.hpp>

/// Sweeps as a GPU makes them: a lane for each active cell, in teams of one warp.
namespace tessera::disks {

inline constexpr int warp_lanes = 32;
/// Bounds the registers of a lane to 80, so that a multiprocessor holds 24 such teams. (Stated as so many teams at
/// least, the bound would be refused by GPUs with less scratch.)
using WarpBounds = Kokkos::LaunchBounds<24 * warp_lanes, 1>;

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
inline int cells_of_lane(const Geometry& g, int moves) {
  return g.cells() >= 4 * warp_lanes * (1 << 15) && moves < 512 ? 4 : 1;
}

/// Updates the cells of the checkerboard set whose turn it is in each replica, `cells_each` by a lane, with which a
/// team makes less than 2^16 moves. `launch`: LaunchNow or LaunchInGraph.
template <class ExecutionSpace, class Launch, class MemorySpace, class Plans, class Radii>
void update_set_by_lanes(const ExecutionSpace& space, const Launch& launch, const Cells<MemorySpace>& cells,
                         const Plans& plans, const MoveRules& common, const Radii& radii,
                         const MoveParts<MemorySpace>& parts, int sweep, int sub_sweep, int cells_each) {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace, WarpBounds>;
  using Member = typename Policy::member_type;
  const Geometry g = cells.geometry;
  const int in_row = g.columns / 2, active = in_row * (g.rows / 2);
  const int of_team = warp_lanes * cells_each, teams = (active + of_team - 1) / of_team;
  const auto plans_now = Kokkos::subview(plans, sweep, Kokkos::ALL);
  constexpr std::size_t bytes = warp_lanes * LaneList::bytes_a_lane;
  const KnownDivisor by_teams(teams), by_row(in_row);
  launch(
      "tessera::disks::update_set",
      Policy(space, teams * g.replicas, warp_lanes)
          .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(bytes + alignof(Position)))),
      KOKKOS_LAMBDA(const Member& team) {
        const int replica = by_teams.quotient(team.league_rank());
        const int team_of_replica = team.league_rank() - replica * teams;
        const int lane = team.team_rank();
        auto* const data = static_cast<Position*>(team.team_scratch(0).get_shmem_aligned(bytes, alignof(Position)));
        const LaneList list{data + lane, reinterpret_cast<SquarePoint*>(data + LaneList::size * warp_lanes) + lane,
                            warp_lanes};
        const SweepPlan& plan = plans_now(replica);
        const int set = plan.order[sub_sweep];
        const std::uint64_t key = plan.key;
        const MoveRules rules{common.moves, radii(replica), common.shuffle_particles};
        std::uint32_t both = 0;
        for (int i = 0; i < cells_each; ++i) {
          const int a = team_of_replica * of_team + i * warp_lanes + lane;
          if (a >= active) break;
          const int row = by_row.quotient(a);
          const MoveCount one = update_cell_by_lane(cells, key, rules, replica, 2 * (a - row * in_row) + (set & 1),
                                                    2 * row + (set >> 1), list);
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

/// Algorithm 4 for one cell, as shift_cell(), with all loads that most cells need under way at once.
template <bool along_x, class MemorySpace>
KOKKOS_FORCEINLINE_FUNCTION void shift_cell_by_lane(const Cells<MemorySpace>& from, const Cells<MemorySpace>& to,
                                                    const SweepPlan& plan, int cell, int neighbour) {
  const Geometry& g = from.geometry;
  const CoordinateShift shift(plan, along_x, g);
  const int slot_stride = static_cast<int>(g.all_cells());
  const Position* const own = from.positions.data() + cell;
  const Position* const others = from.positions.data() + neighbour;
  Position* const written = to.positions.data() + cell;
  const int number_own = from.counts(cell), number_others = from.counts(neighbour);
  const Position own_lower = own[0], own_upper = own[slot_stride];
  const Position others_lower = others[0], others_upper = others[slot_stride];
  // Under way before any of these is looked at.
  Position own_third{}, others_third{};
  if (number_own > 2) own_third = own[2 * slot_stride];
  if (number_others > 2) others_third = others[2 * slot_stride];
  Position kept[most_in_a_cell] = {};
  int n = 0;
  const auto moved = [&](const Position& p) { return (along_x ? p.x : p.y) + shift.change; };
  const auto stays = [&](float coordinate) { return coordinate >= 0 && coordinate < shift.side; };
  // In registers first: written one by one, disks would be parts of many lines of memory.
  const auto add = [&](const Position& p, float coordinate, bool there) {
    const Position here = along_x ? Position{coordinate, p.y} : Position{p.x, coordinate};
    for (int slot = 0; slot < most_in_a_cell; ++slot) kept[slot] = there && n == slot ? here : kept[slot];
    n += static_cast<int>(there);
  };
  const auto keep = [&](const Position& p, bool there) {
    const float coordinate = moved(p);
    add(p, coordinate, there && stays(coordinate));
  };
  const auto take = [&](const Position& p, bool there) {
    const float coordinate = moved(p);
    add(p, coordinate + shift.entering, there && !stays(coordinate));
  };
  keep(own_lower, number_own > 0);
  keep(own_upper, number_own > 1);
  keep(own_third, number_own > 2);
  if (number_own > 3) keep(own[3 * slot_stride], true);
  take(others_lower, number_others > 0);
  take(others_upper, number_others > 1);
  take(others_third, number_others > 2);
  if (number_others > 3) take(others[3 * slot_stride], true);
  if (n > most_in_a_cell) Kokkos::abort("tessera::disks: more than four disks in a cell, so that some of them overlap");
  written[0] = kept[0];  // whole lines of memory, whether there is a disk or not
  written[slot_stride] = kept[1];
  if (n > 2) written[2 * slot_stride] = kept[2];
  if (n > 3) written[3 * slot_stride] = kept[3];
  to.counts(cell) = static_cast<std::uint8_t>(n);
}

/// Shifts all cells from one buffer into the other; launch as for update_set_by_lanes().
template <class ExecutionSpace, class Launch, class MemorySpace, class Plans>
void shift_cells_by_lanes(const ExecutionSpace& space, const Launch& launch, const Cells<MemorySpace>& from,
                          const Cells<MemorySpace>& to, const Plans& plans, int sweep) {
  const Geometry g = from.geometry;
  const KnownDivisor by_columns(g.columns), by_rows(g.rows);
  const auto plans_now = Kokkos::subview(plans, sweep, Kokkos::ALL);
  launch(
      "tessera::disks::shift_cells",
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<int>>(space, 0, static_cast<int>(g.all_cells())),
      KOKKOS_LAMBDA(int cell) {
        const int row = by_columns.quotient(cell), replica = by_rows.quotient(row);
        const int x = g.column(cell - row * g.columns), y = row - replica * g.rows;
        const SweepPlan& plan = plans_now(replica);
        const int ahead = (plan.direction & 1) != 0 ? 1 : -1;
        if (plan.direction < 2) {
          shift_cell_by_lane<true>(from, to, plan, cell, row * g.columns + g.stored_column(g.wrap_column(x + ahead)));
        } else {
          const int other_row = replica * g.rows + g.wrap_row(y + ahead);
          shift_cell_by_lane<false>(from, to, plan, cell, cell + (other_row - row) * g.columns);
        }
      });
}

}  // namespace tessera::disks
