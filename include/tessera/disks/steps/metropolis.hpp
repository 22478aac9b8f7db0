// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <cstdint>
#include <tessera/core/streams.hpp>
#include <tessera/disks/configuration.hpp>
#include <tessera/disks/state/cell_list.hpp>
#include <utility>
#include <vector>

namespace tessera::disks {

/// xoshiro256++ 1.0 (Blackman and Vigna).
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
  /// Disks of `diameter`, 1 or slightly more as a margin for rounding, at `points` in [0, box).
  Metropolis(std::vector<Point> points, const Point& box, double diameter, const Xoshiro& random)
      : points_(std::move(points)), cells_(box, diameter, points_.size()), diameter_(diameter), random_(random) {
    for (std::uint32_t i = 0; i < points_.size(); ++i) cells_.insert(i, points_[i]);
  }

  /// Makes points().size() trial moves of randomly selected disks. A move is accepted if the disk overlaps no other at
  /// its new position; overlaps of the initial configuration disappear. Returns the number of accepted moves.
  std::uint64_t sweep(double radius) {
    std::uint64_t accepted = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) accepted += move(radius) ? 1 : 0;
    return accepted;
  }

  /// Makes one trial move; returns whether it is accepted.
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
      if (to[axis] < 0) to[axis] += box()[axis];
      if (to[axis] >= box()[axis]) to[axis] -= box()[axis];
    }
    if (!is_free(to, disk)) return false;
    cells_.move(disk, points_[disk], to);
    points_[disk] = to;
    return true;
  }

  /// Whether any two disks overlap; calls watch() for each disk until two do.
  template <class Watch>
  bool any_overlap(const Watch& watch) const {
    for (std::uint32_t i = 0; i < points_.size(); ++i) {
      watch();
      if (!is_free(points_[i], i)) return true;
    }
    return false;
  }

  const std::vector<Point>& points() const& { return points_; }
  std::vector<Point> points() && { return std::move(points_); }
  const Point& box() const { return cells_.box(); }
  const Xoshiro& random() const { return random_; }

 private:
  /// Whether disk `moved` overlaps no other disk at p.
  bool is_free(const Point& p, std::uint32_t moved) const {
    return !cells_.any_near(p, [&](std::uint32_t disk, int, int) {
      return disk != moved && cells_.square_distance(p, points_[disk]) < diameter_ * diameter_;
    });
  }

  std::vector<Point> points_;
  CellList cells_;
  double diameter_;
  Xoshiro random_;
};

}  // namespace tessera::disks
