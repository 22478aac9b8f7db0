// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
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

/// The contact process: an infected cell recovers at the rate 1 and infects each healthy neighbour at the rate 3/4, an
/// event that changes the neighbour alone.
class Contact {
 public:
  using State = std::int8_t;
  static constexpr int neighbours = 4;
  using Around = kmc::Neighbourhood<State, neighbours>;
  static constexpr const char* counted[] = {"infections", "recoveries"};

  KOKKOS_FUNCTION static int healthy(const Around& n) {
    return 4 - n.around[0] - n.around[1] - n.around[2] - n.around[3];
  }
  KOKKOS_FUNCTION double rate(const Around& n) const { return n.centre == 0 ? 0 : 1 + 0.75 * healthy(n); }
  double largest_rate() const { return 4; }
  KOKKOS_FUNCTION kmc::Event<State> event(const Around& n, Stream& stream) const {
    double left = stream.uniform() * rate(n) - 1;
    if (left < 0 || healthy(n) == 0) return {.centre = 0, .beside = 0, .group = 1};
    int direction = 0;
    for (int k = 0; k < 4; ++k) {
      if (n.around[k] != 0) continue;
      direction = k;
      if (left < 0.75) break;
      left -= 0.75;
    }
    return {
        .centre = 1, .beside = 1, .direction = direction, .changes_centre = false, .changes_beside = true, .group = 0};
  }
  KOKKOS_FUNCTION State initial(std::uint64_t random) const { return static_cast<State>(random >> 63); }
};

/// A lattice gas on the triangular lattice: a particle with n neighbours hops to each empty neighbour at the rate
/// exp(-E n).
class TriangularGas {
 public:
  using State = std::int8_t;
  static constexpr int neighbours = 6;
  using Around = kmc::Neighbourhood<State, neighbours>;
  static constexpr const char* counted[] = {"hops"};
  static constexpr kmc::SiteObservable site_observables[] = {{"coverage", ""}, {"bonds", ""}};

  TriangularGas(double coverage, double attraction) : coverage_(coverage) {
    for (int n = 0; n <= 6; ++n) rate_[n] = portable_exp(-attraction * n) * (6 - n);
  }
  KOKKOS_FUNCTION static int bonds(const Around& n) {
    int sum = 0;
    for (int k = 0; k < 6; ++k) sum += n.around[k];
    return sum;
  }
  KOKKOS_FUNCTION double rate(const Around& n) const { return n.centre == 0 ? 0 : rate_[bonds(n)]; }
  double largest_rate() const { return *std::max_element(rate_, rate_ + 7); }
  KOKKOS_FUNCTION kmc::Changes<State, 6> event(const Around& n, Stream& stream) const {
    const auto free = static_cast<std::uint64_t>(6 - bonds(n));
    int which = static_cast<int>(((stream.draw() >> 32) * free) >> 32);
    kmc::Changes<State, 6> changes{{}, 1u, 0};
    for (int k = 0; k < 6; ++k) {
      if (n.around[k] == 0 && which == 0) changes.changed |= 2u << k;
      which -= n.around[k] == 0 ? 1 : 0;
      changes.states[k + 1] = 1;
    }
    return changes;
  }
  KOKKOS_FUNCTION State initial(const kmc::InitialCell& cell) const {
    const auto cells = static_cast<std::uint64_t>(cell.nx) * static_cast<std::uint64_t>(cell.ny);
    const auto number =
        static_cast<std::uint64_t>(cell.y) * static_cast<std::uint64_t>(cell.nx) + static_cast<std::uint64_t>(cell.x);
    return permuted(number, cells, cell.seed) <
           static_cast<std::uint64_t>(coverage_ * static_cast<double>(cells) + 0.5);
  }
  KOKKOS_FUNCTION std::int64_t observe(int which, const Around& n) const {
    return which == 0 ? n.centre : n.centre * (n.around[0] + n.around[2] + n.around[4]);
  }

 private:
  double coverage_, rate_[7];
};

/// A sandpile: a grain falls on each cell at the rate 1; at the rate 20, a cell with eight grains or more loses eight,
/// and each of its eight neighbours with fewer than 15 gains one, so that an event changes up to nine cells.
class Sandpile {
 public:
  using State = std::int8_t;
  static constexpr int neighbours = 8;
  using Around = kmc::Neighbourhood<State, neighbours>;
  static constexpr const char* counted[] = {"grains", "topplings"};

  KOKKOS_FUNCTION double rate(const Around& n) const { return n.centre < 8 ? 1 : 20; }
  double largest_rate() const { return 20; }
  KOKKOS_FUNCTION kmc::Changes<State, 8> event(const Around& n, Stream&) const {
    kmc::Changes<State, 8> changes{};
    changes.changed = 1;
    changes.group = n.centre < 8 ? 0 : 1;
    changes.states[0] = static_cast<State>(n.centre < 8 ? n.centre + 1 : n.centre - 8);
    for (int k = 0; k < 8; ++k) {
      changes.states[k + 1] = static_cast<State>(n.around[k] + 1);
      changes.changed |= n.centre >= 8 && n.around[k] < 15 ? 2u << k : 0u;
    }
    return changes;
  }
  KOKKOS_FUNCTION State initial(std::uint64_t random) const { return static_cast<State>(random % 8); }
};

