// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <tessera/core/streams.hpp>
#include <tessera/disks/configuration.hpp>
#include <vector>

namespace tessera::disks {

/// xoshiro256++ 1.0 (Blackman and Vigna), the generator of the sequential method.
class Xoshiro {
 public:
  using State = std::array<std::uint64_t, 4>;

  explicit Xoshiro(std::uint64_t seed) {
    for (std::size_t i = 0; i < 4; ++i) state_[i] = hash(seed, i, Purpose::disks_sequential);
  }
  explicit Xoshiro(const State& state) : state_(state) {}

  std::uint64_t draw() {
    const auto rotated = [](std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); };
    const std::uint64_t random = rotated(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotated(state_[3], 45);
    return random;
  }
  /// Uniform number in [0, 1).
  double uniform() { return static_cast<double>(draw() >> 11) * 0x1.0p-53; }
  /// Uniform integer in 0 .. n - 1; n is below 2^32.
  std::uint64_t below(std::uint64_t n) { return (draw() >> 32) * n >> 32; }

  const State& state() const { return state_; }

 private:
  State state_{};
};

/// Sequential Metropolis Monte Carlo of hard disks in a periodic box with a cell list (figure 1). Coordinates have
/// double precision. Each side of the box must be at least two diameters.
class Metropolis {
 public:
  /// Disks of `diameter` (1, or slightly more as a margin for rounding) at `points`, in [0, box).
  Metropolis(std::vector<Point> points, double box_x, double box_y, double diameter, const Xoshiro& random)
      : points_(std::move(points)), box_{box_x, box_y}, square_(diameter * diameter), random_(random) {
    make_cells(diameter);
  }

  /// Makes `points().size()` trial moves of randomly selected disks. A move is accepted if the disk overlaps no other
  /// at its new position; overlaps in the initial configuration vanish in time. Returns the number of accepted moves.
  std::uint64_t sweep(double radius) {
    std::uint64_t accepted = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) accepted += move(radius) ? 1 : 0;
    return accepted;
  }

  /// Makes one trial move of a sweep. Returns whether it is accepted.
  bool move(double radius) {
    const auto disk = static_cast<std::uint32_t>(random_.below(points_.size()));
    double vx = 0, vy = 0;
    do {
      vx = 2 * random_.uniform() - 1;
      vy = 2 * random_.uniform() - 1;
    } while (vx * vx + vy * vy > 1);
    Point to = points_[disk];
    to[0] += radius * vx;
    to[1] += radius * vy;
    for (const std::size_t axis : {std::size_t{0}, std::size_t{1}}) {
      if (to[axis] < 0) to[axis] += box_[axis];
      if (to[axis] >= box_[axis]) to[axis] -= box_[axis];
    }
    if (!is_free(to, disk)) return false;
    const std::size_t from_cell = cell_of(points_[disk]), to_cell = cell_of(to);
    if (from_cell != to_cell) {
      remove(disk, from_cell);
      insert(disk, to_cell);
    }
    points_[disk] = to;
    return true;
  }

  /// Whether a disk overlaps another one, and the number of disks that do.
  bool overlaps(std::uint32_t disk) const { return !is_free(points_[disk], disk); }
  std::uint64_t overlapping() const {
    std::uint64_t count = 0;
    for (std::uint32_t i = 0; i < points_.size(); ++i) count += overlaps(i) ? 1 : 0;
    return count;
  }

  const std::vector<Point>& points() const { return points_; }
  const Point& box() const { return box_; }
  const Xoshiro& random() const { return random_; }
  std::size_t bytes() const { return points_.size() * (sizeof(Point) + 4) + members_.size() * 4 + counts_.size(); }

 private:
  static constexpr std::size_t room = 16;  ///< capacity of a cell, whose sides are below 1.5 diameters

  void make_cells(double diameter) {
    for (const std::size_t axis : {std::size_t{0}, std::size_t{1}}) {
      cells_[axis] = std::max(1, static_cast<int>(box_[axis] / diameter));
      offsets_[axis] = cells_[axis] == 1   ? std::vector<int>{0}
                       : cells_[axis] == 2 ? std::vector<int>{0, 1}
                                           : std::vector<int>{-1, 0, 1};
    }
    counts_.assign(static_cast<std::size_t>(cells_[0]) * static_cast<std::size_t>(cells_[1]), 0);
    members_.assign(counts_.size() * room, 0);
    for (std::uint32_t i = 0; i < points_.size(); ++i) insert(i, cell_of(points_[i]));
  }

  int cell_along(double value, std::size_t axis) const {
    return std::min(static_cast<int>(value / box_[axis] * cells_[axis]), cells_[axis] - 1);
  }
  std::size_t cell_of(const Point& p) const {
    return static_cast<std::size_t>(cell_along(p[1], 1)) * static_cast<std::size_t>(cells_[0]) +
           static_cast<std::size_t>(cell_along(p[0], 0));
  }
  void insert(std::uint32_t disk, std::size_t cell) {
    if (counts_[cell] == room) Kokkos::abort("tessera::disks: too many disks in a cell, so that some of them overlap");
    members_[cell * room + counts_[cell]++] = disk;
  }
  void remove(std::uint32_t disk, std::size_t cell) {
    std::uint32_t* const first = &members_[cell * room];
    *std::find(first, first + counts_[cell], disk) = first[counts_[cell] - 1];
    --counts_[cell];
  }

  double nearest_image(double d, std::size_t axis) const {
    d = std::abs(d);
    return d > box_[axis] / 2 ? box_[axis] - d : d;
  }

  /// Whether disk `moved` overlaps no other disk at p.
  bool is_free(const Point& p, std::uint32_t moved) const {
    const int x = cell_along(p[0], 0), y = cell_along(p[1], 1);
    for (const int j : offsets_[1])
      for (const int i : offsets_[0]) {
        const auto column = static_cast<std::size_t>((x + i + cells_[0]) % cells_[0]);
        const auto row = static_cast<std::size_t>((y + j + cells_[1]) % cells_[1]);
        const std::size_t cell = row * static_cast<std::size_t>(cells_[0]) + column;
        for (std::size_t k = cell * room; k < cell * room + counts_[cell]; ++k) {
          if (members_[k] == moved) continue;
          const Point& q = points_[members_[k]];
          const double dx = nearest_image(p[0] - q[0], 0), dy = nearest_image(p[1] - q[1], 1);
          if (dx * dx + dy * dy < square_) return false;
        }
      }
    return true;
  }

  std::vector<Point> points_;
  Point box_;
  double square_;
  Xoshiro random_;
  std::array<int, 2> cells_{};
  std::array<std::vector<int>, 2> offsets_;
  std::vector<std::uint8_t> counts_;
  std::vector<std::uint32_t> members_;
};

}  // namespace tessera::disks
