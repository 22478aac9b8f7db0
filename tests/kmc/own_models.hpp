// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <tessera/core/exact_arithmetic.hpp>
#include <tessera/core/streams.hpp>
#include <tessera/kmc/model.hpp>
#include <vector>

namespace tessera::kmc {

/// A model with eight neighbours, of which the diagonal ones count half, whose new state is drawn: three species that
/// turn into one another, quicker beside cells of another species; without mean_waiting_time().
class Species {
 public:
  using State = std::int16_t;
  static constexpr int neighbours = 8;
  using Around = kmc::Neighbourhood<State, neighbours>;
  static constexpr kmc::SiteObservable site_observables[] = {{"of_species_2", ""}, {"like_diagonals", ""}};

  KOKKOS_FUNCTION double rate(const Around& n) const {
    double rate = 0.25;
    for (int k = 0; k < 8; ++k) rate += n.around[k] == n.centre ? 0.0 : (k < 4 ? 1.0 : 0.5);
    return rate;
  }
  double largest_rate() const { return 6.25; }
  KOKKOS_FUNCTION State next(const Around& n, Stream& stream) const {
    return static_cast<State>((n.centre + 1 + static_cast<int>(stream.draw() >> 63)) % 3);
  }
  KOKKOS_FUNCTION State initial(std::uint64_t random) const { return static_cast<State>(random % 3); }
  KOKKOS_FUNCTION std::int64_t observe(int which, const Around& n) const {
    if (which == 0) return n.centre == 2;
    return (n.around[4] == n.centre) + (n.around[5] == n.centre) + (n.around[6] == n.centre) +
           (n.around[7] == n.centre);
  }
  std::vector<kmc::ClusterKind> clusters() const {
    return {{"twos", "sizes_of_twos", 1, 1, {{0, 0, 1, 0}, {0, 0, 2, 1}}}};
  }
  KOKKOS_FUNCTION bool in_cluster(int, int, State state) const { return state == 2; }
};

/// Cells that adsorb once, unless a neighbour has: random sequential adsorption with exclusion. It comes to an end.
class Adsorption {
 public:
  using State = std::int8_t;
  static constexpr int neighbours = 4;
  using Around = kmc::Neighbourhood<State, neighbours>;

  KOKKOS_FUNCTION double rate(const Around& n) const {
    return n.centre + n.around[0] + n.around[1] + n.around[2] + n.around[3] == 0 ? 1 : 0;
  }
  double largest_rate() const { return 1; }
  KOKKOS_FUNCTION State next(const Around&, Stream&) const { return 1; }
};

/// Events of pairs without a pattern, which differ with the seed: three species; the rate, a multiple of 1/8 and at
/// most 15/8, is a hash of the cell and of the 24 cells around it. An event changes the cell, a nearest neighbour, or
/// both.
class RandomPairs {
 public:
  using State = std::int8_t;
  static constexpr int neighbours = 24;
  using Around = kmc::Neighbourhood<State, neighbours>;
  static constexpr const char* counted[] = {"of_cells", "of_neighbours", "of_both"};

  explicit RandomPairs(std::uint64_t seed = 1) : seed_(seed) {}
  KOKKOS_FUNCTION double rate(const Around& n) const {
    std::uint64_t hash = (seed_ ^ static_cast<std::uint64_t>(n.centre)) * 0x9e3779b97f4a7c15u;
    for (const State state : n.around)
      hash = (hash ^ hash >> 29 ^ static_cast<std::uint64_t>(state)) * 0xbf58476d1ce4e5b9u;
    return 0.125 * static_cast<double>(hash >> 60);
  }
  double largest_rate() const { return 1.875; }
  KOKKOS_FUNCTION kmc::Event<State> event(const Around& n, Stream& stream) const {
    const std::uint64_t bits = stream.draw();
    const int direction = static_cast<int>(bits >> 62), kind = static_cast<int>((bits >> 32) % 3);
    const auto other = [](State state, std::uint64_t bit) { return static_cast<State>((state + 1 + (bit & 1)) % 3); };
    return {.centre = other(n.centre, bits >> 30),
            .beside = other(n.around[direction], bits >> 31),
            .direction = direction,
            .changes_centre = kind != 1,
            .changes_beside = kind != 0,
            .group = kind};
  }
  KOKKOS_FUNCTION State initial(std::uint64_t random) const { return static_cast<State>(random % 3); }

 private:
  std::uint64_t seed_;
};

/// Listed events of the largest reach, at offsets that differ with the seed. The number of a cell, 0 to 3, is a part of
/// a large state; an event raises it by one, or that of a cell two away by two, at a rate that depends on the numbers
/// of the cell and of three cells four away.
class RandomListed {
 public:
  using State = std::int64_t;
  static constexpr int neighbours = 8, reads = 4, writes = 2;
  using Around = kmc::Surroundings<State>;
  static constexpr const char* counted[] = {"here", "beside"};
  static constexpr State one = State{1} << 40;

