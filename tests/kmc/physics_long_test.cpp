// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <cmath>

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

}  // namespace
}  // namespace tessera::testing
