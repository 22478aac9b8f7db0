// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "tests/kmc/physics_methods.hpp"
#include "tests/kmc/potts_exact.hpp"

namespace tessera::testing {
namespace {

using kmc::Potts;

TEST(PottsExact, TransferMatrixCountsEveryConfigurationByItsLikePairs) {
  std::vector<std::uint64_t> counted(19);
  for (int configuration = 0; configuration < 19683; ++configuration) {
    int state[9];
    for (int c = 0, rest = configuration; c < 9; ++c, rest /= 3) state[c] = rest % 3;
    std::size_t like = 0;
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 3; ++x)
        like += (state[3 * y + x] == state[3 * y + (x + 1) % 3]) + (state[3 * y + x] == state[3 * ((y + 1) % 3) + x]);
    ++counted[like];
  }
  EXPECT_EQ(potts_configurations(3), counted);

  const std::vector<std::uint64_t> of_16 = potts_configurations(4);
  std::uint64_t sum = 0;
  for (const std::uint64_t configurations : of_16) sum += configurations;
  EXPECT_EQ(sum, 43046721u);
  EXPECT_EQ(of_16[32], 3u);
  EXPECT_EQ(of_16[28], 16u * 6u);  // one site unlike the others
}

template <class Method>
class PottsModel : public ::testing::Test {};
TYPED_TEST_SUITE(PottsModel, SequentialMethods, MethodNames);

// 256 lattices of 4 x 4 sites that start in state 0, in equilibrium. An error of 2 % in the energy is seen at K = 0.5,
// one of 3 % at the coupling at which the infinite lattice orders. The energy relaxes in times of 1 and 10: what is
// left of the start is below a tenth of the standard error. There the fractions take 150, and are not looked at.
TYPED_TEST(PottsModel, EnergyIsThatOfTheFiniteLattice) {
  struct Case {
    double coupling, relax, apart;
    bool fractions;
  };
  for (const Case& c : {Case{0.5, 10, 1.5, true}, Case{std::log(1 + std::sqrt(3.0)), 60, 10, false}}) {
    SCOPED_TRACE("K = " + std::to_string(c.coupling));
    constexpr std::size_t replicas = 256;
    constexpr int samples = 15;
    auto simulation = TypeParam::make(lattice(4, replicas, 1), Potts(c.coupling));
    std::map<std::string, std::vector<double>> mean;
    for (int i = 0; i < samples; ++i) {
      simulation->advance(c.relax + i * c.apart);
      const auto observables = simulation->measure();
      for (const Observable& observable : observables) {
        mean[observable.name].resize(replicas);
        for (std::size_t r = 0; r < replicas; ++r) mean[observable.name][r] += observable.values[r] / samples;
      }
    }
    const Estimate energy(mean.at("energy"));
    expect_near("energy", energy.mean, potts_energy(4, c.coupling), energy.error);
    for (const char* name : {"fraction_0", "fraction_1", "fraction_2"})
      if (c.fractions) expect_near(name, Estimate(mean.at(name)).mean, 1.0 / 3, Estimate(mean.at(name)).error);
  }
}

// At K = 0 each cell leaves for each other state at the rate 1, whatever the others do: the order parameter is m0
// exp(-3 t). 64 x 64^2 cells: the check sees an error of 0.009 in it.
TYPED_TEST(PottsModel, FreeCellsForgetTheirOrder) {
  constexpr double start = 0.6, cells = 64.0 * 64 * 64;
  auto simulation = TypeParam::make(lattice(64, 64, 1), Potts(0, start));
  for (const double t : {0.0, 0.2, 0.8}) {
    SCOPED_TRACE("t = " + std::to_string(t));
    simulation->advance(t);
    const double f0 = (1 + 2 * start * std::exp(-3 * t)) / 3, f1 = (1 - f0) / 2;
    expect_near("fraction_0", Estimate(measured(*simulation, "fraction_0")).mean, f0, std::sqrt(f0 * (1 - f0) / cells));
    for (const char* name : {"fraction_1", "fraction_2"})
      expect_near(name, Estimate(measured(*simulation, name)).mean, f1, std::sqrt(f1 * (1 - f1) / cells));
    // Two bonds a cell are like with probability p; two bonds of one cell, of which it has six pairs, both with p3.
    const double p = f0 * f0 + 2 * f1 * f1, p3 = f0 * f0 * f0 + 2 * f1 * f1 * f1;
    expect_near("energy", Estimate(measured(*simulation, "energy")).mean, -2 * p,
                std::sqrt((2 * p * (1 - p) + 12 * (p3 - p * p)) / cells));
  }
}

}  // namespace
}  // namespace tessera::testing
