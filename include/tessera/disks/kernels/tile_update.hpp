// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/kokkos_ext/lanes.hpp>
#include <tessera/disks/kernels/held_disks.hpp>
#include <tessera/disks/kernels/tile.hpp>
#include <tessera/disks/kernels/update_cell.hpp>
#include <tessera/disks/state/state.hpp>
#include <tessera/disks/state/sweep_plan.hpp>
#include <tessera/disks/state/trial_moves.hpp>

/// Algorithm 2 in a team's memory, with one or more lanes per active cell.
namespace tessera::disks {

/// Offset of neighbour m = 0 .. 7 of a cell; 0 .. 3 and 4 .. 7 are on opposite sides.
struct Neighbour {
  int x, y;
  KOKKOS_FORCEINLINE_FUNCTION explicit Neighbour(int m) {
    const int side = m < 4 ? -1 : 1, place = m & 3;
    x = place < 3 ? place - 1 : side;
    y = place < 3 ? side : 0;
  }
};

/// An active cell whose disks and neighbours are distributed over the registers of `lanes_per_cell` GPU lanes. All
/// loops have a fixed length, so that lanes do not diverge. All lanes of a warp update cells together.
template <int lanes_per_cell>
struct LaneCell : HeldDisks<LaneCell<lanes_per_cell>> {
  using Index = int;
  using Mask = bool;
  using Groups = LaneGroups<lanes_per_cell>;
  static constexpr int neighbours = 8 / lanes_per_cell, chains = 4;
  static constexpr int number_near = neighbours * most_in_a_cell, number_own = most_in_a_cell / lanes_per_cell;

  int lane, part;  ///< lane of the warp, and its number among the lanes of the cell
  int disks;
  DiskAtHand<float> near_disks[number_near], own_disks[number_own];

  KOKKOS_FORCEINLINE_FUNCTION LaneCell(int rank, int number)
      : lane(rank % Groups::warp), part(lane / Groups::groups), disks(number) {}

  KOKKOS_FORCEINLINE_FUNCTION static constexpr int near_count() { return number_near; }
  KOKKOS_FORCEINLINE_FUNCTION const DiskAtHand<float>& near(int k) const { return near_disks[k]; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int own_count() { return number_own; }
  KOKKOS_FORCEINLINE_FUNCTION DiskAtHand<float>& own(int i) { return own_disks[i]; }
  KOKKOS_FORCEINLINE_FUNCTION const DiskAtHand<float>& own(int i) const { return own_disks[i]; }
  KOKKOS_FORCEINLINE_FUNCTION int own_number(int i) const { return part * number_own + i; }

  KOKKOS_FORCEINLINE_FUNCTION Position take(int moved) const {
    Position p{own_disks[0].x, own_disks[0].y};
    for (int i = 1; i < number_own; ++i) p = moved % number_own == i ? Position{own_disks[i].x, own_disks[i].y} : p;
    return {Groups::from(lane, p.x, moved / number_own), Groups::from(lane, p.y, moved / number_own)};
  }
  KOKKOS_FORCEINLINE_FUNCTION int next(int moved) const { return moved + 1 == disks ? 0 : moved + 1; }
  KOKKOS_FORCEINLINE_FUNCTION bool all(bool free) const { return !Groups::any(lane, !free); }
};

/// Draws the random numbers of all active cells, also empty ones, of sub-sweeps first .. end - 1.
template <class Team, class Region>
KOKKOS_FORCEINLINE_FUNCTION void draw_for_tile(const Team& team, const TileMemory& memory, const TileLayout& layout,
                                               const Region& region, const Geometry& g, const SweepPlan& plan,
                                               const MoveRules& rules, int first, int end) {
  const int all = layout.all_active;
  // layout.before[0] is 0, and layout.after[3] is `all`.
  const int from = first > 0 ? layout.before[first] : 0, to = end < 4 ? layout.after[end - 1] : all;
  for (int i = from + team.team_rank(); i < to; i += team.team_size()) {
    int k = first, before = from;
    for (int next = first + 1; next < end; ++next)
      if (i >= layout.before[next]) {
        k = next;
        before = layout.before[next];
      }
    const ActiveInRegion sub = region.active(layout, k, plan.set(k));
    const int a = i - before, row = sub.by_row.quotient(a);
    if (a >= sub.number) continue;
    const int x = region.x + sub.first_x + 2 * (a - row * sub.in_row), y = region.y + sub.first_y + 2 * row;
    Stream stream = cell_stream(plan.key, g.number_in_grid(x, y));
    if (rules.shuffle_particles) memory.fractions[i] = static_cast<std::uint32_t>(stream.draw() >> 32);
    Position* const displacements = memory.displacements + i;
    find_points(stream, rules.moves, [&](int move, const SquarePoint& point) {
      if (move < rules.moves) displacements[move * all] = point.displacement(rules.radius);
    });
  }
}

/// An active cell in a team's memory.
struct CellInTile {
  int x, y, index;
  int number;  ///< among the active cells of the sweep
  int disks;   ///< 0 if lanes only take part
};

/// The displacements drawn for a cell by draw_for_tile().
struct DrawnMoves {
  const Position* first;
  int next;
  KOKKOS_FORCEINLINE_FUNCTION void draw(int, int) const {}
  KOKKOS_FORCEINLINE_FUNCTION Position displacement(int s) const { return first[s * next]; }
};

/// Shuffles the disks of a cell and makes its trial moves; returns the number accepted. Collective in a warp.
template <int lanes_per_cell, class Region, class Team>
KOKKOS_FORCEINLINE_FUNCTION int move_disks(const Team& team, const TileMemory& memory, const TileLayout& layout,
                                           const Geometry& g, const MoveRules& rules, const CellInTile& at) {
  LaneCell<lanes_per_cell> cell(team.team_rank(), at.disks);
  const float w = g.cell_width(), h = g.cell_height();
  for (int m = 0; m < cell.neighbours; ++m) {
    const Neighbour neighbour(cell.part * cell.neighbours + m);
    const Position* const p = memory.disks + Region::index(layout, at.x + neighbour.x, at.y + neighbour.y);
    const float offset_x = static_cast<float>(neighbour.x) * w, offset_y = static_cast<float>(neighbour.y) * h;
    for (int slot = 0; slot < most_in_a_cell; ++slot) {
      const Position disk = p[slot * layout.room];
      cell.near_disks[m * most_in_a_cell + slot].put(disk.x + offset_x, disk.y + offset_y);
    }
  }
  int slots[most_in_a_cell] = {0, 1, 2, 3};
  if (rules.shuffle_particles) shuffle(slots, most_in_a_cell, cell.disks, memory.fractions[at.number]);
  for (int i = 0; i < cell.number_own; ++i) {
    int slot = slots[i];
    for (int part = 1; part < lanes_per_cell; ++part)
      slot = cell.part == part ? slots[part * cell.number_own + i] : slot;
    // Lanes without a cell must not read one that other lanes write.
    const Position p = cell.disks > 0 ? memory.disks[slot * layout.room + at.index] : nowhere;
    cell.own_disks[i].put(p.x, p.y);
  }
  sync_lanes(team);  // all lanes have read before any lane writes
  DrawnMoves drawn{memory.displacements + at.number, layout.all_active};
  const int accepted = make_trial_moves(cell, g, rules.moves, drawn);
  if (cell.disks > 0)
    for (int i = 0; i < cell.number_own; ++i)
      memory.disks[cell.own_number(i) * layout.room + at.index] = {cell.own_disks[i].x, cell.own_disks[i].y};
  return accepted;
}

}  // namespace tessera::disks
