// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <cstdint>
#include <tessera/core/streams.hpp>
#include <tessera/kpz/parameters.hpp>
#include <vector>

namespace tessera::testing {

/// The decomposition schemes as the paper tells them, one attempt after the other, on plain heights: no words, no
/// windows, no packed coordinates. One replica.
class PlainScheme {
 public:
  explicit PlainScheme(const kpz::Parameters& p)
      : p_(p),
        domain_(kpz::domain_side(p)),
        border_(kpz::border_width(p)),
        tiled_(!kpz::has_dead_border(p.device_layer)),
        period_(tiled_ ? 2 * domain_ : domain_),
        cell_x_(4 << thread_cell(p).x),
        cell_y_(4 << thread_cell(p).y),
        cells_((domain_ / cell_x_) * (domain_ / cell_y_)),
        domains_((p.nx / period_) * (p.ny / period_)) {
    for (int y = 0; y < p.ny; ++y)
      for (int x = 0; x < p.nx; ++x) heights_.push_back((x + y) % 2);
    attempts_.resize(heights_.size());
    for (int i = 0; i < domains_ * (cells_ + 1); ++i)
      streams_.emplace_back(stream_start(p.seed, static_cast<std::uint64_t>(i)));
  }

  void interval() {
    int origin_x = 0, origin_y = 0;
    if (p_.device_layer != kpz::DeviceLayer::double_tiling) {
      const std::uint64_t random = hash(p_.seed, interval_, Purpose::kpz_origin);
      origin_x = static_cast<int>((random >> 40) % static_cast<unsigned>(period_));
      origin_y = static_cast<int>((random % (1 << 24)) % static_cast<unsigned>(period_));
    }
    if (p_.device_layer == kpz::DeviceLayer::coarse_dead_border) {
      origin_x -= origin_x % 4;
      origin_y -= origin_y % 4;
    }
    std::vector<std::array<int, 2>> left{{0, 0}, {1, 0}, {0, 1}, {1, 1}};
    if (!tiled_) left.resize(1);
    auto order = static_cast<std::uint32_t>((hash(p_.seed, interval_, Purpose::kpz_order) >> 32) * 24 >> 32);
    while (!left.empty()) {
      const auto choice = tiled_ ? order % static_cast<std::uint32_t>(left.size()) : 0;
      if (tiled_) order /= static_cast<std::uint32_t>(left.size());
      const auto [set_x, set_y] = left[choice];
      left.erase(left.begin() + choice);
      for (int n = 0; n < domains_; ++n) {
        const int in_row = p_.nx / period_;
        work_on(n, origin_x + set_x * domain_ + n % in_row * period_,
                origin_y + set_y * domain_ + n / in_row * period_);
      }
    }
    ++interval_;
  }

  int height(int x, int y) const { return heights_[index(x, y)]; }
  const std::vector<int>& heights() const { return heights_; }
  /// Attempts at each site outside dead borders, [ny, nx].
  const std::vector<std::uint32_t>& attempts() const { return attempts_; }

 private:
  struct Site {
    int x, y;       ///< in the lattice
    bool side;      ///< at the right or the upper border of the thread cell, not at both
    double chance;  ///< uniform in [0, 1)
    bool alive;     ///< in no dead border of the domain
  };

  static int wrap(int a, int n) { return ((a % n) + n) % n; }
  std::size_t index(int x, int y) const { return static_cast<std::size_t>(wrap(y, p_.ny) * p_.nx + wrap(x, p_.nx)); }
  int& at(int x, int y) { return heights_[index(x, y)]; }
  bool certain() const { return (p_.p == 0 || p_.q == 0) && std::max(p_.p, p_.q) == 1; }
  bool both() const { return p_.p > 0 && p_.q > 0; }

