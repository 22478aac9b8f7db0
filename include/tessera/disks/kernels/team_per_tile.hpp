// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/fast_divisor.hpp>
#include <tessera/core/host_array.hpp>
#include <tessera/core/kokkos_ext/lanes.hpp>
#include <tessera/core/kokkos_ext/team_scratch.hpp>
#include <tessera/disks/kernels/launch.hpp>
#include <tessera/disks/kernels/shift_cell.hpp>
#include <tessera/disks/kernels/tile.hpp>
#include <tessera/disks/kernels/tile_update.hpp>
#include <tessera/disks/state/cell_layout.hpp>
#include <tessera/disks/state/state.hpp>
#include <tessera/disks/state/sweep_plan.hpp>

/// Sweeps of small systems on a GPU: one launch per sweep, a team per tile of cells (tile.hpp).
namespace tessera::disks {

/// Lanes per active cell; one on CPUs, where this mapping is only tested.
template <class ExecutionSpace>
inline constexpr int tile_lanes_per_cell = runs_on_host<ExecutionSpace> ? 1 : 4;

/// Maximum lanes of a team, which limits the registers of a lane. (A minimum number of teams fails on some GPUs.)
inline constexpr int most_tile_lanes = 576;

/// A cell being loaded from the grid into a team's memory.
struct CellInTransit {
  Pair lower, upper;
  int at;  ///< index in the team's memory; negative if there is no such cell

  template <class Region>
  KOKKOS_FORCEINLINE_FUNCTION CellInTransit(const PairArray& from, const Geometry& g, int replica,
                                            const TileLayout& layout, const Region& region, int i) {
    const int half = layout.stride >> 1;
    const int y = layout.by_stride.quotient(i), q = i - y * layout.stride;
    const int x = q < half ? 2 * q : 2 * (q - half) + 1;
    at = y < region.height && x < region.width ? i : -1;
    if (at < 0) return;
    const int cell =
        (replica * g.rows + g.wrap_row(region.y + y)) * g.columns + g.stored_column(g.wrap_column(region.x + x));
    lower = from.lower(cell);
    upper = from.upper(cell);  // unconditional: the loads are independent
  }

  KOKKOS_FORCEINLINE_FUNCTION void arrive(const TileMemory& memory, const TileLayout& layout) const {
    if (at < 0) return;
    const bool more = holds_more_than_two(lower) != 0;
    const Position disks[] = {first_of(lower), lower.second, upper.first, upper.second};
    int number = 0;
    for (int slot = 0; slot < most_in_a_cell; ++slot) {
      const bool present = is_there(disks[slot]) && (slot < 2 || more);
      memory.disks[slot * layout.room + at] = present ? disks[slot] : nowhere;
      number += static_cast<int>(present);
    }
    memory.counts[at] = static_cast<std::uint8_t>(number);
  }
};

/// Makes sub-sweep k. Returns tried moves * 2^16 + accepted moves, at one of the lanes of each cell in the tile.
template <int lanes_per_cell, class Team, class Region>
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t update_tile(const Team& team, const Geometry& g, const TileLayout& layout,
                                                      const Region& region, const TileMemory& memory,
                                                      const MoveRules& rules, int k, int set) {
  using Groups = LaneGroups<lanes_per_cell>;
  const ActiveInRegion sub = region.active(layout, k, set);
  const int warp = team.team_rank() / Groups::warp, lane = team.team_rank() % Groups::warp;
  const int stride = team.team_size() > 1 ? team.team_size() / lanes_per_cell : 1;
  std::uint32_t both = 0;
  for (int begin = warp * Groups::groups; begin < sub.number; begin += stride) {  // the loop is uniform in a warp
    const int number = begin + lane % Groups::groups;
    const bool works = number < sub.number;
    const int a = works ? number : 0, row = sub.by_row.quotient(a);
    const int x = sub.first_x + 2 * (a - row * sub.in_row), y = sub.first_y + 2 * row;
    const int index = region.index(layout, x, y);
    const int n = works ? memory.counts[index] : 0;
    const auto accepted = static_cast<std::uint32_t>(
        move_disks<lanes_per_cell, Region>(team, memory, layout, g, rules, {x, y, index, layout.before[k] + a, n}));
    const bool owned = region.owns(g, layout, x, y);
    if ((n > 0) & (lane < Groups::groups) & owned) both += (static_cast<std::uint32_t>(rules.moves) << 16) + accepted;
  }
  return both;
}

/// Algorithm 4 for a cell in a team's memory.
struct ShiftedCell {
  Position disks[most_in_a_cell] = {};
  int number = 0;

