// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/kokkos_ext/lanes.hpp>
#include <tessera/disks/kernels/tile.hpp>
#include <tessera/disks/overlap.hpp>
#include <tessera/disks/sweep_plan.hpp>
#include <tessera/disks/trial_moves.hpp>

/// Algorithm 2 in the memory of a team: one or more lanes for each active cell, which hold the disks of the
/// neighbouring cells in registers. All loops over disks have the same length everywhere, so that no lane waits for
/// another.
namespace tessera::disks {

/// What chance decides for the cells that are active in a sweep, whatever is in them.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION void draw_for_tile(const Team& team, const TileMemory& memory, const TileLayout& layout,
                                               const TilePlace& place, const Geometry& g, std::uint64_t key,
                                               std::uint32_t order, const MoveRules& rules) {
  const int all = layout.all_active;
  for (int i = team.team_rank(); i < all; i += team.team_size()) {
    int k = 0, before = 0;
    for (int next = 1; next < 4; ++next) {
      if (i >= layout.before[next]) {
        k = next;
        before = layout.before[next];
      }
    }
    const ActiveInRegion sub = place.active(layout, k, set_in_turn(order, k));
    const int a = i - before, row = sub.by_row.quotient(a);
    if (a >= sub.number) continue;
    const int x = g.wrap_column(place.x + sub.first_x + 2 * (a - row * sub.in_row));
    const int y = g.wrap_row(place.y + sub.first_y + 2 * row);
    Stream stream = cell_stream(key, y * g.columns + x);
    if (rules.shuffle_particles) memory.fractions[i] = static_cast<std::uint32_t>(stream.draw() >> 32);
    Position* const displacements = memory.displacements + i;
    find_points(stream, 0, rules.moves, [&](int move, const SquarePoint& point) {
      if (move < rules.moves) displacements[move * all] = point.displacement(rules.radius);
    });
  }
}

/// Neighbour m = 0 to 7 of a cell: 0 to 3 and 4 to 7 are on opposite sides of it.
struct Neighbour {
  int x, y;
  KOKKOS_FORCEINLINE_FUNCTION explicit Neighbour(int m) {
    const int side = m < 4 ? -1 : 1, place = m & 3;
    x = place < 3 ? place - 1 : side;
    y = place < 3 ? side : 0;
  }
};

/// An active cell in a team's memory.
struct CellInTile {
  int x, y, index;
  int number;  ///< among the active cells of the sweep
  int disks;   ///< 0 if lanes only take part
};

/// Where the disks of a cell go when they are shuffled, four bits each: slot i gets the disk of slot (order >> 4 i)
/// & 3.
KOKKOS_FORCEINLINE_FUNCTION unsigned shuffled_slots(std::uint32_t fraction, int n) {
  unsigned order = 0x3210;
  for (int i = most_in_a_cell - 1; i > 0; --i) {
    std::uint32_t rest = fraction;
    const int other = choose(rest, i + 1);
    const unsigned differ = ((order >> (4 * i)) ^ (order >> (4 * other))) & 15u;
    if (i < n) {
      fraction = rest;
      order ^= (differ << (4 * i)) | (differ << (4 * other));
    }
  }
  return order;
}

/// A disk at hand, and |p|^2 of its centre p: the square of its distance to t is |p|^2 - 2 p t + |t|^2, of which the
/// last is the same for all disks.
struct DiskAtHand {
  Position at;
  float square;
  KOKKOS_FORCEINLINE_FUNCTION void put(float x, float y) {
    at = {x, y};
    square = about_square(x, y);
  }
  /// Without |t|^2.
  KOKKOS_FORCEINLINE_FUNCTION float distance(float minus_2x, float minus_2y) const {
    return about_sum(at.x, minus_2x, about_sum(at.y, minus_2y, square));
  }
};

