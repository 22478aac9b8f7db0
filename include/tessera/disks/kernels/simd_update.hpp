// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <limits>
#include <tessera/core/streams.hpp>
#include <tessera/disks/kernels/held_disks.hpp>
#include <tessera/disks/kernels/simd_cells.hpp>
#include <tessera/disks/kernels/simd_vectors.hpp>
#include <tessera/disks/kernels/update_cell.hpp>
#include <tessera/disks/state/sweep_plan.hpp>
#include <tessera/disks/state/trial_moves.hpp>

namespace tessera::disks {

/// One to four adjacent active cells of a row: columns 2 i + parity, i = first .. first + count - 1, of row y.
struct ActiveCells {
  int replica, y, parity, first, count;
};

#if !defined(__CUDA_ARCH__)  // nvcc rejects vectors in device code

/// Active cells in the lanes of vectors, with the surrounding disks in the coordinates of the cell of each lane: at
/// most 4 in each of 8 cells, and one to make the number even. Absent disks are NaN.
class SimdCells : public HeldDisks<SimdCells> {
 public:
  using Index = Integers;
  using Mask = Integers;
  static constexpr int chains = 2;
  Index disks;

  SimdCells(const StoredCells& cells, const Geometry& g, const ActiveCells& active, const FourCells& here)
      : disks(unpack(here.counts())), slots_(here.slots()) {
    gather_around(cells, g, active);
  }

  int own_count() const { return slots_; }
  DiskAtHand<Floats>& own(int i) { return own_[i]; }
  const DiskAtHand<Floats>& own(int i) const { return own_[i]; }
  static int own_number(int i) { return i; }
  int near_count() const { return number_near_; }
  const DiskAtHand<Floats>& near(int k) const { return near_[k]; }

  SimdDisks take(const Integers& moved) const {
    SimdDisks d{own_[0].x, own_[0].y};
    for (int slot = 1; slot < slots_; ++slot) {
      d.x = select(moved == slot, own_[slot].x, d.x);
      d.y = select(moved == slot, own_[slot].y, d.y);
    }
    return d;
  }
  Integers next(const Integers& moved) const { return (moved + 1) & (moved + 1 < disks); }
  static Integers all(const Integers& free) { return free; }

 private:
  void gather(const FourCells& there, float offset_x, float offset_y) {
    const Integers n = unpack(there.counts());
    const auto take = [&](int slot) {
      const SimdDisks d = there.disks(slot);
      near_[number_near_++].put(far_where(n < slot + 1, d.x + offset_x), d.y + offset_y);
    };
    // Most cells have one or two disks.
    take(0);
    take(1);
    if (there.any_in(2)) take(2);
    if (there.any_in(3)) take(3);
  }
  void gather_around(const StoredCells& cells, const Geometry& g, const ActiveCells& active) {
    const float w = g.cell_width(), h = g.cell_height();
    const int left = active.first + active.parity - 1;
    for (int j = -1; j <= 1; ++j) {
      const Line even = line_of(g, active.replica, g.wrap_row(active.y + j), 0);
      const Line odd{even.begin + even.length, even.length};
      const Line& beside = active.parity == 0 ? odd : even;
      const float offset_y = static_cast<float>(j) * h;
      gather({cells, beside, left, active.count}, -w, offset_y);
      if (j != 0) gather({cells, active.parity == 0 ? even : odd, active.first, active.count}, 0, offset_y);
      gather({cells, beside, left + 1, active.count}, w, offset_y);
    }
    const Floats none = far_where(Integers() == 0, Floats());
    if (number_near_ % chains != 0) near_[number_near_++].put(none, none);
  }

  int slots_, number_near_ = 0;
  DiskAtHand<Floats> own_[most_in_a_cell], near_[8 * most_in_a_cell + 1];
};

/// Random choices of active cells.
class SimdChance {
 public:
  SimdChance(const Geometry& g, std::uint64_t key, const MoveRules& rules, const ActiveCells& active)
      : key_(key_of_cell(key, g.number_in_grid(2 * active.first + active.parity, active.y))),
        columns_(g.grid_columns()),
        before_wrap_(g.is_part() ? columns_ - g.column_in_grid(2 * active.first + active.parity)
                                 : std::numeric_limits<int>::max()),
        cells_(g.grid_cells()),
        scale_(SquarePoint::scale(rules.radius)) {
    start(0);
    if (rules.shuffle_particles) fractions_ = draw().high;
    find(rules.moves);
  }

  /// Random numbers for shuffle().
  const Integers& fractions() const { return fractions_; }