  KOKKOS_FORCEINLINE_FUNCTION ShiftedCell() {}
  KOKKOS_FORCEINLINE_FUNCTION ShiftedCell(const TileMemory& memory, const TileLayout& layout, const CellShift& shift,
                                          int own, int others) {
    const auto add = [&](bool present, const Position& p) {
      for (int slot = 0; slot < most_in_a_cell; ++slot) disks[slot] = present && number == slot ? p : disks[slot];
      number += static_cast<int>(present);
    };
    for (int slot = 0; slot < most_in_a_cell; ++slot) {
      const Position p = memory.disks[slot * layout.room + own];
      shift.keep(p.x != nowhere.x, p, add);
    }
    for (int slot = 0; slot < most_in_a_cell; ++slot) {
      const Position p = memory.disks[slot * layout.room + others];
      shift.take(p.x != nowhere.x, p, add);
    }
    if (number > most_in_a_cell)
      Kokkos::abort("tessera::disks: more than four disks in a cell, so that some of them overlap");
  }
};

/// The cell whose disks enter cell (x, y) of a region in a shift.
template <class Region>
KOKKOS_FORCEINLINE_FUNCTION int cell_ahead(const Region& region, const TileLayout& layout, const CellShift& shift,
                                           int x, int y) {
  const int ahead = shift.forward ? 1 : -1;
  return region.index(layout, x + (shift.along_x ? ahead : 0), y + (shift.along_x ? 0 : ahead));
}

/// Shifts the cells of a tile, from the team's memory to the grid.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION void shift_tile(const Team& team, const PairArray& to, std::uint8_t* counts,
                                            const Geometry& g, int replica, const TileLayout& layout,
                                            const TileRegion& region, const TileMemory& memory, const SweepPlan& plan) {
  const CellShift shift(plan, g);
  const int half = layout.width >> 1;
  for (int i = team.team_rank(); i < layout.width * layout.height; i += team.team_size()) {
    const int row = layout.by_width.quotient(i), q = i - row * layout.width;
    const int column = q < half ? 2 * q : 2 * (q - half) + 1;
    if (region.tile_x + column >= g.columns - g.ghost_x || region.tile_y + row >= g.rows - g.ghost_y) continue;
    const int x = region.tile_x - region.x + column, y = region.tile_y - region.y + row;
    const ShiftedCell shifted(memory, layout, shift, region.index(layout, x, y),
                              cell_ahead(region, layout, shift, x, y));
    const int cell = (replica * g.rows + region.tile_y + row) * g.columns + g.stored_column(region.tile_x + column);
    to.write(cell, pairs_of(shifted.number, [&](int slot) { return shifted.disks[slot]; }));
    counts[cell] = static_cast<std::uint8_t>(shifted.number);
  }
}

/// Adds the moves of a warp, less than 2^16, to the partial counts of a replica.
template <int lanes_per_cell, class Team>
KOKKOS_FORCEINLINE_FUNCTION void add_moves(const Team& team, MoveCount* parts, int replica, std::uint32_t both) {
  both = sum_over_lanes(team, both);
  constexpr int warp_size = LaneGroups<lanes_per_cell>::warp;
  if (team.team_rank() % warp_size != 0 || both == 0) return;
  const int warp = team.league_rank() * ((team.team_size() + warp_size - 1) / warp_size) + team.team_rank() / warp_size;
  MoveCount& part = parts[replica * move_parts + warp % move_parts];
  Kokkos::atomic_add(&part.tried, std::uint64_t{both >> 16});
  Kokkos::atomic_add(&part.accepted, std::uint64_t{both & 0xffffu});
}