/// Shuffles the disks of a cell and makes its trial moves, as update_cell(); returns how many were accepted.
/// The lanes of a cell share its neighbours and its disks. All lanes of a warp call it together.
template <int lanes_per_cell, class Team>
KOKKOS_FORCEINLINE_FUNCTION int move_disks(const Team& team, const TileMemory& memory, const TileLayout& layout,
                                           const Geometry& g, const MoveRules& rules, const CellInTile& cell) {
  using Groups = LaneGroups<lanes_per_cell>;
  constexpr int neighbours = 8 / lanes_per_cell, each = most_in_a_cell / lanes_per_cell;
  const float w = g.cell_width(), h = g.cell_height();
  const int lane = team.team_rank() % Groups::warp, part = lane / Groups::groups, n = cell.disks;

  DiskAtHand near[neighbours * most_in_a_cell], own[each];
  for (int m = 0; m < neighbours; ++m) {
    const Neighbour there(part * neighbours + m);
    const Position* const p =
        memory.disks + (cell.y + there.y) * layout.stride + layout.stored_column(cell.x + there.x);
    const float offset_x = static_cast<float>(there.x) * w, offset_y = static_cast<float>(there.y) * h;
    for (int slot = 0; slot < most_in_a_cell; ++slot) {
      const Position there_at = p[slot * layout.room];
      near[m * most_in_a_cell + slot].put(there_at.x + offset_x, there_at.y + offset_y);
    }
  }
  const unsigned order = rules.shuffle_particles ? shuffled_slots(memory.fractions[cell.number], n) : 0x3210u;
  for (int i = 0; i < each; ++i) {
    const auto slot = static_cast<int>((order >> (4 * (part * each + i))) & 3u);
    // Lanes without a cell of their own must not look at one that others are writing.
    const Position p = n > 0 ? memory.disks[slot * layout.room + cell.index] : Position{not_there, not_there};
    own[i].put(p.x, p.y);
  }
  sync_lanes(team);  // all have read before any writes

  int moved = 0, accepted = 0;
  const Position* v = memory.displacements + cell.number;
  for (int s = 0; s < rules.moves; ++s, v += layout.all_active) {
    Position to = own[0].at;
    for (int i = 1; i < each; ++i) to = moved % each == i ? own[i].at : to;
    to = {Groups::from(lane, to.x, moved / each) + v->x, Groups::from(lane, to.y, moved / each) + v->y};
    const bool stays = n > 0 && to.x >= 0 && to.x < w && to.y >= 0 && to.y < h;
    const float to_square = about_square(to.x, to.y), minus_2x = -2 * to.x, minus_2y = -2 * to.y;
    float closest[4] = {4.0f, 4.0f, 4.0f, 4.0f};
    for (int i = 0; i < neighbours * most_in_a_cell; ++i)
      closest[i % 4] =
          i < 4 ? near[i].distance(minus_2x, minus_2y) : smaller(closest[i % 4], near[i].distance(minus_2x, minus_2y));
    for (int i = 0; i < each; ++i) {
      const float distance = own[i].distance(minus_2x, minus_2y);
      closest[i] = smaller(closest[i], moved == part * each + i ? 4.0f : distance);
    }
    const float least = smaller(smaller(closest[0], closest[1]), smaller(closest[2], closest[3])) + to_square;
    bool blocked = least < surely_overlap_by_products;
    if (stays && !blocked && least <= surely_apart_by_products) {
      for (int i = 0; i < each; ++i)
        blocked = blocked || (moved != part * each + i && overlap(own[i].at.x - to.x, own[i].at.y - to.y));
      for (int i = 0; i < neighbours * most_in_a_cell; ++i)
        blocked = blocked || overlap(near[i].at.x - to.x, near[i].at.y - to.y);
    }
    const bool any_blocked = Groups::any(lane, blocked);  // all lanes together, whatever they do with it
    const bool goes = stays && !any_blocked;
    for (int i = 0; i < each; ++i) {
      if (goes && moved == part * each + i) own[i] = {to, to_square};
    }
    accepted += static_cast<int>(goes);
    moved = moved + 1 == n ? 0 : moved + 1;
  }
  if (n > 0) {
    for (int i = 0; i < each; ++i) memory.disks[(part * each + i) * layout.room + cell.index] = own[i].at;
  }
  return accepted;
}

}  // namespace tessera::disks
