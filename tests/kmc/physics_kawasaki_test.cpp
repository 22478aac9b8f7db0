// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/kmc/physics_methods.hpp"
#include "tests/kmc/six_by_six.hpp"

// Kawasaki dynamics against what is known exactly.
namespace tessera::testing {
namespace {

template <class Method>
class KawasakiDynamics : public ::testing::Test {};
TYPED_TEST_SUITE(KawasakiDynamics, SequentialMethods, MethodNames);

// Canonical averages over all configurations of five particles. The rate of hops tells Metropolis' rates from others
// that have the same equilibrium.
TYPED_TEST(KawasakiDynamics, HasTheCanonicalAverageOfItsBondsAndTheRateOfItsHops) {
  constexpr double cells = SixBySix::cells, relax = 20, apart = 2;
  constexpr int samples = 20;
  for (const double attraction : {1.4, -0.8}) {
    const GasOnSixBySix expected(
        5, attraction, [&](int before, int after) { return std::min(1.0, std::exp(-attraction * (before - after))); });
    auto simulation = TypeParam::make(lattice(6, 256, 1), kmc::Kawasaki(5 / cells, attraction));
    simulation->advance(relax);
    const std::vector<double> before = measured(*simulation, "hops");
    const Estimate found_bonds = sampled(*simulation, "bonds", relax + apart, apart, samples);
    std::vector<double> rate = measured(*simulation, "hops");
    for (std::size_t r = 0; r < rate.size(); ++r) rate[r] = (rate[r] - before[r]) / (cells * samples * apart);
    const Estimate found_rate(rate);
    expect_near("bonds", found_bonds.mean, expected.bonds, found_bonds.error);
    expect_near("rate of hops", found_rate.mean, expected.hops, found_rate.error);
    for (const double value : measured(*simulation, "coverage")) EXPECT_DOUBLE_EQ(value, 5 / cells);
  }
}

}  // namespace
}  // namespace tessera::testing
