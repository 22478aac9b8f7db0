// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include "tests/kmc/sequential_instances.hpp"

// Rates that change with time, against the master equation of temperature-programmed desorption.
namespace tessera::testing {
namespace {

TEST(DesorptionFromAFewSites, HasItsMasterEquation) {
  ExactDesorption coarse({}, 0.05), fine({}, 0.02);
  EXPECT_EQ(fine.classes(), 805u);
  // Computed apart from all 65,536 configurations.
  EXPECT_NEAR(fine.coverage(20), 0.931981, 5e-7);
  EXPECT_NEAR(fine.coverage(30), 0.476943, 5e-7);
  EXPECT_NEAR(coarse.coverage(30), fine.coverage(30), 1e-7);
}

TEST(DesorptionFromAFewSites, HasTheExactSpectrum) {
  expect_spectrum(kmc::BklSimulation<Desorbing>(few_sites(2'000, 1), Desorbing(2)));
  expect_spectrum(kmc::WaitingTimeSimulation<Desorbing>(few_sites(2'000, 2), Desorbing(2)));
  using Space = Kokkos::DefaultHostExecutionSpace;
  expect_spectrum(*kmc::make_tile_method<Space>(few_sites(10'000, 3), Desorbing(2)));
}

}  // namespace
}  // namespace tessera::testing
