// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "tests/kmc/physics_methods.hpp"

namespace tessera::testing {
namespace {

using kmc::SolidOnSolid;

template <class Method>
class CrystalGrowth : public ::testing::Test {};
TYPED_TEST_SUITE(CrystalGrowth, Methods, MethodNames);

// phi = 0 is random deposition: every height is an independent Poisson variate of mean t. With 64 x 64^2 heights the
// check sees an error of 0.7 % in the mean, 1.8 % in the variance, 0.033 in the skewness and 0.12 in the kurtosis
// (whose standard errors are those of independent Poisson variates; the spread within a sample is no measure of them).
TYPED_TEST(CrystalGrowth, WithoutBondsIsPoissonian) {
  constexpr int side = 64, replicas = 64;
  constexpr double t = 4, heights = 1.0 * side * side * replicas;
  kmc::Parameters p = lattice(side, replicas, 1);
  p.structure_factor = true;
  auto simulation = TypeParam::make(p, SolidOnSolid(0));
  simulation->advance(t);
  const Estimate mean(measured(*simulation, "height_mean")), variance(measured(*simulation, "roughness")),
      skewness(measured(*simulation, "skewness")), kurtosis(measured(*simulation, "kurtosis"));
  expect_near("mean", mean.mean, t, std::sqrt(t / heights));
  expect_near("variance", variance.mean * side * side / (side * side - 1), t, std::sqrt((t + 2 * t * t) / heights));
  expect_near("skewness", skewness.mean, 1 / std::sqrt(t), 0.005);
  expect_near("kurtosis", kurtosis.mean, 1 / t, 0.0175);

  // S(k) = t; that of n / 2 has twice the variance of the others.
  for (const char* name : {"structure_factor_x", "structure_factor_y"}) {
    const std::vector<double> s = measured(*simulation, name);
    ASSERT_EQ(s.size(), side / 2 * replicas);
    const double error = t * std::sqrt((side / 2 + 1.0) / (side / 2)) / std::sqrt(static_cast<double>(s.size()));
    expect_near(name, Estimate(s).mean, t, error);
  }

  const auto states = simulation->states();
  double beside = 0, above = 0;
  for (int r = 0; r < replicas; ++r)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) {
        const auto at = [&](int i, int j) {
          return states[static_cast<std::size_t>((r * side + j % side) * side + i % side)] - t;
        };
        beside += at(x, y) * at(x + 1, y) / heights;
        above += at(x, y) * at(x, y + 1) / heights;
      }
  EXPECT_LT(std::abs(beside), no_chance * t / std::sqrt(heights));
  EXPECT_LT(std::abs(above), no_chance * t / std::sqrt(heights));
}

// The steady velocity at phi = 1 is 0.18675(2) layers per unit time, known to 0.1 % from surfaces of 512^2 sites. On
// 64^2 sites it is the same within 0.1 % once t > 300 (at t = 75 it is 1 % lower). Four such surfaces over 300 units of
// time determine it to 0.0006, from the spread of many runs: an error of 2 % is seen.
TYPED_TEST(CrystalGrowth, SteadyVelocity) {
  auto simulation = TypeParam::make(lattice(64, 4, 1), SolidOnSolid(1));
  simulation->advance(300);
  const double before = Estimate(measured(*simulation, "height_mean")).mean;
  simulation->advance(600);
  const double velocity = (Estimate(measured(*simulation, "height_mean")).mean - before) / 300;
  expect_near("velocity", velocity, 0.18675, 0.0006);
}

/// Growth velocity over the second half of a run, W^2 and the fraction of step sites at its end, one for each replica.
struct Growth {
  std::vector<double> velocity, roughness, step_fraction;
};

template <class Method>
Growth grow(double phi, double t, std::uint64_t seed) {
  auto simulation = Method::make(lattice(48, 64, seed), SolidOnSolid(phi));
  simulation->advance(t / 2);
  const std::vector<double> half = measured(*simulation, "height_mean");
  simulation->advance(t);
  Growth growth{measured(*simulation, "height_mean"), measured(*simulation, "roughness"),
                measured(*simulation, "step_fraction")};
  for (std::size_t r = 0; r < half.size(); ++r) growth.velocity[r] = (growth.velocity[r] - half[r]) / (t / 2);
  return growth;
}

void expect_same(const char* what, const std::vector<double>& a, const std::vector<double>& b) {
  const Estimate x(a), y(b);
  expect_near(what, x.mean, y.mean, std::hypot(x.error, y.error));
}

template <class Method>
class CrystalGrowthAgainstBkl : public ::testing::Test {
 protected:
  static void compare(double phi, double t) {
    static std::map<double, Growth> references;
    if (!references.contains(phi)) references[phi] = grow<Bkl>(phi, t, 1000);
    const Growth growth = grow<Method>(phi, t, 1);
    expect_same("velocity", growth.velocity, references[phi].velocity);
    expect_same("roughness", growth.roughness, references[phi].roughness);
    expect_same("step_fraction", growth.step_fraction, references[phi].step_fraction);
  }
};
TYPED_TEST_SUITE(CrystalGrowthAgainstBkl, MethodsButBkl, MethodNames);

// 64 independent surfaces of 48^2 sites each, eight layers grown.
TYPED_TEST(CrystalGrowthAgainstBkl, RoughSurface) { this->compare(1, 40); }

TYPED_TEST(CrystalGrowthAgainstBkl, SmoothSurface) { this->compare(2, 480); }

}  // namespace
}  // namespace tessera::testing