/// Adsorption at the rate 1 and desorption at the rate exp(n1 / 2 + n2 / 4) of particles with n1 neighbours among the
/// next 8 cells and n2 among the 16 cells two away.
class Repulsion {
 public:
  using State = std::int8_t;
  static constexpr int neighbours = 24;
  using Around = kmc::Neighbourhood<State, neighbours>;

  Repulsion() {
    for (int n = 0; n <= 32; ++n) rate_[n] = portable_exp(0.25 * n);
  }
  KOKKOS_FUNCTION double rate(const Around& n) const {
    if (n.centre == 0) return 1;
    int sum = 0;
    for (int k = 0; k < 24; ++k) sum += (k < 8 ? 2 : 1) * n.around[k];
    return rate_[sum];
  }
  double largest_rate() const { return rate_[32]; }
  KOKKOS_FUNCTION State next(const Around& n, Stream&) const { return static_cast<State>(1 - n.centre); }
  KOKKOS_FUNCTION State initial(std::uint64_t random) const { return static_cast<State>(random >> 63); }

 private:
  double rate_[33];
};

/// Particles that move away from others: one with n particles in the 24 cells around hops to each empty nearest
/// neighbour at the rate exp(n / 8). It also has offspring on each of them at the rate 1/4, an event that changes the
/// neighbour alone, and dies at the rate 1/2.
class Crowd {
 public:
  using State = std::int8_t;
  static constexpr int neighbours = 24;
  using Around = kmc::Neighbourhood<State, neighbours>;
  static constexpr const char* counted[] = {"hops", "births", "deaths"};

  Crowd() {
    for (int n = 0; n <= 24; ++n) hops_[n] = portable_exp(0.125 * n);
  }
  KOKKOS_FUNCTION double of_direction(const Around& n) const {
    int sum = 0;
    for (const State particle : n.around) sum += particle;
    return hops_[sum] + 0.25;
  }
  KOKKOS_FUNCTION static int empty(const Around& n) {
    return 4 - n.around[0] - n.around[1] - n.around[2] - n.around[3];
  }
  KOKKOS_FUNCTION double rate(const Around& n) const { return n.centre == 0 ? 0 : 0.5 + of_direction(n) * empty(n); }
  double largest_rate() const { return 0.5 + 4 * (hops_[24] + 0.25); }
  KOKKOS_FUNCTION kmc::Event<State> event(const Around& n, Stream& stream) const {
    const double each = of_direction(n);
    double left = stream.uniform() * rate(n) - 0.5;
    if (left < 0 || empty(n) == 0) return {.centre = 0, .beside = 0, .group = 2};
    int direction = 0;
    for (int k = 0; k < 4; ++k) {
      if (n.around[k] != 0) continue;
      direction = k;
      if (left < each) break;
      left -= each;
    }
    const bool hops = left >= 0.25;
    return {.centre = 0,
            .beside = 1,
            .direction = direction,
            .changes_centre = hops,
            .changes_beside = true,
            .group = hops ? 0 : 1};
  }
  KOKKOS_FUNCTION State initial(std::uint64_t random) const { return random % 3 == 0 ? 1 : 0; }

 private:
  double hops_[25];
};

/// Large states, of which the number of a cell, 0 to 3, is a part: an event raises it by one, or that of a cell beside
/// by two, at a rate that depends on numbers at the largest distance.
template <int Reads, int Writes>
class Distant {
 public:
  using State = std::int64_t;
  static constexpr int neighbours = 8, reads = Reads, writes = Writes;
  using Around = kmc::Surroundings<State>;
  static constexpr const char* counted[] = {"here", "beside"};
  static constexpr State one = State{1} << 40;

  Distant() {
    const kmc::Offset beside{Writes, -1};
    for (int i = 0; i < cells; ++i) {
      concerned_[i] = {-read(i).dx, -read(i).dy};
      concerned_[cells + 1 + i] = {beside.dx - read(i).dx, beside.dy - read(i).dy};
    }
    concerned_[cells] = {0, 0};
    for (int number = 0; number < 4; ++number) {
      here_[number] = {{0, 0}, number < 3 ? one : -3 * one};
      beside_[number] = {beside, number < 2 ? 2 * one : -2 * one};
    }
  }
  KOKKOS_FUNCTION static kmc::Offset read(int i) {
    return i == 0 ? kmc::Offset{0, 0}
                  : (i == 1 ? kmc::Offset{Reads, 0} : (i == 2 ? kmc::Offset{-1, -Reads} : kmc::Offset{-2, Reads}));
  }
  KOKKOS_FUNCTION static int number(State state) { return static_cast<int>(state >> 40) & 3; }
  KOKKOS_FUNCTION double rate(const Around& n) const {
    int sum = 0;
    for (int i = 0; i < cells; ++i) sum += (i + 1) * number(n(read(i).dx, read(i).dy));
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
  // Of the cell, then, from number `cells` on, of the cell beside, with the cell itself before them.
  kmc::Offset concerned_[2 * cells + 1];
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
