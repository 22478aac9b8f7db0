// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include "tests/kmc/desorption.hpp"

// The master equation of temperature-programmed desorption, for tests of rates that change with time.
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

}  // namespace
}  // namespace tessera::testing
