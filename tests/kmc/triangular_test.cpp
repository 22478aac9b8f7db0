// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <cmath>

#include "tests/execution_spaces.hpp"
#include "tests/kmc/exactness.hpp"
#include "tests/kmc/physics_methods.hpp"
#include "tests/kmc/triangular_ising.hpp"

// Six neighbours: the Ising model on a triangular lattice.
namespace tessera::kmc {
namespace {

template <class Space>
class TriangularLattice : public ::testing::Test {};
TYPED_TEST_SUITE(TriangularLattice, testing::ParallelSpaces, testing::ExecutionSpaceNames);

TYPED_TEST(TriangularLattice, HasTheSequentialTrajectoryToTheLastBit) {
  const TriangularIsing model(0.25);
  const Parameters p = up_to_event(lattice(48, 80, 17), 30'000);
  const auto expected = sequential(p, model);
  Work work;
  for (const EventOrder order : distinct<TypeParam>()) {
    expect_trajectory<TypeParam>(tiled(p, 16, 4), model, order, expected, work);
    expect_trajectory<TypeParam>(tiled(p, 8, 3, StepControl::reject), model, order, expected, work);
  }
  EXPECT_GT(work.repaired, 0u);
  EXPECT_GT(work.rejected, 0u);
  const Parameters whole = tiled(up_to_event(lattice(23, 23, 3), 3000), 23, 0);
  const auto small = sequential(whole, model);
  for (const EventOrder order : distinct<TypeParam>()) expect_trajectory<TypeParam>(whole, model, order, small, work);
}

/// Mean energy per site of 4 x 4 sites, over all their states.
double exact_energy(double coupling) {
  const auto spin = [](unsigned state, int x, int y) { return (state >> (4 * (y & 3) + (x & 3)) & 1u) != 0 ? 1 : -1; };
  double weights = 0, energies = 0;
  for (unsigned state = 0; state < 1u << 16; ++state) {
    int energy = 0;
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 4; ++x)
        energy -= spin(state, x, y) * (spin(state, x + 1, y) + spin(state, x, y + 1) + spin(state, x - 1, y + 1));
    const double weight = std::exp(-coupling * energy);
    weights += weight;
    energies += weight * energy / 16;
  }
  return energies / weights;
}

TYPED_TEST(TriangularLattice, HasTheEnergyOfAnEnumeration) {
  for (const double coupling : {0.1, 0.25, -0.4}) {
    Parameters p = lattice(4, 4, 3);
    p.replicas = 256;
    auto simulation = make_tile_method<TypeParam>(p, TriangularIsing(coupling));
    std::vector<double> mean(256);
    for (int i = 0; i < 12; ++i) {
      simulation->advance(20 + 4 * i);
      const auto energy = testing::measured(*simulation, "energy");
      for (std::size_t r = 0; r < mean.size(); ++r) mean[r] += energy[r] / 12;
    }
    const testing::Estimate found(mean);
    testing::expect_near("energy", found.mean, exact_energy(coupling), found.error);
  }
}

// A cell at a corner has a neighbour beyond it at two of the four corners.
TYPED_TEST(TriangularLattice, NeedsTheCheckOfEverySideAndOfTwoCorners) {
  const TriangularIsing model(0.25);
  const Parameters p = tiled(up_to_event(lattice(64, 64, 77), 20'000), 4, 3);
  const auto expected = sequential(p, model);
  const auto wrong_cells = [&](unsigned side_mask) {
    const auto simulation = make_tile_method<TypeParam>(p, model);
    simulation->check_only(side_mask);
    const double end = expected.times[0];
    for (int stop = 1; stop <= 40; ++stop) simulation->advance(end * stop / 40);
    return cells_that_differ(snapshot<TriangularIsing>(*simulation), sequential(p, model, end));
  };
  EXPECT_EQ(wrong_cells(0x3f), 0u);
  for (unsigned side = 0; side < 6; ++side) EXPECT_GT(wrong_cells(0x3fu & ~(1u << side)), 0u) << side;
}

}  // namespace
}  // namespace tessera::kmc