/// Makes a sweep with plan number `sweep`, from `cells` to `shifted`. `launch` is LaunchNow or LaunchInGraph.
template <class ExecutionSpace, class Launch, class MemorySpace, class Plans, class Radii>
void sweep_tiles(const ExecutionSpace& space, const Launch& launch, const Cells<MemorySpace>& cells,
                 const Cells<MemorySpace>& shifted, const Plans& plans, const MoveRules& common, const Radii& radii,
                 const MoveParts<MemorySpace>& parts, int sweep, const TileShape& shape) {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::LaunchBounds<most_tile_lanes, 1>>;
  using Member = typename Policy::member_type;
  constexpr int lanes_per_cell = tile_lanes_per_cell<ExecutionSpace>;
  const Geometry g = cells.geometry;
  const PairArray from(cells), to(shifted);
  std::uint8_t* const counts = shifted.counts.data();
  const int in_row = (g.own_columns() + shape.width - 1) / shape.width;
  const int tiles = in_row * ((g.own_rows() + shape.height - 1) / shape.height);
  const FastDivisor by_tiles(tiles), by_row(in_row);
  const SweepPlan* const plans_now = plans.data() + sweep * static_cast<std::int64_t>(plans.stride(0));
  const float* const radius_of = radii.data();
  MoveCount* const part_of = parts.data();
  const TileLayout layout(shape);
  const std::size_t bytes = TileMemory::bytes(layout);
  launch(
      "tessera::disks::sweep_tiles",
      with_scratch(Policy(space, tiles * g.replicas, shape.lanes), bytes, alignof(Position)),
      KOKKOS_LAMBDA(const Member& team) {
        const int replica = by_tiles.quotient(team.league_rank());
        const SweepPlan plan = plans_now[replica];
        const MoveRules rules{common.moves, radius_of[replica], common.shuffle_particles};
        const int tile = team.league_rank() - replica * tiles, row = by_row.quotient(tile);
        const TileMemory memory(scratch_array<char>(team, bytes, alignof(Position)), layout);
        const TileRegion region(layout, g.ghost_x + (tile - row * in_row) * layout.width,
                                g.ghost_y + row * layout.height, plan.direction);
        {
          const CellInTransit under_way(from, g, replica, layout, region, team.team_rank());
          draw_for_tile(team, memory, layout, region, g, plan, rules, 0, 4);  // overlaps with the loads
          under_way.arrive(memory, layout);
        }
        // The lanes that draw for fewer cells load the rest of the region, from its end.
        for (int i = 2 * team.team_size() - 1 - team.team_rank(); i < layout.room; i += team.team_size())
          CellInTransit(from, g, replica, layout, region, i).arrive(memory, layout);
        team.team_barrier();
        std::uint32_t both = 0;
        for (int k = 0; k < 4; ++k) {
          both += update_tile<lanes_per_cell>(team, g, layout, region, memory, rules, k, plan.set(k));
          team.team_barrier();
        }
        shift_tile(team, to, counts, g, replica, layout, region, memory, plan);
        add_moves<lanes_per_cell>(team, part_of, replica, both);
      });
}

/// With more cells in all replicas together tiles give no gain.
inline constexpr int most_cells_by_tiles = 60000;

/// The tile expected to be fastest on a GPU with this number of multiprocessors; width 0 if a lane per cell is faster.
inline TileShape choose_tile(const Geometry& g, int multiprocessors) {
  constexpr int lanes_per_cell = 4, most_bytes = 47 * 1024;
  constexpr int of_any_team = 200;  // overhead of a team, in active cells whose random numbers it could draw
  TileShape best{};
  if (g.all_cells() > most_cells_by_tiles) return best;
  std::int64_t least = 0;
  for (int width = 4; width <= 32; width += 2)
    for (int height = 4; height <= 32; height += 2) {
      const TileShape shape{width, height, most_tile_lanes};
      const TileLayout layout(shape);
      if (!shape.fits(g) || layout.after[0] * lanes_per_cell > most_tile_lanes ||
          TileMemory::bytes(layout) > most_bytes)
        continue;
      const std::int64_t teams =
          std::int64_t{(g.own_columns() + width - 1) / width} * ((g.own_rows() + height - 1) / height) * g.replicas;
      const std::int64_t work = (teams + multiprocessors - 1) / multiprocessors * (layout.all_active + of_any_team);
      if (best.width > 0 && work >= least) continue;
      best = shape;
      least = work;
    }
  return best;
}

}  // namespace tessera::disks