  explicit RandomListed(std::uint64_t seed = 1) {
    std::mt19937_64 random(seed);
    const auto away = [&](int distance) {
      const int along = static_cast<int>(random() % static_cast<unsigned>(2 * distance + 1)) - distance;
      const int across = random() % 2 == 0 ? distance : -distance;
      return random() % 2 == 0 ? kmc::Offset{across, along} : kmc::Offset{along, across};
    };
    const kmc::Offset beside = away(writes);
    for (int i = 1; i < cells; ++i) {
      do read_[i] = away(reads);
      while (std::find(read_, read_ + i, read_[i]) != read_ + i);
    }
    for (int i = 0; i < cells; ++i) {
      concerned_[i] = {-read_[i].dx, -read_[i].dy};
      concerned_[cells + 1 + i] = {beside.dx - read_[i].dx, beside.dy - read_[i].dy};
    }
    for (int number = 0; number < 4; ++number) {
      here_[number] = {{0, 0}, number < 3 ? one : -3 * one};
      beside_[number] = {beside, number < 2 ? 2 * one : -2 * one};
    }
  }
  KOKKOS_FUNCTION static int number(State state) { return static_cast<int>(state >> 40) & 3; }
  KOKKOS_FUNCTION double rate(const Around& n) const {
    int sum = 0;
    for (int i = 0; i < cells; ++i) sum += (i + 1) * number(n(read_[i].dx, read_[i].dy));
    return 0.125 * (sum & 15);
  }
  double largest_rate() const { return 2; }
  KOKKOS_FUNCTION kmc::ListedChanges<State> event(const Around& n, Stream& stream) const {
    if (stream.draw() >> 63 == 0) return {here_ + number(n(0, 0)), concerned_, 1, cells, n(0, 0), 0};
    const kmc::Offset at = beside_[0].at;
    const State state = n(at.dx, at.dy);
    return {beside_ + number(state), concerned_ + cells, 1, 1 + cells, ~state, 1};
  }
  KOKKOS_FUNCTION State initial(std::uint64_t random) const { return static_cast<State>(random % 4) << 40 | 5; }
  KOKKOS_FUNCTION bool valid(State state) const { return (state & ~(3 * one)) == 5; }

 private:
  static constexpr int cells = 4;
  kmc::Offset read_[cells]{};
  // Of the cell, then, from number `cells` on, of the cell beside, with the cell itself before them.
  kmc::Offset concerned_[2 * cells + 1]{};
  kmc::CellChange<State> here_[4], beside_[4];
};

/// Adsorption, and desorption at a rate that grows by exp(repulsion) with each occupied neighbour; the rates of both
/// change with time, at the ends of windows.
class Programmed {
 public:
  using State = std::int8_t;
  static constexpr int neighbours = 4;
  using Around = kmc::Neighbourhood<State, neighbours>;
  static constexpr kmc::SiteObservable site_observables[] = {{"coverage", ""}};
  struct Window {
    double end, adsorption, desorption;
  };
  using Windows = std::array<Window, 8>;  ///< the last one in use ends at infinity

  explicit Programmed(const Windows& windows, double repulsion = 0.5, std::int64_t window = 0)
      : windows_(windows), repulsion_(repulsion) {
    const Window& its = windows[static_cast<std::size_t>(window)];
    for (int n = 0; n <= 4; ++n) {
      rate_[n] = its.adsorption;
      rate_[5 + n] = its.desorption * portable_exp(repulsion * n);
    }
  }
  double window_end(std::int64_t window) const { return windows_[static_cast<std::size_t>(window)].end; }
  Programmed at_window(std::int64_t window) const { return Programmed(windows_, repulsion_, window); }

  KOKKOS_FUNCTION double rate(const Around& n) const {
    return rate_[5 * n.centre + n.around[0] + n.around[1] + n.around[2] + n.around[3]];
  }
  double largest_rate() const { return *std::max_element(rate_, rate_ + 10); }
  KOKKOS_FUNCTION State next(const Around& n, Stream&) const { return static_cast<State>(1 - n.centre); }
  KOKKOS_FUNCTION State initial(std::uint64_t random) const { return static_cast<State>(random >> 63); }
  KOKKOS_FUNCTION bool valid(State state) const { return state == 0 || state == 1; }
  KOKKOS_FUNCTION std::int64_t observe(int, const Around& n) const { return n.centre; }

 private:
  Windows windows_;
  double repulsion_, rate_[10];
};
static_assert(kmc::Model<Programmed> && kmc::ChangesInTime<Programmed> && !kmc::ChangesInTime<Species>);

}  // namespace tessera::kmc
