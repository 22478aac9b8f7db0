// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <tessera/disks/sequential.hpp>

#include "tests/disks/physics.hpp"

namespace tessera::disks {
namespace {

/// Equations of state, each within three standard errors, which are estimated from independent replicas and bounded.
/// Trajectories are the same to the last bit everywhere, so that with the fixed seeds these tests pass always or never;
/// of other seeds, one in 370 would miss the three standard errors.

TEST(EquationOfState, IsTheVirialSeriesAtLowDensity) {
  constexpr double packing_fraction = 0.3, series = 2.06326;
  Parameters p;
  p.particles = 256;
  p.packing_fraction = packing_fraction;
  p.replicas = 8;
  p.equilibrate = 2000;
  p.sample_every = 2;
  p.sweeps = 2000 + 2 * 1000;
  p.move_radius = 0.5;
  const Estimate pressure = estimate(p, "pressure");
  const double density = 4 * packing_fraction / std::numbers::pi;
  // A periodic system of N disks has 2 eta (1 - 1/N) where the series has 2 eta.
  const double finite = 2 * packing_fraction / static_cast<double>(p.particles);
  expect_agreement({pressure.value / density + finite, pressure.error / density}, series, 0.017);
}

TEST(EquationOfState, Of72DisksAgreesWithLiEtAl) {
  Parameters p;
  p.particles = 72;
  p.packing_fraction = 0.65;
  p.aspect = 9 / (8 * std::numbers::sqrt3 / 2);
  p.replicas = 16;
  p.equilibrate = 5000;
  p.sample_every = 3;
  p.sweeps = 5000 + 3 * 2500;
  expect_agreement(estimate(p, "pressure"), 6.895819, 0.035);
}

// Z = 1 + 2 eta g(sigma+) is how the pressure is had; g(r) next to contact, which is counted in another way, agrees.
TEST(EquationOfState, AgreesWithThePairDistributionNearContact) {
  Parameters p;
  p.particles = 400;
  p.packing_fraction = 0.5;
  p.replicas = 8;
  p.equilibrate = 200;
  p.sample_every = 5;
  p.sweeps = 200 + 5 * 400;
  const auto simulation = make_simulation<Kokkos::DefaultHostExecutionSpace>(p);
  const Geometry g = simulation->geometry();
  std::vector<double> ring_of_replica(8, 0);
  int rounds = 0;
  for (double sweeps = 210; sweeps <= p.sweeps; sweeps += 10, ++rounds) {
    simulation->advance(sweeps);
    const auto points = simulation->points();
    for (std::size_t r = 0; r < points.size(); ++r)
      ring_of_replica[r] += pair_distribution(points[r], {g.box_x(), g.box_y()}, Rings{100, 105})[100];
  }
  Observable first{"", "", {}, {}};
  for (const double sum : ring_of_replica) first.values.push_back(sum / rounds);
  const double density = 4 * p.packing_fraction / std::numbers::pi;
  Observable contacts = mean_over(simulation->drain_history(), "pressure");
  for (double& value : contacts.values) value = (value / density - 1) / (2 * p.packing_fraction);
  const Estimate contact = mean_of(contacts), near = mean_of(first);
  // Between 1 and 1.01 g(r) falls by some 5 % at this density: the ring has 2.5 % less than contact.
  EXPECT_LT(std::abs(near.value / contact.value - 0.975), 3 * std::hypot(near.error, contact.error) / contact.value);
  EXPECT_LT(contact.error / contact.value, 0.02);
  const double last = find(simulation->measure(), "pressure").values[0] / density;
  EXPECT_NEAR(last, 1 + 2 * p.packing_fraction * find(simulation->measure(), "contact_value").values[0], 1e-6);
}

// The same pressure and the same order as the sequential method's, at a density where neither is trivial.
TEST(EquationOfState, AgreesWithTheSequentialMethod) {
  Parameters p;
  p.particles = 100;
  p.packing_fraction = 0.6;
  p.replicas = 16;
  p.equilibrate = 500;
  p.sample_every = 5;
  p.sweeps = 500 + 5 * 500;
  p.seed = 1000;
  const auto simulation = make_simulation<Kokkos::DefaultHostExecutionSpace>(p);
  simulation->advance(p.sweeps);
  p.start = Start::random;
  SequentialSimulation sequential(p);
  sequential.advance(p.sweeps);
  const History samples = simulation->drain_history(), others = sequential.drain_history();
  for (const std::string name : {"pressure", "psi6"}) {
    const Estimate a = mean_of(mean_over(samples, name)), b = mean_of(mean_over(others, name));
    EXPECT_LT(std::abs(a.value - b.value), 3 * std::hypot(a.error, b.error)) << name;
    EXPECT_LT(a.error / a.value, 0.02) << name;
    EXPECT_LT(b.error / b.value, 0.02) << name;
  }
}

}  // namespace
}  // namespace tessera::disks
