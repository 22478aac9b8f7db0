// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/disks/overlap.hpp>
#include <tessera/disks/state.hpp>
#include <tessera/disks/sweep_plan.hpp>

namespace tessera::disks {

/// How the disks of an active cell are moved.
struct MoveRules {
  int moves;     ///< n_M
  float radius;  ///< of the circle of trial moves, in sigma
  bool shuffle_particles;
};

/// Disks that can touch a disk in a cell are less than sigma away from the cell. The centres of disks in the convex
/// region of all such points, of area 2 + 4 sqrt(2) + pi and perimeter 4 sqrt(2) + 2 pi at most, number at most 2 /
/// sqrt(3) area + perimeter / 2 + 1 < 20 (Oler, Acta Math. 105, 19, 1961); one of them is the disk that moves.
inline constexpr int most_near = 18;
inline constexpr int workspace_size = most_in_a_cell + most_near + 1;  // one to write what is not kept

/// Room for the disks of a cell, slots 0 to 3, and those near it, in the memory of one lane. Lanes take turns in memory
/// (`stride`), so that all of them reach any slot at once.
struct Workspace {
  Position* data;
  int stride;
  KOKKOS_FORCEINLINE_FUNCTION Position& own(int i) const { return data[i * stride]; }
  KOKKOS_FORCEINLINE_FUNCTION Position& near(int k) const { return data[(most_in_a_cell + k) * stride]; }
};

/// A point of the square around the circle of trial moves, 16 random bits a component: an odd number times 2^-15 of the
/// radius, so that v and -v have the same probability exactly.
class SquarePoint {
 public:
  static constexpr std::int32_t made_odd = 0x10001;       ///< the lowest bits of both components
  static constexpr std::int32_t square_radius = 1 << 30;  ///< of the circle
  /// What a component is multiplied by.
  KOKKOS_FORCEINLINE_FUNCTION static float scale(float radius) { return radius * 0x1.0p-15f; }

  SquarePoint() = default;
  KOKKOS_FORCEINLINE_FUNCTION explicit SquarePoint(std::uint32_t random) : bits_(random | made_odd) {}

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t bits() const { return bits_; }
  KOKKOS_FORCEINLINE_FUNCTION std::int32_t x() const { return static_cast<std::int32_t>(bits_) >> 16; }
  KOKKOS_FORCEINLINE_FUNCTION std::int32_t y() const { return static_cast<std::int16_t>(bits_); }
  KOKKOS_FORCEINLINE_FUNCTION bool in_circle() const { return x() * x() + y() * y() < square_radius; }

  /// The displacement: multiples of `step`, since floats next to 3 are.
  KOKKOS_FORCEINLINE_FUNCTION Position displacement(float radius) const {
    const float unit = scale(radius);
    return {(static_cast<float>(x()) * unit + 3.0f) - 3.0f, (static_cast<float>(y()) * unit + 3.0f) - 3.0f};
  }

 private:
  std::uint32_t bits_;
};

/// The two points of a random number.
struct TwoPoints {
  SquarePoint first, second;
  KOKKOS_FORCEINLINE_FUNCTION explicit TwoPoints(std::uint64_t random)
      : first(static_cast<std::uint32_t>(random >> 32)), second(static_cast<std::uint32_t>(random)) {}
};

/// Moves of a cell whose displacements are drawn together.
inline constexpr int moves_of_a_group = 4;

/// Finds the displacements of a group: of the points that the stream gives, those in the circle, in which they are
/// uniform, as numbers `found` to needed - 1. put(i, point) may be told of number i several times; the last is it.
template <class Put>
KOKKOS_FORCEINLINE_FUNCTION void find_points(Stream& stream, int found, int needed, const Put& put) {
  while (found < needed) {
    const TwoPoints two(stream.draw());
    put(found, two.first);
    found += static_cast<int>(two.first.in_circle());
    if (found < needed) put(found, two.second);
    found += static_cast<int>(two.second.in_circle());
  }
}

/// Has find_points() write the bits of points to an array.
struct PutBits {
  std::int32_t* bits;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, const SquarePoint& point) const {
    bits[i] = static_cast<std::int32_t>(point.bits());
  }
};

/// Fisher-Yates on the first n slots.
KOKKOS_FORCEINLINE_FUNCTION void shuffle_own(Stream& stream, const Workspace& disks, int n) {
  auto fraction = static_cast<std::uint32_t>(stream.draw() >> 32);
  for (int i = n - 1; i > 0; --i) {
    const int other = choose(fraction, i + 1);
    const Position moved = disks.own(i);
    disks.own(i) = disks.own(other);
    disks.own(other) = moved;
  }
}

