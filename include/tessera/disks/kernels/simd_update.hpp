// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <tessera/core/simd_streams.hpp>
#include <tessera/disks/kernels/simd_cells.hpp>
#include <tessera/disks/kernels/simd_vectors.hpp>
#include <tessera/disks/overlap.hpp>
#include <tessera/disks/sweep_plan.hpp>
#include <tessera/disks/trial_moves.hpp>

namespace tessera::disks {

/// One to four active cells of a row, side by side: columns 2 i + parity, i = first .. first + count - 1, of row y.
struct ActiveCells {
  int replica, y, parity, first, count;
};

namespace detail {

/// Disks near four cells, in the coordinates of each cell: at most 4 in each of 8 cells, and one to make them even.
/// What is not there is at NaN, which no distance is smaller for.
struct DisksAround {
  SimdDisks disks[8 * most_in_a_cell + 1];
  int number = 0;
};

/// Writes them to `to` and returns the end of what was written.
inline SimdDisks* gather(const FourCells& there, float offset_x, float offset_y, SimdDisks* to) {
  const Integers n = unpack(there.counts.bytes);
  const auto take = [&](int slot) {
    const SimdDisks d = there.disks(slot);
    *to++ = {nan_where(n < slot + 1, d.x + offset_x), d.y + offset_y};
  };
  // Most cells have one or two disks.
  take(0);
  take(1);
  if (there.counts.any_in(2)) take(2);
  if (there.counts.any_in(3)) take(3);
  return to;
}

/// The disks of the cells around these.
inline void gather_around(const StoredCells& cells, const Geometry& g, const ActiveCells& active, DisksAround& around) {
  const float w = g.cell_width(), h = g.cell_height();
  const int left = active.first + active.parity - 1;
  CopiesOfCells copies;
  SimdDisks* end = around.disks;
  for (int j = -1; j <= 1; ++j) {
    const Line even = line_of(g, active.replica, g.wrap_row(active.y + j), 0);
    const Line odd{even.begin + even.length, even.length};
    const Line& beside = active.parity == 0 ? odd : even;
    const float offset_y = static_cast<float>(j) * h;
    end = gather(copies.four(cells, beside, left, active.count), -w, offset_y, end);
    if (j != 0)
      end = gather(copies.four(cells, active.parity == 0 ? even : odd, active.first, active.count), 0, offset_y, end);
    end = gather(copies.four(cells, beside, left + 1, active.count), w, offset_y, end);
  }
  const Floats none = nan_where(Integers{} == 0, Floats{});
  around.number = static_cast<int>(end - around.disks);
  if (around.number % 2 != 0) around.disks[around.number++] = {none, none};
}

/// The streams of four lanes.
class SimdStreams {
 public:
  explicit SimdStreams(const std::uint64_t (&states)[vector_lanes])
      : states_{{states[0], states[1]}, {states[2], states[3]}} {}

  /// The lower and the upper halves of a random number of each.
  struct Halves {
    Integers low, high;
  };
  Halves draw() {
    const auto a = reinterpret_cast<Integers>(draw_both(states_[0]));
    const auto b = reinterpret_cast<Integers>(draw_both(states_[1]));
    return {__builtin_shufflevector(a, b, 0, 2, 4, 6), __builtin_shufflevector(a, b, 1, 3, 5, 7)};
  }
  Stream get(int lane) const { return Stream(states_[lane / 2][lane % 2]); }

 private:
  TwoWords states_[2];
};

/// Fisher-Yates in each lane, on n disks, at most `slots`.
inline void shuffle_own(SimdStreams& streams, SimdDisks* own, const Integers& n, int slots) {
  const Integers random = streams.draw().high;
  std::uint32_t fractions[vector_lanes];
  for (int l = 0; l < vector_lanes; ++l) fractions[l] = static_cast<std::uint32_t>(random[l]);
  for (int i = slots - 1; i > 0; --i) {
    Integers other;
    for (int l = 0; l < vector_lanes; ++l) {
      std::uint32_t rest = fractions[l];
      const int chosen = choose(rest, i + 1);
      other[l] = i < n[l] ? chosen : i;
      fractions[l] = i < n[l] ? rest : fractions[l];
    }
    for (int k = 0; k < i; ++k) {
      exchange(other == k, own[i].x, own[k].x);
      exchange(other == k, own[i].y, own[k].y);
    }
  }
}

/// The displacements of a group of moves in each lane, as find_points() does.
class Displacements {
 public:
  Displacements(SimdStreams& streams, int moves, float radius) : scale_(SquarePoint::scale(radius)) {
    const int needed = moves < moves_of_a_group ? moves : moves_of_a_group;
    Integers found{};
    for (int draws = most_draws; draws > 0; --draws) {  // enough in most lanes
      const auto random = streams.draw();
      append(random.high, found);
      append(random.low, found);
    }
    for (int l = 0; l < vector_lanes; ++l) {
      if (found[l] >= needed) continue;
      Stream stream = streams.get(l);
      find_points(stream, found[l], needed, PutBits{points_[l]});
    }
  }

  /// Of move number s of the group.
  SimdDisks of_move(int s) const {
    const auto i = static_cast<std::size_t>(s);
    const Integers points{points_[0][i], points_[1][i], points_[2][i], points_[3][i]};
    const Integers odd_x = points >> 16, odd_y = (points << 16) >> 16;
    const float scale = scale_;
    const Floats x = (__builtin_convertvector(odd_x, Floats) * scale + 3.0f) - 3.0f;
    const Floats y = (__builtin_convertvector(odd_y, Floats) * scale + 3.0f) - 3.0f;
    return {x, y};
  }

 private:
  static constexpr int most_draws = 4;

