// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <tessera/kmc/space/methods.hpp>
#include <type_traits>
#include <vector>

/// For comparisons of the models in three dimensions with exact results. Tiles have the trajectories of Sequential
/// (space_test.cpp), which are compared.
namespace tessera::kmc::space {

inline Box box(int nx, int ny, int nz) { return {nx, ny, nz, nx}; }

/// Calls check(type) for systems that have different trajectories. SequentialSimulation and BklSimulation have these.
template <class M, class Check>
void for_each_method(const Check& check) {
  check(std::type_identity<Sequential<M>>());
  check(std::type_identity<Bkl<M>>());
}

/// A mean and its standard error, from independent values.
struct Average {
  double mean = 0, error = 0;

  explicit Average(const std::vector<double>& values) {
    const auto n = static_cast<double>(values.size());
    for (const double value : values) mean += value / n;
    for (const double value : values) error += (value - mean) * (value - mean) / (n * (n - 1));
    error = std::sqrt(error);
  }
};

using States = std::vector<std::uint8_t>;  ///< [nz, ny, nx]

/// Performs all events before a time.
template <class Method, class M>
void advance(Method& system, const M& model, double time) {
  while (!system.run(static_cast<std::uint64_t>(std::ceil(time * Clock<M>(model).ticks)))) {
  }
}

/// Calls use(system) for independent systems, by the method, with these states at time 0, or, if there are none, with
/// the initial states of the model.
template <class Method, class M, class Use>
void for_each_replica(const M& model, const Box& box, const States& states, const Use& use, int replicas = 20) {
  for (int r = 0; r < replicas; ++r) {
    const std::uint64_t seed = 7, number = seed + static_cast<std::uint64_t>(r);
    States of_this = states;
    const auto sites = static_cast<std::uint64_t>(box.sites());
    for (std::uint64_t site = 0; states.empty() && site < sites; ++site)
      of_this.push_back(static_cast<std::uint8_t>(initial_state(model, number, site, sites)));
    Method system(model, box, seed_of(seed, r), of_this);
    use(system);
  }
}

/// Sum of M::bond() over pairs of neighbours, per site.
template <class M>
double bonds_of(const M& model, const Box& box, const States& states) {
  int sum = 0;
  for (std::uint32_t site = 0; site < states.size(); ++site) {
    const Around<M, States> around(states, box, site);
    for (int k = 1; k < M::Lattice::neighbours; k += 2) sum += model.bond(states[site], around(k));
  }
  return sum / static_cast<double>(box.sites());
}

/// Averages of value(states) and of its square over the times from, from + every, ..., with errors over replicas.
template <class Method, class M, class Value>
std::array<Average, 2> moments_of(const M& model, const Box& box, double from, double every, int samples,
                                  const Value& value) {
  std::vector<double> first, second;
  for_each_replica<Method>(model, box, {}, [&](Method& system) {
    first.push_back(0);
    second.push_back(0);
    for (int i = 0; i < samples; ++i) {
      advance(system, model, from + every * i);
      const double found = value(system.states());
      first.back() += found / samples;
      second.back() += found * found / samples;
    }
  });
  return {Average(first), Average(second)};
}
/// Of the bonds per site, which are the energy of the Ising model.
template <class Method, class M>
std::array<Average, 2> moments_of_bonds(const M& model, const Box& box, double from, double every, int samples) {
  return moments_of<Method>(model, box, from, every, samples,
                            [&](const States& states) { return bonds_of(model, box, states); });
}

/// `largest_error`: that a test may have, relative to the expected value.
inline void expect_mean(const Average& found, double expected, double largest_error) {
  EXPECT_LT(found.error, largest_error * std::abs(expected));
  EXPECT_NEAR(found.mean, expected, 4 * found.error);
}

/// a_0 + a_1 v + ..., and its derivative.
struct Series {
  std::vector<double> terms;

  double operator()(double v) const {
    return std::accumulate(terms.rbegin(), terms.rend(), 0.0, [v](double sum, double a) { return sum * v + a; });
  }
  Series derivative() const {
    Series result;
    for (std::size_t n = 1; n < terms.size(); ++n) result.terms.push_back(static_cast<double>(n) * terms[n]);
    return result;
  }
};

/// The Ising model by its high-temperature series in v = tanh K (C. Domb, in Phase Transitions and Critical Phenomena
/// 3, 1974): ln Z per site = ln 2 + (z / 2) ln cosh K + sum of p_n v^n.
inline const Series of_sc{{0, 0, 0, 0, 3, 0, 22, 0, 187.5, 0, 1980, 0, 24044, 0, 319170, 0, 18059031.0 / 4}};
inline double energy_of_series(const Series& p, int neighbours, double coupling) {
  const double v = std::tanh(coupling);
  return -(neighbours / 2.0 * v + (1 - v * v) * p.derivative()(v));
}

/// Square of the distance of neighbours, and the way to one of them, in units of position().
template <class L>
inline constexpr int nearest = L::neighbours == 6 ? 1 : (L::neighbours == 8 ? 3 : 2);
template <class L>
inline constexpr std::array<int, 3> to_neighbour{1, nearest<L> > 1 ? 1 : 0, nearest<L> > 2 ? 1 : 0};

using Site = std::array<int, 3>;
template <class L>
std::vector<Site> sites_of_4_x_4_x_4() {
  std::vector<Site> sites;
  for (int z = 0; z < 4; ++z)
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 4; ++x) sites.push_back(L::position(x, y, z));
  return sites;
}
/// Whether sites are neighbours in this periodic box.
template <class L>
bool are_neighbours(const Site& a, const Site& b) {
  double square = 0;
  for (const std::size_t axis : {0, 1, 2})
    square += std::pow(std::remainder(b[axis] - a[axis], 4 / L::sites_of_cell[axis] * L::length), 2);
  return square == nearest<L>;
}

}  // namespace tessera::kmc::space