/// Copies the disks of the eight cells around (x, y) that are less than sigma away from it, in the coordinates of the
/// cell, and returns their number. They do not move during the sub-sweep.
template <class MemorySpace>
KOKKOS_FORCEINLINE_FUNCTION int gather_near(const Cells<MemorySpace>& cells, int replica, int x, int y,
                                            const Workspace& disks) {
  const Geometry& g = cells.geometry;
  const float w = g.cell_width(), h = g.cell_height(), half_w = w / 2, half_h = h / 2;
  const std::int64_t columns[3] = {g.stored_column(g.wrap_column(x - 1)), g.stored_column(x),
                                   g.stored_column(g.wrap_column(x + 1))};
  int near = 0;
  for (int j = -1; j <= 1; ++j) {
    const std::int64_t row = (std::int64_t{replica} * g.rows + g.wrap_row(y + j)) * g.columns;
    const float offset_y = static_cast<float>(j) * h;
    for (int i = -1; i <= 1; ++i) {
      if (i == 0 && j == 0) continue;
      const std::int64_t cell = row + columns[i + 1];
      const float offset_x = static_cast<float>(i) * w;
      const int n = cells.counts(cell);
      const auto add = [&](int slot) {
        Position p = cells.position(slot, cell);
        p.x += offset_x;
        p.y += offset_y;
        const float gap_x = larger(Kokkos::abs(p.x - half_w) - half_w, 0.0f);
        const float gap_y = larger(Kokkos::abs(p.y - half_h) - half_h, 0.0f);
        // Written in any case and kept by counting it, which takes no branch; slots beyond n hold something, too.
        disks.near(near) = p;
        near += static_cast<int>(slot < n) & static_cast<int>(about_square(gap_x, gap_y) < surely_apart);
      };
      add(0);
      add(1);
      if (n > 2) {
        add(2);
        add(3);
      }
    }
  }
  return near;
}

/// Whether the disk in slot `moved` would overlap another one at `to`.
KOKKOS_FORCEINLINE_FUNCTION bool overlaps_any(const Workspace& disks, int n, int near, int moved, const Position& to) {
  float closest = 4.0f;
  for (int k = 0; k < n; ++k) {
    const Position p = disks.own(k);
    if (k != moved) closest = smaller(closest, about_square(p.x - to.x, p.y - to.y));
  }
  if (closest < surely_overlap) return true;
  for (int k = 0; k < near; ++k) {
    const Position p = disks.near(k);
    closest = smaller(closest, about_square(p.x - to.x, p.y - to.y));
  }
  if (closest < surely_overlap) return true;
  if (closest > surely_apart) return false;
  bool any = false;
  for (int k = 0; k < n; ++k) any = any || (k != moved && overlap(disks.own(k).x - to.x, disks.own(k).y - to.y));
  for (int k = 0; k < near; ++k) any = any || overlap(disks.near(k).x - to.x, disks.near(k).y - to.y);
  return any;
}

/// Algorithm 2 for one active cell: shuffles its disks and makes the trial moves, of disks that stay in the cell.
/// Returns the numbers of moves tried and accepted.
template <class MemorySpace>
KOKKOS_FORCEINLINE_FUNCTION MoveCount update_cell(const Cells<MemorySpace>& cells, const SweepPlan& plan,
                                                  const MoveRules& rules, int replica, int x, int y,
                                                  const Workspace& disks) {
  const Geometry& g = cells.geometry;
  const std::int64_t cell = g.index(replica, x, y);
  const int n = cells.counts(cell);
  if (n == 0) return {};
  for (int i = 0; i < most_in_a_cell; ++i) {
    if (i >= n) break;
    disks.own(i) = cells.position(i, cell);
  }
  const int near = gather_near(cells, replica, x, y, disks);
  const int number = y * g.columns + x;
  Stream stream = cell_stream(plan.key, number);
  if (rules.shuffle_particles) shuffle_own(stream, disks, n);
  const float w = g.cell_width(), h = g.cell_height();
  MoveCount count;
  int moved = 0;
  SquarePoint points[moves_of_a_group];
  for (int s = 0; s < rules.moves; ++s) {
    const int group = s / moves_of_a_group, of_group = s % moves_of_a_group;
    if (of_group == 0) {
      if (group > 0) stream = cell_stream(plan.key, number + std::int64_t{group} * g.cells());
      find_points(stream, 0, moves_of_a_group, [&](int i, const SquarePoint& point) { points[i] = point; });
    }
    const Position displacement = points[of_group].displacement(rules.radius);
    Position to = disks.own(moved);
    to.x += displacement.x;
    to.y += displacement.y;
    const bool stays = to.x >= 0 && to.x < w && to.y >= 0 && to.y < h;
    if (stays && !overlaps_any(disks, n, near, moved, to)) {
      disks.own(moved) = to;
      ++count.accepted;
    }
    moved = moved + 1 == n ? 0 : moved + 1;
  }
  count.tried = static_cast<std::uint64_t>(rules.moves);
  for (int i = 0; i < most_in_a_cell; ++i) {
    if (i >= n) break;
    cells.position(i, cell) = disks.own(i);
  }
  return count;
}

}  // namespace tessera::disks
