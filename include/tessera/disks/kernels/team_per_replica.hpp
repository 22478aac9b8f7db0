// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <tessera/core/host_array.hpp>
#include <tessera/core/kokkos_ext/team_scratch.hpp>
#include <tessera/disks/kernels/launch.hpp>
#include <tessera/disks/kernels/shift_cell.hpp>
#include <tessera/disks/kernels/team_per_tile.hpp>
#include <tessera/disks/kernels/tile.hpp>
#include <tessera/disks/kernels/tile_update.hpp>
#include <tessera/disks/state/cell_layout.hpp>
#include <tessera/disks/state/state.hpp>
#include <tessera/disks/state/sweep_plan.hpp>

/// Sweeps of many small replicas on a GPU: a team makes many sweeps of one replica in scratch memory.
namespace tessera::disks {

/// A whole replica in a team's memory; functions as TileRegion.
struct ReplicaRegion {
  static constexpr int x = 0, y = 0;
  int width, height;

  KOKKOS_FORCEINLINE_FUNCTION explicit ReplicaRegion(const TileLayout& layout)
      : width(layout.width), height(layout.height) {}

  KOKKOS_FORCEINLINE_FUNCTION static int index(const TileLayout& layout, int in_x, int in_y) {
    return Geometry::wrap_once(in_y, layout.height) * layout.stride +
           layout.stored_column(Geometry::wrap_once(in_x, layout.width));
  }
  KOKKOS_FORCEINLINE_FUNCTION static bool owns(const Geometry&, const TileLayout&, int, int) { return true; }
  KOKKOS_FORCEINLINE_FUNCTION static ActiveInRegion active(const TileLayout& layout, int, int set) {
    return {set & 1, set >> 1, layout.width >> 1, layout.room >> 2, layout.by_row[0]};
  }
};

/// Teams that sweep a whole replica.
template <class ExecutionSpace>
struct ReplicaTeam {
  static constexpr bool host = runs_on_host<ExecutionSpace>;
  static constexpr int most_lanes = host ? 1 : 192;
  static constexpr int cells_of_lane = host ? 600 : 4;  ///< maximum number of cells that a lane shifts

  /// A lane per active cell, in whole warps.
  static TileShape shape(const Geometry& g) {
    const int lanes = (g.cells() / 4 + warp_lanes - 1) / warp_lanes * warp_lanes;
    return {g.columns, g.rows, host ? 1 : lanes};
  }
  /// Whether a replica fits into the scratch memory of a team.
  static bool fits(const Geometry& g) {
    constexpr std::size_t most_bytes = (host ? 31 : 47) * 1024 - most_lanes * sizeof(double);
    return !g.is_part() && shape(g).lanes <= most_lanes && g.cells() <= cells_of_lane * shape(g).lanes &&
           g.cells() * std::max(g.columns, g.rows) < 0x10000 && TileMemory::bytes(TileLayout(g)) <= most_bytes;
  }
};

/// Whether one team per replica is fastest on a GPU with this number of multiprocessors: they have enough work, and all
/// replicas run at once. Tiles are faster for fewer replicas, a lane per cell for more.
inline bool whole_replicas_suit(const Geometry& g, int multiprocessors) {
  return g.replicas * 3 >= multiprocessors && g.all_cells() <= std::int64_t{1400} * multiprocessors;
}

/// Makes sweeps with the plans first .. first + count - 1.
template <class ExecutionSpace, class MemorySpace, class Plans, class Radii>
void sweep_replicas(const ExecutionSpace& space, const Cells<MemorySpace>& cells, const Plans& plans, int first,
                    int count, const MoveRules& common, const Radii& radii, const MoveParts<MemorySpace>& parts) {
  using Of = ReplicaTeam<ExecutionSpace>;
  // Limits the registers of a lane so that a multiprocessor holds two teams.
  using Policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::LaunchBounds<2 * Of::most_lanes, 1>>;
  using Member = typename Policy::member_type;
  constexpr int cells_of_lane = Of::cells_of_lane;
  const Geometry g = cells.geometry;
  const PairArray pairs(cells);
  std::uint8_t* const counts = cells.counts.data();
  const auto next_plan = static_cast<std::int64_t>(plans.stride(0));
  const SweepPlan* const plans_now = plans.data() + first * next_plan;
  const float* const radius_of = radii.data();
  MoveCount* const part_of = parts.data();
  const TileLayout layout(g);
  const std::size_t bytes = TileMemory::bytes(layout);
  Kokkos::parallel_for(
      "tessera::disks::sweep_replicas",
      with_scratch(Policy(space, g.replicas, Of::shape(g).lanes), bytes, alignof(Position)),
      KOKKOS_LAMBDA(const Member& team) {
        const int replica = team.league_rank(), rank = team.team_rank(), size = team.team_size();
        const TileMemory memory(scratch_array<char>(team, bytes, alignof(Position)), layout);
        const MoveRules rules{common.moves, radius_of[replica], common.shuffle_particles};
        const ReplicaRegion region(layout);
        for (int i = rank; i < layout.room; i += size)
          CellInTransit(pairs, g, replica, layout, region, i).arrive(memory, layout);
        for (int sweep = 0; sweep < count; ++sweep) {
          const SweepPlan plan = plans_now[sweep * next_plan + replica];
          std::uint32_t both = 0;
          const auto draw = [&](int k) { draw_for_tile(team, memory, layout, region, g, plan, rules, k, k + 1); };
          draw(0);
          team.team_barrier();
          for (int k = 0; k < 4; ++k) {
            both += update_tile<1>(team, g, layout, region, memory, rules, k, plan.set(k));
            if (k < 3) draw(k + 1);
            team.team_barrier();
          }
          add_moves<1>(team, part_of, replica, both);
          const CellShift shift(plan, g);
          ShiftedCell shifted[cells_of_lane];
          for (int c = 0; c < cells_of_lane; ++c) {
            const int i = rank + c * size;
            if (i >= layout.room) continue;
            const int y = layout.by_stride.quotient(i), x = g.column(i - y * layout.stride);
            shifted[c] = ShiftedCell(memory, layout, shift, i, cell_ahead(region, layout, shift, x, y));
          }
          team.team_barrier();
          for (int c = 0; c < cells_of_lane; ++c) {
            const int i = rank + c * size;
            if (i >= layout.room) continue;
            for (int slot = 0; slot < most_in_a_cell; ++slot)
              memory.disks[slot * layout.room + i] = slot < shifted[c].number ? shifted[c].disks[slot] : nowhere;
            memory.counts[i] = static_cast<std::uint8_t>(shifted[c].number);
          }
        }
        for (int i = rank; i < layout.room; i += size) {  // the cells that this lane has shifted
          const int cell = replica * layout.room + i, n = memory.counts[i];
          pairs.write(cell, pairs_of(n, [&](int slot) { return memory.disks[slot * layout.room + i]; }));
          counts[cell] = static_cast<std::uint8_t>(n);
        }
      });
}

}  // namespace tessera::disks
