// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/fast_divisor.hpp>
#include <tessera/core/kokkos_ext/lanes.hpp>
#include <tessera/core/kokkos_ext/team_scratch.hpp>
#include <tessera/disks/kernels/launch.hpp>
#include <tessera/disks/kernels/listed_cell.hpp>
#include <tessera/disks/kernels/neighbour_list.hpp>
#include <tessera/disks/kernels/shift_cell.hpp>
#include <tessera/disks/state/cell_layout.hpp>
#include <tessera/disks/state/state.hpp>
#include <tessera/disks/state/sweep_plan.hpp>

/// Sweeps on a GPU, on disks in pairs: a lane per active cell, in teams of one warp.
namespace tessera::disks {

/// Algorithm 4 for a GPU lane, on disks in pairs, at the end of the last sub-sweep, when no other lane changes the
/// eight neighbours of its active cell. The lane shifts a block of two by two cells, the active cell and three
/// neighbours, into another buffer; every cell is in the block of one lane.
///
/// `beside` 0: the active cell, whose disks are in `own`, and the cell behind it in the direction of the shift; 1: the
/// two cells next to these in the next row or column.
template <int lanes>
KOKKOS_FORCEINLINE_FUNCTION void shift_block(const PairArray& from, const PairArray& to, std::uint8_t* const counts,
                                             const CellShift& shift, const ActiveCell& active, int beside,
                                             const CellPairs& own, const NeighbourList<lanes>& list) {
  // The list has room for overlapping disks and for one that is not kept.
  static_assert(2 * most_in_a_cell + 1 <= NeighbourList<lanes>::size);
  int cells[3];
  CellPairs line[3];
  for (int c = 0; c < 3; ++c) {
    const int ahead = shift.forward ? c - 1 : 1 - c;
    cells[c] = shift.along_x ? active.cell(ahead, beside) : active.cell(beside, ahead);
    line[c] = {from.lower(cells[c]), {}};
  }
  if (beside == 0) line[1] = own;
  for (int c = 0; c < 3; ++c)
    if ((beside != 0 || c != 1) && holds_more_than_two(line[c].lower) != 0) line[c].upper = from.upper(cells[c]);
  for (int c = 0; c < 2; ++c) {
    int n = 0;
    const auto add = [&](bool present, const Position& p) {
      list.disk(n) = p;
      n += static_cast<int>(present);
    };
    for_each_disk(line[c], [&](const Position& p) { shift.keep(is_there(p), p, add); });
    for_each_disk(line[c + 1], [&](const Position& p) { shift.take(is_there(p), p, add); });
    if (n > most_in_a_cell)
      Kokkos::abort("tessera::disks: more than four disks in a cell, so that some of them overlap");
    to.write(cells[c], pairs_of(n, [&](int slot) { return list.disk(slot); }));
    counts[cells[c]] = static_cast<std::uint8_t>(n);
  }
}

/// Limits the registers of a lane to 72, so that a multiprocessor holds 28 teams; in the last sub-sweep to 96, with 20
/// teams. (A minimum number of teams would fail on GPUs with less shared memory.)
template <bool last>
using LaneBounds = Kokkos::LaunchBounds<(last ? 20 : 28) * 32, 1>;

/// Makes a sub-sweep of each replica with plan number `sweep`; a team makes fewer than 2^16 moves. The last sub-sweep
/// also shifts all cells into `shifted`, and leaves `cells` out of date. `launch` is LaunchNow or LaunchInGraph.
template <bool last, class ExecutionSpace, class Launch, class MemorySpace, class Plans, class Radii>
void update_set_thread_per_cell(const ExecutionSpace& space, const Launch& launch, const Cells<MemorySpace>& cells,
                                const Cells<MemorySpace>& shifted, const Plans& plans, const MoveRules& common,
                                const Radii& radii, const MoveParts<MemorySpace>& parts, int sweep, int sub_sweep) {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace, LaneBounds<last>>;
  using Member = typename Policy::member_type;
  constexpr int lanes = lanes_per_tile<ExecutionSpace>;
  constexpr std::size_t bytes = lanes * NeighbourList<lanes>::bytes_a_lane;
  const Geometry g = cells.geometry;
  const PairArray pairs(cells), written(shifted);
  std::uint8_t* const counts = shifted.counts.data();
  // Skips the outer pairs of ghost columns and rows, on which no owned cell depends: in memory they wrap around.
  const int skip_x = g.ghost_x > 0 ? 1 : 0, skip_y = g.ghost_y > 0 ? 1 : 0;
  const int in_row = g.columns / 2 - 2 * skip_x, active = in_row * (g.rows / 2 - 2 * skip_y),
            teams = (active + lanes - 1) / lanes;
  const auto plans_now = Kokkos::subview(plans, sweep, Kokkos::ALL);
  const FastDivisor by_teams(teams), by_row(in_row);
  launch(
      last ? "tessera::disks::update_set_and_shift" : "tessera::disks::update_set",
      with_scratch(Policy(space, teams * g.replicas, lanes), bytes, alignof(Position)),
      KOKKOS_LAMBDA(const Member& team) {
        const int replica = by_teams.quotient(team.league_rank()), lane = team.team_rank();
        const int team_of_replica = team.league_rank() - replica * teams, a = team_of_replica * lanes + lane;
        const bool works = a < active;
        const NeighbourList<lanes> list(scratch_array<char>(team, bytes, alignof(Position)), lane);
        const SweepPlan& plan = plans_now(replica);
        const auto active_cell = [&] {
          const int set = plan.set(sub_sweep), row = by_row.quotient(a);
          return ActiveCell(g, replica, a - row * in_row + skip_x, set & 1, 2 * (row + skip_y) + (set >> 1));
        };
        ListedCell<lanes> cell(list);
        std::uint32_t moves = 0;  // tried moves * 2^16 + accepted moves
        if (works) {
          const MoveRules rules{common.moves, radii(replica), common.shuffle_particles};
          const ActiveCell at = active_cell();
          const PairsAround around(pairs, at);
          ListedChance<lanes> chance(g, plan.key, rules, at, list);  // overlaps with these loads
          cell.read(pairs, g, at, around, rules.shuffle_particles, chance.fraction());
          if (cell.disks > 0)
            moves = (static_cast<std::uint32_t>(rules.moves) << 16) +
                    static_cast<std::uint32_t>(make_trial_moves(cell, g, rules.moves, chance));
        }
        // Recomputed to save registers for nine indices: the compiler must assume that the plan has changed.
        const ActiveCell at = active_cell();
        if (!g.owns(at.x, at.y)) moves = 0;
        sync_lanes(team);
        moves = sum_over_lanes(team, moves);
        if (lane == 0) {
          MoveCount& part = parts(replica, team_of_replica % move_parts);
          Kokkos::atomic_add(&part.tried, std::uint64_t{moves >> 16});
          Kokkos::atomic_add(&part.accepted, std::uint64_t{moves & 0xffffu});
        }
        if (!works) return;
        const CellPairs own = pairs_of(cell.disks, [&](int slot) { return cell.disk(slot); });
        if (last) {
          const CellShift shift(plan, g);
          for (const int beside : {0, 1}) shift_block(pairs, written, counts, shift, at, beside, own, list);
        } else if (cell.disks > 0) {
          pairs.write(at.cell(), own);
        }
      });
}

}  // namespace tessera::disks