  void draw(int group, int moves) {
    start(group);
    find(moves);
  }
  SimdDisks displacement(int s) const {
    const auto i = static_cast<std::size_t>(s);
    const Integers points(points_[0][i], points_[1][i], points_[2][i], points_[3][i]);
    const Integers odd_x = points >> 16, odd_y = (points << 16) >> 16;
    const float scale = scale_;
    const Floats x = (to_floats(odd_x) * scale + 3.0f) - 3.0f;
    const Floats y = (to_floats(odd_y) * scale + 3.0f) - 3.0f;
    return {x, y};
  }

 private:
  /// Number of a lane's cell minus that of the first one. Cells of a subdomain may wrap around the end of the grid.
  int beyond_first(int lane) const { return 2 * lane - (2 * lane < before_wrap_ ? 0 : columns_); }
  /// find_points() in each lane.
  void find(int moves) {
    const int some = moves < moves_of_a_group ? moves : moves_of_a_group;
    Integers found{};
    for (int draws = usual_draws; draws > 0; --draws) {
      const Halves random = draw();
      append(random.high, found);
      append(random.low, found);
    }
    for (int l = 0; l < vector_lanes; ++l) {
      if (found[l] >= some) continue;
      Stream stream(streams_[l / 2][l % 2]);
      find_points(stream, found[l], some,
                  [&](int i, const SquarePoint& point) { points_[l][i] = static_cast<std::int32_t>(point.bits()); });
    }
  }
  /// Starts the streams of a group of moves.
  void start(int group) {
    std::uint64_t states[vector_lanes];
    for (int l = 0; l < vector_lanes; ++l) states[l] = cell_stream(key_, beyond_first(l) + group * cells_).state();
    streams_[0] = TwoWords{states[0], states[1]};
    streams_[1] = TwoWords{states[2], states[3]};
  }
  /// Halves of one random number per lane.
  struct Halves {
    Integers low, high;
  };
  Halves draw() {
    const auto a = reinterpret_cast<Integers::Vector>(draw_both(streams_[0]));
    const auto b = reinterpret_cast<Integers::Vector>(draw_both(streams_[1]));
    return {__builtin_shufflevector(a, b, 0, 2, 4, 6), __builtin_shufflevector(a, b, 1, 3, 5, 7)};
  }
  /// Appends the point of each lane if it is in the circle; the next point overwrites others.
  void append(const Integers& random, Integers& found) {
    const Integers points = random | SquarePoint::made_odd, x = points >> 16, y = (points << 16) >> 16;
    for (int l = 0; l < vector_lanes; ++l) points_[l][found[l]] = points[l];
    const Integers squares = x * x + y * y;
    found -= squares < SquarePoint::square_radius;
  }

  std::uint64_t key_;  ///< key of the streams of the first cell
  int columns_, before_wrap_;
  std::int64_t cells_;
  float scale_;
  TwoWords streams_[2];  ///< of four lanes
  Integers fractions_{};
  std::int32_t points_[vector_lanes][points_of_a_group + 1];
};

#endif

/// Algorithm 2 on a CPU for adjacent active cells, one per lane of a SIMD vector. Returns the moves in owned cells.
inline MoveCount update_simd(const HostCells& cells, const SweepPlan& plan, const MoveRules& rules,
                             const ActiveCells& active) {
  MoveCount count;
#if !defined(__CUDA_ARCH__)
  const Geometry& g = cells.geometry;
  const Line line = line_of(g, active.replica, active.y, active.parity);
  const StoredCells stored(cells);
  const FourCells here(stored, line, active.first, active.count);
  if (here.counts() == 0) return count;
  SimdCells active_cells(stored, g, active, here);
  const int slots = active_cells.own_count();
  SimdDisks own[most_in_a_cell];
  for (int slot = 0; slot < slots; ++slot) {
    own[slot] = here.disks(slot);
    own[slot].x = far_where(active_cells.disks < slot + 1, own[slot].x);
  }
  SimdChance chance(g, plan.key, rules, active);
  if (rules.shuffle_particles) shuffle(own, slots, active_cells.disks, chance.fractions());
  for (int slot = 0; slot < slots; ++slot) active_cells.own(slot).put(own[slot].x, own[slot].y);
  const Integers accepted = make_trial_moves(active_cells, g, rules.moves, chance);
  for (int slot = 0; slot < slots; ++slot)
    write_disks({active_cells.own(slot).x, active_cells.own(slot).y}, active.count,
                stored.positions + slot * stored.next_slot + line.begin + active.first);
  for (int l = 0; l < vector_lanes; ++l) {
    if (g.is_part() && !g.owns(2 * (active.first + l) + active.parity, active.y)) continue;
    count.tried += active_cells.disks[l] > 0 ? static_cast<std::uint64_t>(rules.moves) : 0;
    count.accepted += static_cast<std::uint64_t>(accepted[l]);
  }
#endif
  return count;
}

}  // namespace tessera::disks