  /// +2, -2 or 0: what an attempt does to the height.
  int change(const Site& s) const {
    const int h = height(s.x, s.y);
    int higher = 0;
    for (const auto& [dx, dy] : {std::array{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) higher += height(s.x + dx, s.y + dy) > h;
    if (!s.alive) return 0;
    if (higher == 4 && s.chance < p_.p) return 2;
    if (higher == 0 && s.chance < p_.q) return -2;
    return 0;
  }

  void work_on(int n, int corner_x, int corner_y) {
    const auto first = static_cast<std::size_t>(n * cells_);
    Stream& shifts = streams_[static_cast<std::size_t>(domains_ * cells_ + n)];
    const bool db = p_.block_layer == kpz::BlockLayer::dead_border;
    const int field = std::max(cell_x_, cell_y_) <= 16 ? 4 : 8;
    const int a_draw = 32 / field;
    const int rounds = static_cast<int>(kpz::async_interval(p_) * cell_x_ * cell_y_);
    std::uint64_t shift_draw = 0;
    std::vector<std::uint64_t> draws(static_cast<std::size_t>(cells_));
    for (int round = 0; round < rounds; ++round) {
      const int i = round % a_draw, from = i < a_draw / 2 ? i * field : 32 + (i - a_draw / 2) * field;
      if (i == 0) shift_draw = shifts.draw();
      int shift_x = part(shift_draw, from, cell_x_), shift_y = part(shift_draw, from + 16, cell_y_);
      if (!db) {
        shift_x -= shift_x % (cell_x_ / 2);
        shift_y -= shift_y % (cell_y_ / 2);
      }
      std::vector<Site> sites;
      for (int c = 0; c < cells_; ++c) {
        std::uint64_t& draw = draws[static_cast<std::size_t>(c)];
        if (i == 0 || (!certain() && i % 2 == 0)) draw = streams_[first + static_cast<std::size_t>(c)].draw();
        const int range_x = db ? cell_x_ : cell_x_ / 2, range_y = db ? cell_y_ : cell_y_ / 2;
        const std::uint64_t half = i % 2 == 0 ? draw % (std::uint64_t{1} << 32) : draw >> 32;  // of two attempts
        const int x = certain() ? part(draw, from, range_x) : static_cast<int>(half) & (range_x - 1),
                  y = certain() ? part(draw, from + 16, range_y)
                                : static_cast<int>(half / static_cast<unsigned>(range_x)) & (range_y - 1);
        const int in_x = wrap(c % (domain_ / cell_x_) * cell_x_ + shift_x + x, domain_);
        const int in_y = wrap(c / (domain_ / cell_x_) * cell_y_ + shift_y + y, domain_);
        const bool alive = in_x < domain_ - border_ && in_y < domain_ - border_;
        attempts_[index(corner_x + in_x, corner_y + in_y)] += alive;
        sites.push_back({corner_x + in_x, corner_y + in_y, db && (x == cell_x_ - 1) != (y == cell_y_ - 1),
                         certain() ? 0 : static_cast<double>(half) * 0x1p-32, alive});
      }
      if (db && both()) {
        for (const bool side : {false, true}) update(sites, side);
      } else {
        for (Site& s : sites) s.side = false;
        update(sites, false);
      }
    }
  }

  /// All sites on sides, or all others, decided on the state before.
  void update(const std::vector<Site>& sites, bool side) {
    std::vector<int> changes;
    for (const Site& s : sites) changes.push_back(s.side == side ? change(s) : 0);
    for (std::size_t i = 0; i < sites.size(); ++i) at(sites[i].x, sites[i].y) += changes[i];
  }

  static int part(std::uint64_t draw, int from, int range) {
    return static_cast<int>((draw >> from) % static_cast<unsigned>(range));
  }

  kpz::Parameters p_;
  int domain_, border_;
  bool tiled_;
  int period_, cell_x_, cell_y_, cells_, domains_;
  std::uint64_t interval_ = 0;
  std::vector<int> heights_;
  std::vector<std::uint32_t> attempts_;
  std::vector<Stream> streams_;
};

/// The bit code of a surface of heights, [ny, nx], bit by bit: the parity of (h - x - y) / 2, 32 sites of a row in a
/// word, in which those of narrower lattices stand several times.
inline std::vector<std::uint32_t> words_of(const std::vector<int>& heights, int nx, int ny) {
  std::vector<std::uint32_t> words;
  for (int y = 0; y < ny; ++y)
    for (int first = 0; first < nx; first += 32) {
      words.push_back(0);
      for (int i = 0; i < 32; ++i) {
        const int x = (first + i) % nx, twice = heights[static_cast<std::size_t>(y * nx + x)] - x - y;
        if (twice % 4 != 0) words.back() |= 1u << i;
      }
    }
  return words;
}

}  // namespace tessera::testing
