// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <tessera/core/streams.hpp>
#include <tessera/disks/configuration.hpp>
#include <tessera/disks/parameters.hpp>
#include <vector>

/// Algorithm 1 once more, for one replica, as plainly as can be: whole numbers of steps, a list of disks per cell, no
/// Kokkos, and every pair of the nine cells tested.
namespace tessera::disks {

class PlainSweeps {
 public:
  using Disk = std::array<std::int64_t, 2>;

  PlainSweeps(const Parameters& p, std::uint64_t seed, const Geometry& g, const Configuration& start)
      : p_(p), seed_(seed), g_(g), cells_(static_cast<std::size_t>(g.columns * g.rows)) {
    const float* next = start.positions.data();
    for (std::size_t c = 0; c < cells_.size(); ++c)
      for (int i = 0; i < start.counts[c]; ++i, next += 2)
        cells_[c].push_back({std::llround(double{next[0]} * one), std::llround(double{next[1]} * one)});
  }

  void sweep() {
    std::uint64_t plan = stream_start(seed_, static_cast<std::uint64_t>(sweeps_++));
    const std::uint64_t key = draw(plan), random = draw(plan);
    std::uint64_t high = random >> 32;
    const auto choice = [&](std::uint64_t choices) {
      const std::uint64_t chosen = high * choices >> 32;
      high = high * choices & 0xffffffffu;
      return chosen;
    };
    const std::uint64_t direction = choice(4);
    std::array<int, 4> order{0, 1, 2, 3};
    if (p_.shuffle_checkerboard)
      for (std::size_t i = 3; i > 0; --i) std::swap(order[i], order[choice(i + 1)]);
    for (const int set : order)
      for (int y = set / 2; y < g_.rows; y += 2)
        for (int x = set % 2; x < g_.columns; x += 2) update(x, y, key);
    const std::size_t axis = direction < 2 ? 0 : 1;
    const std::int64_t side = axis == 0 ? g_.width : g_.height;
    const auto d = static_cast<std::int64_t>((random & 0xffffffffu) * static_cast<std::uint64_t>(side / 2 + 1) >> 32);
    shift(axis, direction % 2 == 1 ? d : -d);
  }

  Configuration configuration() const {
    Configuration c;
    for (const auto& cell : cells_) {
      c.counts.push_back(static_cast<std::uint8_t>(cell.size()));
      for (const Disk& disk : cell)
        for (const std::int64_t steps : disk)
          c.positions.push_back(static_cast<float>(static_cast<double>(steps) / one));
    }
    c.origins = {origin_[0], origin_[1]};
    c.moves = {tried_, accepted_};
    return c;
  }

 private:
  static constexpr double one = 4194304;  // steps in sigma

  static std::uint64_t draw(std::uint64_t& state) {
    Stream stream(state);
    const std::uint64_t random = stream.draw();
    state = stream.state();
    return random;
  }

  std::vector<Disk>& at(int x, int y) {
    return cells_[static_cast<std::size_t>((y + g_.rows) % g_.rows * g_.columns + (x + g_.columns) % g_.columns)];
  }

  bool free(int x, int y, const Disk& to, const Disk* moved) {
    for (int j = -1; j <= 1; ++j)
      for (int i = -1; i <= 1; ++i)
        for (const Disk& disk : at(x + i, y + j)) {
          const std::int64_t dx = disk[0] + i * g_.width - to[0], dy = disk[1] + j * g_.height - to[1];
          if (&disk != moved && dx * dx + dy * dy < std::int64_t{1} << 44) return false;
        }
    return true;
  }

  void update(int x, int y, std::uint64_t key) {
    auto& disks = at(x, y);
    if (disks.empty()) return;
    const std::int64_t in_row = g_.columns + g_.beyond_x, cell = (g_.first_y + y) * in_row + g_.first_x + x;
    std::uint64_t state = mix(key + static_cast<std::uint64_t>(cell + 1) * 0x9e3779b97f4a7c15ULL);
    if (p_.shuffle_particles) {
      std::uint64_t fraction = draw(state) >> 32;
      for (std::size_t i = disks.size() - 1; i > 0; --i) {
        std::swap(disks[i], disks[fraction * (i + 1) >> 32]);
        fraction = fraction * (i + 1) & 0xffffffffu;
      }
    }
    std::vector<Disk> displacements;
    for (int s = 0; s < p_.moves_per_cell; ++s) {
      if (s % 4 == 0) {
        const auto number = static_cast<std::uint64_t>(cell + s / 4 * in_row * (g_.rows + g_.beyond_y));
        if (s > 0) state = mix(key + (number + 1) * 0x9e3779b97f4a7c15ULL);
        displacements = four_displacements(state);
      }
      Disk& disk = disks[static_cast<std::size_t>(s) % disks.size()];
      const Disk v = displacements[static_cast<std::size_t>(s) % 4];
      const Disk to{disk[0] + v[0], disk[1] + v[1]};
      ++tried_;
      if (to[0] < 0 || to[0] >= g_.width || to[1] < 0 || to[1] >= g_.height || !free(x, y, to, &disk)) continue;
      disk = to;
      ++accepted_;
    }
  }

  /// And more, if a number gives one too many.
  std::vector<Disk> four_displacements(std::uint64_t& state) const {
    std::vector<Disk> found;
    while (found.size() < 4) {
      const std::uint64_t random = draw(state);
      for (const int first_bit : {48, 16}) {
        const std::int64_t x = odd_number(random >> first_bit), y = odd_number(random >> (first_bit - 16));
        if (x * x + y * y < std::int64_t{1} << 30) found.push_back({steps_of(x), steps_of(y)});
      }
    }
    return found;
  }

  /// The lowest 16 bits as a signed number, made odd.
  static std::int64_t odd_number(std::uint64_t random) {
    const auto bits = static_cast<std::int64_t>((random & 0xffff) | 1);
    return bits < 0x8000 ? bits : bits - 0x10000;
  }
  std::int64_t steps_of(std::int64_t odd) const {
    const auto length =
        static_cast<float>(static_cast<double>(odd) * double{static_cast<float>(p_.move_radius)} * 0x1.0p-15);
    return std::llrint(std::nearbyint(double{length} * one));
  }

  /// Moves the grid by d steps along an axis.
  void shift(std::size_t axis, std::int64_t d) {
    std::vector<std::vector<Disk>> before(cells_.size());
    std::swap(before, cells_);
    // Who stays comes first in the list of a cell, then who enters.
    for (const bool staying : {true, false})
      for (int y = 0; y < g_.rows; ++y)
        for (int x = 0; x < g_.columns; ++x)
          for (Disk disk : before[static_cast<std::size_t>(y * g_.columns + x)]) {
            const std::int64_t side = axis == 0 ? g_.width : g_.height;
            disk[axis] -= d;
            const int cells = disk[axis] < 0 ? -1 : disk[axis] >= side ? 1 : 0;
            disk[axis] -= cells * side;
            if ((cells == 0) == staying) at(axis == 0 ? x + cells : x, axis == 1 ? y + cells : y).push_back(disk);
          }
    const std::int64_t box = axis == 0 ? g_.steps_x() : g_.steps_y();
    origin_[axis] = ((origin_[axis] + d) % box + box) % box;
  }

  Parameters p_;
  std::uint64_t seed_;
  Geometry g_;
  std::vector<std::vector<Disk>> cells_;
  std::array<std::int64_t, 2> origin_{};
  std::int64_t sweeps_ = 0;
  std::uint64_t tried_ = 0, accepted_ = 0;
};

}  // namespace tessera::disks
