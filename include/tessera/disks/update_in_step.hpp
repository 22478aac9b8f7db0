// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <tessera/disks/cell_update.hpp>
#include <tessera/disks/four_cells.hpp>
#include <tessera/disks/overlap.hpp>
#include <tessera/disks/sweep_plan.hpp>
#include <tessera/disks/vectors.hpp>

namespace tessera::disks {

/// One to four active cells of a row, side by side: columns 2 i + parity, i = first .. first + count - 1, of row y.
struct ActiveCells {
  int replica, y, parity, first, count;
};

namespace detail {

/// A coordinate of what is not there: farther away than any disk can be.
inline constexpr float nowhere = 16.0f;

/// Disks near four cells, in the coordinates of each cell: at most 4 in each of 8 cells, and one to make them even.
struct DisksAround {
  DisksOfLanes disks[8 * most_in_a_cell + 1];
  int number = 0;
};

template <class MemorySpace>
inline void gather(const Cells<MemorySpace>& cells, const Line& line, int first, int count, float offset_x,
                   float offset_y, DisksAround& around) {
  const FourCells<MemorySpace> there(cells, line, first, count);
  const Integers n = unpack(there.counts().bytes);
  const auto take = [&](int slot) {
    const DisksOfLanes d = there.disks(slot);
    around.disks[around.number++] = {select(slot < n, d.x + offset_x, in_all_lanes(nowhere)), d.y + offset_y};
  };
  // Most cells have one or two disks.
  take(0);
  take(1);
  if (there.counts().any_in(2)) take(2);
  if (there.counts().any_in(3)) take(3);
}

/// The disks of the cells around these.
template <class MemorySpace>
inline void gather_around(const Cells<MemorySpace>& cells, const ActiveCells& active, DisksAround& around) {
  const Geometry& g = cells.geometry;
  const float w = g.cell_width(), h = g.cell_height();
  const int left = active.first + active.parity - 1;
  for (int j = -1; j <= 1; ++j) {
    const int row = g.wrap_row(active.y + j);
    const Line beside = line_of(g, active.replica, row, 1 - active.parity);
    const float offset_y = static_cast<float>(j) * h;
    gather(cells, beside, left, active.count, -w, offset_y, around);
    if (j != 0)
      gather(cells, line_of(g, active.replica, row, active.parity), active.first, active.count, 0, offset_y, around);
    gather(cells, beside, left + 1, active.count, w, offset_y, around);
  }
  const Floats far = in_all_lanes(nowhere);
  if (around.number % 2 != 0) around.disks[around.number++] = {far, far};
}

/// draw() of each lane's stream.
struct DrawsOfLanes {
  std::uint64_t of[vector_lanes];
};
inline DrawsOfLanes draw(std::uint64_t* streams) {
  DrawsOfLanes random;
  for (int l = 0; l < vector_lanes; ++l) {
    Stream stream(streams[l]);
    random.of[l] = stream.draw();
    streams[l] = stream.state();
  }
  return random;
}

/// shuffle_own() in each lane, of n disks, at most `slots`.
inline void shuffle_own(std::uint64_t* streams, DisksOfLanes* own, const Integers& n, int slots) {
  const DrawsOfLanes random = draw(streams);
  std::uint32_t fractions[vector_lanes];
  for (int l = 0; l < vector_lanes; ++l) fractions[l] = static_cast<std::uint32_t>(random.of[l] >> 32);
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

/// The displacements of each lane, in the order in which draw_displacement() gives them.
class Displacements {
 public:
  Displacements(std::uint64_t* streams, int moves, float radius) : streams_(streams), radius_(radius) {
    const int draws = moves < 4 ? moves + 2 : 6;  // of which most are in the circle
    for (int i = 0; i < draws; ++i) draw_some();
    ready_ = lists_.size(0);
    for (int l = 1; l < vector_lanes; ++l) ready_ = lists_.size(l) < ready_ ? lists_.size(l) : ready_;
  }

  /// Of move number s = 0, 1, ...
  DisksOfLanes of_move(int s) {
    if (s >= ready_)
      for (int l = 0; l < vector_lanes; ++l) {
        if (s < lists_.size(l)) continue;
        Stream stream(streams_[l]);
        lists_.put(s % ListsOfLanes::room, l, draw_displacement(stream, radius_));
        streams_[l] = stream.state();
      }
    return lists_.at(s % ListsOfLanes::room);
  }

 private:
  /// draw_displacement() as long as it takes one draw.
  void draw_some() {
    const DrawsOfLanes random = draw(streams_);
    const auto a = reinterpret_cast<Integers>(Words{random.of[0], random.of[1]});
    const auto b = reinterpret_cast<Integers>(Words{random.of[2], random.of[3]});
    const Integers low = __builtin_shufflevector(a, b, 0, 2, 4, 6) | 1;
    const Integers high = __builtin_shufflevector(a, b, 1, 3, 5, 7) | 1;
    const float scale = radius_ * 0x1.0p-31f;
    const Floats x = (__builtin_convertvector(high, Floats) * scale + 3.0f) - 3.0f;
    const Floats y = (__builtin_convertvector(low, Floats) * scale + 3.0f) - 3.0f;
    lists_.append(x * x + y * y <= radius_ * radius_, {x, y});
  }

  std::uint64_t* streams_;
  float radius_;
  ListsOfLanes lists_;
  int ready_ = 0;  ///< in all lanes
};

/// overlaps_any() in one lane, exactly.
inline bool overlaps_exactly(const DisksOfLanes* own, int slots, const DisksAround& around, int lane, int moved,
                             const DisksOfLanes& to) {
  bool any = false;
  const auto test = [&](const DisksOfLanes& d) {
    any = any || overlap(d.x[lane] - to.x[lane], d.y[lane] - to.y[lane]);
  };
  for (int k = 0; k < slots; ++k)
    if (k != moved) test(own[k]);
  for (int k = 0; k < around.number; ++k) test(around.disks[k]);
  return any;
}

/// In which lanes the disk in slot `moved` may go to a place in the cell: all bits or none.
inline Integers free_lanes(const DisksOfLanes* own, int slots, const DisksAround& around, const Integers& moved,
                           const DisksOfLanes& to, const Integers& stays) {
  const Floats far = in_all_lanes(nowhere);
  Floats closest[2] = {far, far};
  for (int k = 0; k < slots; ++k) closest[0] = smaller(select(moved == k, far, square(own[k], to)), closest[0]);
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

/// What update_cell() does, as a core of a host does it fastest: for active cells that lie side by side, in step, a
/// cell in each lane of vectors.
template <class MemorySpace>
inline MoveCount update_in_step(const Cells<MemorySpace>& cells, const SweepPlan& plan, const MoveRules& rules,
                                const ActiveCells& active) {
  const Geometry& g = cells.geometry;
  const Line line = line_of(g, active.replica, active.y, active.parity);
  const FourCells<MemorySpace> here(cells, line, active.first, active.count);
  if (here.counts().bytes == 0) return {};
  const Integers n = unpack(here.counts().bytes);
  const int slots = here.counts().slots();
  DisksOfLanes own[most_in_a_cell];
  for (int slot = 0; slot < slots; ++slot) {
    own[slot] = here.disks(slot);
    own[slot].x = select(slot < n, own[slot].x, in_all_lanes(detail::nowhere));
  }
  detail::DisksAround around;
  detail::gather_around(cells, active, around);

  std::uint64_t streams[vector_lanes];
  for (int l = 0; l < vector_lanes; ++l)
    streams[l] = cell_stream(plan.key, active.y * g.columns + 2 * (active.first + l) + active.parity).state();
  if (rules.shuffle_particles) detail::shuffle_own(streams, own, n, slots);

  const float w = g.cell_width(), h = g.cell_height();
  detail::Displacements displacements(streams, rules.moves, rules.radius);
  Integers moved{}, accepted{};
  for (int s = 0; s < rules.moves; ++s) {
    DisksOfLanes to = own[0];
    for (int slot = 1; slot < slots; ++slot) {
      to.x = select(moved == slot, own[slot].x, to.x);
      to.y = select(moved == slot, own[slot].y, to.y);
    }
    const DisksOfLanes displacement = displacements.of_move(s);
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
    write_disks(own[slot], active.count, &cells.position(slot, line.begin + active.first));
  MoveCount count;
  for (int l = 0; l < vector_lanes; ++l) {
    count.tried += n[l] > 0 ? static_cast<std::uint64_t>(rules.moves) : 0;
    count.accepted += static_cast<std::uint64_t>(accepted[l]);
  }
  return count;
}

}  // namespace tessera::disks
