// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <array>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>
#include <tessera/analysis/estimate.hpp>
#include <tessera/kmc/observables/order.hpp>
#include <vector>

#include "processes/compile.hpp"
#include "processes/table_model.hpp"
#include "tests/kmc/desorption.hpp"
#include "tests/kmc/physics_methods.hpp"

namespace tessera::testing {
namespace {

template <class Method>
class CrystalGrowthAtLength : public ::testing::Test {};
TYPED_TEST_SUITE(CrystalGrowthAtLength, Methods, MethodNames);

// One surface of 512^2 sites between t = 800 and 1600 determines the steady velocity at phi = 1 to 0.00009, from the
// spread of many surfaces of 128^2 sites; the reference is 0.18675 within 0.1 %. An error of 0.8 % is seen.
TYPED_TEST(CrystalGrowthAtLength, SteadyVelocity) {
  auto simulation = TypeParam::make(lattice(512, 1, 1), kmc::SolidOnSolid(1));
  simulation->advance(800);
  const double before = measured(*simulation, "height_mean")[0];
  simulation->advance(1600);
  const double velocity = (measured(*simulation, "height_mean")[0] - before) / 800;
  expect_near("velocity", velocity, 0.18675, std::hypot(0.00009, 0.001 * 0.18675));
}

// Bonds of 12 k_B T hardly break. From D/F = 1e5 to 1e7 the largest density of islands falls as (D/F)^(-1/3).
TEST(IslandsOfEpitaxyAtLength, BecomeFewerWithTheCubeRootOfDiffusion) {
  std::vector<Estimate> largest;
  for (const double diffusion : {1e5, 1e7}) {
    auto simulation = Tile<Kokkos::DefaultExecutionSpace>::make(lattice(256, 4, 9), kmc::Epitaxy(1, diffusion, 12));
    largest.emplace_back(std::vector<double>(4));
    for (const double coverage : {0.1, 0.13, 0.16}) {
      simulation->advance(coverage);
      const Estimate density(measured(*simulation, "island_density"));
      if (density.mean > largest.back().mean) largest.back() = density;
    }
  }
  const double exponent = std::log10(largest[0].mean / largest[1].mean) / 2;
  const double error =
      std::hypot(largest[0].error / largest[0].mean, largest[1].error / largest[1].mean) / std::log(1e2);
  EXPECT_NEAR(exponent, 1.0 / 3, 0.02);
  EXPECT_LT(error, 0.01);
  RecordProperty("exponent", std::to_string(exponent));
}

/// Binder cumulant of 64 periodic lattices of Ising spins at equilibrium, averaged over 1000 times, 10 apart.
analysis::Estimate binder_cumulant(int side, double coupling) {
  const kmc::Ising model(coupling);
  auto simulation = Tile<Kokkos::DefaultHostExecutionSpace>::make(lattice(side, 64, 1), model);
  std::array<std::vector<double>, 2> samples{std::vector<double>(64), std::vector<double>(64)};
  for (int i = 0; i < 1000; ++i) {
    simulation->advance(1000 + 10 * i);
    for (std::size_t k = 0; k < 2; ++k) {
      const auto now = measured(*simulation, kmc::Ising::order_names[k + 1]);
      for (std::size_t r = 0; r < now.size(); ++r) samples[k][r] += now[r] / 1000;
    }
  }
  const auto function = kmc::functions_of_averages(model, side * side).at(0).value;
  const std::array means{Estimate(samples[0]).mean, Estimate(samples[1]).mean};
  return {function(means), analysis::jackknife_error(samples, function)};
}

// Relaxation times at K_c are about 50 for 6^2 spins and 220 for 12^2. Errors are about 0.004; the cumulants differ by
// 0.05 or more on both sides, and at K_c by less than 0.003, their corrections to scaling.
TEST(BinderCumulants, OfTwoSizesCrossAtTheCriticalCoupling) {
  const double critical = std::log(1 + std::sqrt(2.0)) / 2;
  for (const double coupling : {0.41, critical, 0.47}) {
    const auto small = binder_cumulant(6, coupling), large = binder_cumulant(12, coupling);
    const double difference = large.value - small.value, error = std::hypot(small.error, large.error);
    SCOPED_TRACE("K = " + std::to_string(coupling) + ": " + std::to_string(small.value) + " and " +
                 std::to_string(large.value) + ", error of the difference " + std::to_string(error));
    EXPECT_LT(error, 0.008);
    if (coupling == critical) {
      EXPECT_LT(std::abs(difference), no_chance * error + 0.003);
      EXPECT_NEAR(large.value, 0.61069, no_chance * large.error + 0.003);  // Kamieniarz and Blote 1993
    } else {
      EXPECT_GT(difference * (coupling - critical), 0);
      EXPECT_GT(std::abs(difference), no_chance * error);
    }
  }
}

// Standard errors of coverages are 0.0002 and less.
TEST(DesorptionFromAFewSites, HasTheSpectrumOfManyReplicas) {
  std::ifstream file(TESSERA_SOURCE "/inputs/models/desorption.ini");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const processes::ChangingTableModel model(
      processes::compile(processes::read_model(text, "desorption.ini"), {}).tables);
  using Space = Kokkos::DefaultHostExecutionSpace;
  expect_spectrum(*kmc::make_tile_method<Space>(few_sites(65'536, 4), model), desorption_from(300));
}

}  // namespace
}  // namespace tessera::testing
