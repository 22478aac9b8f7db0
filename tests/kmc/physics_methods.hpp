// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <tessera/kmc/any_simulation.hpp>
#include <tessera/kmc/models.hpp>
#include <type_traits>
#include <vector>

#include "tests/execution_spaces.hpp"

/// The methods, to be held against the same physics.
namespace tessera::testing {

struct Bkl {
  static std::string name() { return "Bkl"; }
  template <class M>
  static auto make(const kmc::Parameters& parameters, const M& model) {
    return kmc::make_bkl(parameters, model);
  }
};

struct WaitingTime {
  static std::string name() { return "WaitingTime"; }
  template <class M>
  static auto make(const kmc::Parameters& parameters, const M& model) {
    return kmc::make_waiting_time(parameters, model);
  }
};

template <class Space>
struct Tile {
  static std::string name() { return std::string("Tile") + Space::name(); }
  template <class M>
  static auto make(const kmc::Parameters& parameters, const M& model) {
    return kmc::make_tile_method<Space>(parameters, model);
  }
};

template <class Spaces>
struct MethodsOn;
template <class... Spaces>
struct MethodsOn<::testing::Types<Spaces...>> {
  using WithBkl = ::testing::Types<Bkl, WaitingTime, Tile<Spaces>...>;
  using WithoutBkl = ::testing::Types<WaitingTime, Tile<Spaces>...>;
};

using Methods = MethodsOn<ParallelSpaces>::WithBkl;
using MethodsButBkl = MethodsOn<ParallelSpaces>::WithoutBkl;
/// Those with trajectories of their own: tiles have that of the waiting-time method, to the last bit
/// (exactness_test.cpp).
using SequentialMethods = ::testing::Types<Bkl, WaitingTime>;

struct MethodNames {
  template <class Method>
  static std::string GetName(int) {
    return Method::name();
  }
};

/// By default of more than one tile, on CPUs with many cores or few.
inline kmc::Parameters lattice(int side, int replicas, std::uint64_t seed) {
  kmc::Parameters parameters;
  parameters.cores = kmc::Parameters::any_cores;
  parameters.nx = parameters.ny = side;
  parameters.replicas = replicas;
  parameters.seed = seed;
  return parameters;
}

template <class Simulation>
std::vector<double> measured(Simulation& simulation, const std::string& name) {
  for (const Observable& observable : simulation.measure())
    if (observable.name == name) return observable.values;
  throw std::logic_error("no observable " + name);
}

/// A mean over independent values and its standard error.
struct Estimate {
  double mean, error;

  explicit Estimate(const std::vector<double>& values) : mean(0), error(0) {
    const auto count = static_cast<double>(values.size());
    for (const double value : values) mean += value / count;
    for (const double value : values) error += (value - mean) * (value - mean) / (count * (count - 1));
    error = std::sqrt(error);
  }
};

/// The mean of an observable over `samples` times from `relax` on, and its error from the scatter of the replicas.
template <class Simulation>
Estimate sampled(Simulation& simulation, const std::string& name, double relax, double apart, int samples) {
  std::vector<double> mean;
  for (int i = 0; i < samples; ++i) {
    simulation.advance(relax + i * apart);
    const std::vector<double> values = measured(simulation, name);
    mean.resize(values.size());
    for (std::size_t r = 0; r < values.size(); ++r) mean[r] += values[r] / samples;
  }
  return Estimate(mean);
}

/// Beyond so many standard errors, from 64 or more independent values, a difference is no chance: the probability is
/// 2e-9 for a normal distribution and 1.5e-8 for Student's with 63 degrees of freedom.
inline constexpr double no_chance = 6.5;

inline void expect_near(const char* what, double value, double expected, double error) {
  EXPECT_LT(std::abs(value - expected), no_chance * error)
      << what << " " << value << ", expected " << expected << ", standard error " << error;
  ::testing::Test::RecordProperty(what, std::to_string((value - expected) / error) + " standard errors of " +
                                            std::to_string(100 * error / std::abs(expected)) + " %");
}

}  // namespace tessera::testing
