// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/disks/cell_update.hpp>

/// Algorithm 2 as a lane of a GPU does it. Others of its warp wait where it branches, so it looks at whatever might be
/// near without asking first: the disks in the cell, and those that can touch one in it, become one list.
namespace tessera::disks {

/// What a lane works with, in the scratch of its team: lanes take turns in memory.
struct LaneList {
  /// The centres of disks that can touch one in the cell, the cell's own among them, lie in a rectangle of sides of at
  /// most sqrt(2) + 2: they are fewer than 22 (Oler, as for `most_near`). Behind them stand three that are nowhere.
  static constexpr int most = 21, size = most + 3;
  static constexpr std::size_t bytes_a_lane = size * sizeof(Position) + moves_of_a_group * sizeof(SquarePoint);

  Position* data;
  SquarePoint* points;
  int stride;

  KOKKOS_FORCEINLINE_FUNCTION Position& disk(int k) const { return data[k * stride]; }
  KOKKOS_FORCEINLINE_FUNCTION SquarePoint& point(int s) const { return points[s * stride]; }
};

/// Of a disk that is not to be met.
inline constexpr Position nowhere{1e15f, 0};

/// Lists the disks of the cell, slots 0 to n - 1, and all that can touch one in it; returns their number.
template <class MemorySpace>
KOKKOS_FORCEINLINE_FUNCTION int list_disks(const Cells<MemorySpace>& cells, int replica, int x, int y, int n,
                                           const LaneList& list) {
  const Geometry& g = cells.geometry;
  const float w = g.cell_width(), h = g.cell_height();
  const int slot_stride = static_cast<int>(g.all_cells());
  const Position* const first = cells.positions.data();
  const int column[3] = {g.stored_column(g.wrap_column(x - 1)), g.stored_column(x),
                         g.stored_column(g.wrap_column(x + 1))};
  const int row[3] = {(replica * g.rows + g.wrap_row(y - 1)) * g.columns, (replica * g.rows + y) * g.columns,
                      (replica * g.rows + g.wrap_row(y + 1)) * g.columns};
  const int own = row[1] + column[1];
  for (int i = 0; i < 2; ++i) list.disk(i) = first[own + i * slot_stride];
  if (n > 2) list.disk(2) = first[own + 2 * slot_stride];
  if (n > 3) list.disk(3) = first[own + 3 * slot_stride];
  int end = n * list.stride;
  // Written in any case and kept by counting it, which takes no branch.
  const auto add = [&](float px, float py, bool kept) {
    list.data[end] = {px, py};
    if (kept) end += list.stride;
  };
  unsigned crowded = 0;
  for (int j = -1; j <= 1; ++j) {
    // All loads of a row that most cells need are under way before the first is waited for.
    int at[3], number[3];
    Position lower[3], upper[3];
    for (int i = 0; i < 3; ++i) {
      at[i] = row[j + 1] + column[i];
      number[i] = cells.counts(at[i]);
      lower[i] = first[at[i]];
      upper[i] = first[at[i] + slot_stride];
    }
    const float offset_y = static_cast<float>(j) * h;
    for (int i = -1; i <= 1; ++i) {
      if (i == 0 && j == 0) continue;
      const float offset_x = static_cast<float>(i) * w;
      const auto look_at = [&](const Position& p, bool there) {
        const float px = i == 0 ? p.x : p.x + offset_x, py = j == 0 ? p.y : p.y + offset_y;
        const bool in_x = i == 0 || (i < 0 ? px > -1.0f : px < w + 1.0f);
        const bool in_y = j == 0 || (j < 0 ? py > -1.0f : py < h + 1.0f);
        add(px, py, there & in_x & in_y);
      };
      look_at(lower[i + 1], number[i + 1] > 0);
      look_at(upper[i + 1], number[i + 1] > 1);
      if (number[i + 1] > 2) look_at(first[at[i + 1] + 2 * slot_stride], true);
      if (number[i + 1] > 3) crowded |= 1u << (3 * j + i + 4);
    }
  }
  // Four disks have room in a cell, but hardly ever come to be in one.
  for (int c = 0; crowded != 0; ++c, crowded >>= 1) {
    if ((crowded & 1) == 0) continue;
    const int j = c / 3 - 1, i = c - 3 * j - 4;
    const Position p =
        first[static_cast<int>(g.index(replica, g.wrap_column(x + i), g.wrap_row(y + j))) + 3 * slot_stride];
    const float px = p.x + static_cast<float>(i) * w, py = p.y + static_cast<float>(j) * h;
    add(px, py, px > -1.0f && px < w + 1.0f && py > -1.0f && py < h + 1.0f);
  }
  for (int k = 0; k < 3; ++k) list.data[end + k * list.stride] = nowhere;
  return end / list.stride;
}

/// Whether a disk at `to` would overlap one in the list other than number `moved`, which is `nowhere` meanwhile.
KOKKOS_FORCEINLINE_FUNCTION bool overlaps_listed(const LaneList& list, int count, const Position& to) {
  const auto squared = [&](const Position& p) { return about_square(p.x - to.x, p.y - to.y); };
  float closest = 4.0f;
  for (int k = 0; k < count; k += 4) {
    const float a = squared(list.disk(k)), b = squared(list.disk(k + 1));
    const float c = squared(list.disk(k + 2)), d = squared(list.disk(k + 3));
    closest = smaller(closest, smaller(smaller(a, b), smaller(c, d)));
  }
  if (closest < surely_overlap) return true;
  if (closest > surely_apart) return false;
  for (int k = 0; k < count; ++k) {
    const Position p = list.disk(k);
    if (p.x != nowhere.x && overlap(p.x - to.x, p.y - to.y)) return true;
  }
  return false;
}

/// Algorithm 2 for one active cell, as update_cell().
template <class MemorySpace>
KOKKOS_FORCEINLINE_FUNCTION MoveCount update_cell_by_lane(const Cells<MemorySpace>& cells, std::uint64_t key,
                                                          const MoveRules& rules, int replica, int x, int y,
                                                          const LaneList& list) {
  const Geometry& g = cells.geometry;
  const int cell = (replica * g.rows + y) * g.columns + g.stored_column(x);
  const int n = cells.counts(cell);
  const int count = list_disks(cells, replica, x, y, n, list);
  if (n == 0) return {};
  const int cell_number = y * g.columns + x;
  Stream stream = cell_stream(key, cell_number);
  if (rules.shuffle_particles) {
    auto fraction = static_cast<std::uint32_t>(stream.draw() >> 32);
    for (int i = n - 1; i > 0; --i) {
      const int other = choose(fraction, i + 1);
      const Position moved = list.disk(i);
      list.disk(i) = list.disk(other);
      list.disk(other) = moved;
    }
  }
  const float w = g.cell_width(), h = g.cell_height();
  std::uint32_t accepted = 0;
  int moved = 0;
  for (int first = 0; first < rules.moves; first += moves_of_a_group) {
    // Lanes that have found their displacements wait for the others once, not for each of them.
    const int some = rules.moves - first < moves_of_a_group ? rules.moves - first : moves_of_a_group;
    if (first > 0) stream = cell_stream(key, cell_number + std::int64_t{first / moves_of_a_group} * g.cells());
    find_points(stream, 0, some, [&](int i, const SquarePoint& point) { list.point(i) = point; });
    for (int s = 0; s < some; ++s) {
      const Position v = list.point(s).displacement(rules.radius);
      const Position before = list.disk(moved);
      const Position to{before.x + v.x, before.y + v.y};
      bool moves = to.x >= 0 && to.x < w && to.y >= 0 && to.y < h;
      list.disk(moved) = nowhere;
      if (moves) moves = !overlaps_listed(list, count, to);
      list.disk(moved) = moves ? to : before;
      accepted += static_cast<std::uint32_t>(moves);
      moved = moved + 1 == n ? 0 : moved + 1;
    }
  }
  Position* const slots = cells.positions.data() + cell;
  for (int i = 0; i < most_in_a_cell; ++i) {
    if (i >= n) break;
    slots[i * static_cast<int>(g.all_cells())] = list.disk(i);
  }
  return {static_cast<std::uint64_t>(rules.moves), accepted};
}

}  // namespace tessera::disks