  /// Appends a point of each lane, if it is in the circle: what is not kept is written over next.
  void append(const Integers& random, Integers& found) {
    const Integers points = random | SquarePoint::made_odd, x = points >> 16, y = (points << 16) >> 16;
    for (int l = 0; l < vector_lanes; ++l) points_[l][found[l]] = points[l];
    const Integers squares = x * x + y * y;
    found -= squares < SquarePoint::square_radius;
  }

  float scale_;
  std::int32_t points_[vector_lanes][2 * most_draws + 1];
};

/// Whether a disk overlaps another one, in one lane, exactly.
inline bool overlaps_exactly(const SimdDisks* own, int slots, const DisksAround& around, int lane, int moved,
                             const SimdDisks& to) {
  bool any = false;
  const auto test = [&](const SimdDisks& d) {
    const float dx = d.x[lane] - to.x[lane], dy = d.y[lane] - to.y[lane];
    any = any || (dx * dx + dy * dy <= surely_apart && overlap(dx, dy));
  };
  for (int k = 0; k < slots; ++k)
    if (k != moved) test(own[k]);
  for (int k = 0; k < around.number; ++k) test(around.disks[k]);
  return any;
}

/// In which lanes the disk in slot `moved` may go to a place in the cell: all bits or none.
inline Integers free_lanes(const SimdDisks* own, int slots, const DisksAround& around, const Integers& moved,
                           const SimdDisks& to, const Integers& stays) {
  constexpr float far = 16;
  Floats closest[2] = {in_all_lanes(far), in_all_lanes(far)};
  for (int k = 0; k < slots; ++k) closest[0] = smaller(nan_where(moved == k, square(own[k], to)), closest[0]);
  for (int k = 0; k < around.number; k += 2) {
    closest[0] = smaller(square(around.disks[k], to), closest[0]);
    closest[1] = smaller(square(around.disks[k + 1], to), closest[1]);
  }
  const Floats least = smaller(closest[0], closest[1]);
  Integers free = stays & (least > surely_apart);
  const Integers unsure = stays & (least >= surely_overlap) & (least <= surely_apart);
  if (any(unsure))
    for (int l = 0; l < vector_lanes; ++l)
      if (unsure[l] != 0) free[l] = overlaps_exactly(own, slots, around, l, moved[l], to) ? 0 : -1;
  return free;
}

}  // namespace detail

/// Algorithm 2 as a core of a host does it fastest: for active cells that lie side by side, by SIMD, a cell in each
/// lane of vectors. Returns the numbers of moves tried and accepted.
template <class MemorySpace>
inline MoveCount update_simd(const Cells<MemorySpace>& cells, const SweepPlan& plan, const MoveRules& rules,
                             const ActiveCells& active) {
  const Geometry& g = cells.geometry;
  const Line line = line_of(g, active.replica, active.y, active.parity);
  const StoredCells stored(cells);
  CopiesOfCells copies;
  const FourCells here = copies.four(stored, line, active.first, active.count);
  if (here.counts.bytes == 0) return {};
  const Integers n = unpack(here.counts.bytes);
  const int slots = here.counts.slots();
  SimdDisks own[most_in_a_cell];
  for (int slot = 0; slot < slots; ++slot) {
    own[slot] = here.disks(slot);
    own[slot].x = nan_where(n < slot + 1, own[slot].x);
  }
  detail::DisksAround around;
  detail::gather_around(stored, g, active, around);

  const auto streams_of = [&](int group) {
    std::uint64_t starts[vector_lanes];
    for (int l = 0; l < vector_lanes; ++l) {
      const int number = active.y * g.columns + 2 * (active.first + l) + active.parity;
      starts[l] = cell_stream(plan.key, number + std::int64_t{group} * g.cells()).state();
    }
    return detail::SimdStreams(starts);
  };
  detail::SimdStreams streams = streams_of(0);
  if (rules.shuffle_particles) detail::shuffle_own(streams, own, n, slots);

  const float w = g.cell_width(), h = g.cell_height();
  detail::Displacements displacements(streams, rules.moves, rules.radius);
  Integers moved{}, accepted{};
  for (int s = 0; s < rules.moves; ++s) {
    SimdDisks to = own[0];
    for (int slot = 1; slot < slots; ++slot) {
      to.x = select(moved == slot, own[slot].x, to.x);
      to.y = select(moved == slot, own[slot].y, to.y);
    }
    const int of_group = s % moves_of_a_group;
    if (s > 0 && of_group == 0) {
      streams = streams_of(s / moves_of_a_group);
      displacements = detail::Displacements(streams, rules.moves - s, rules.radius);
    }
    const SimdDisks displacement = displacements.of_move(of_group);
    to.x += displacement.x;
    to.y += displacement.y;
    const Integers stays = (to.x >= 0) & (to.x < w) & (to.y >= 0) & (to.y < h);
    const Integers free = detail::free_lanes(own, slots, around, moved, to, stays);
    for (int slot = 0; slot < slots; ++slot) {
      const Integers change = free & (moved == slot);
      own[slot].x = select(change, to.x, own[slot].x);
      own[slot].y = select(change, to.y, own[slot].y);
    }
    accepted -= free;
    moved += 1;
    moved &= moved < n;
  }
  for (int slot = 0; slot < slots; ++slot)
    write_disks(own[slot], active.count, stored.positions + slot * stored.next_slot + line.begin + active.first);
  MoveCount count;
  for (int l = 0; l < vector_lanes; ++l) {
    count.tried += n[l] > 0 ? static_cast<std::uint64_t>(rules.moves) : 0;
    count.accepted += static_cast<std::uint64_t>(accepted[l]);
  }
  return count;
}

}  // namespace tessera::disks
