// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <tessera/analysis/moments.hpp>
#include <tessera/core/error.hpp>
#include <tessera/disks/observables/host_samples.hpp>
#include <tessera/disks/state/check.hpp>
#include <tessera/disks/state/lattice_start.hpp>
#include <tessera/disks/steps/initial_configuration.hpp>
#include <tessera/disks/steps/metropolis.hpp>

#include "tests/disks/any_simulation.hpp"
#include "tests/disks/plain_contents.hpp"
#include "tests/execution_spaces.hpp"

namespace tessera::disks {
namespace {

template <class Space>
class DisksPoints : public ::testing::Test {};
TYPED_TEST_SUITE(DisksPoints, tessera::testing::ExecutionSpaces, tessera::testing::ExecutionSpaceNames);

/// Dense and dilute, square and long, from boxes that are smaller than the reach of g(r) on.
std::vector<Parameters> systems() {
  std::vector<Parameters> all;
  for (const auto& [particles, packing_fraction, aspect] :
       {std::tuple{2, 0.3, 1.0}, {3, 0.5, 1.0}, {100, 0.6, 1.0}, {1000, 0.7, 1.0}, {300, 0.1, 7.0}}) {
    Parameters p;
    p.particles = particles;
    p.packing_fraction = packing_fraction;
    p.aspect = aspect;
    p.replicas = 2;
    p.seed = 3;
    p.sweeps = 60;
    p.sample_every = 10;
    all.push_back(p);
  }
  return all;
}

std::vector<std::vector<Point>> random_points(const Parameters& p) {
  Parameters random = p;
  random.start = Start::random;
  return start_points(random);
}

TYPED_TEST(DisksPoints, AreSortedIntoCellsInOrder) {
  for (const Parameters& p : systems()) {
    const auto points = random_points(p);
    const auto simulation = make_simulation<TypeParam>(p, points);
    EXPECT_EQ(simulation->configuration(), plain_contents(points, box_width(p), box_height(p), simulation->geometry()));
  }
}

TYPED_TEST(DisksPoints, OfTheLatticeEqualThoseOfTheHost) {
  for (const Parameters& p : systems()) {
    const std::vector<std::vector<Point>> points(2, lattice_start(p.particles, box_width(p), box_height(p)));
    const auto simulation = make_simulation<TypeParam>(p);
    EXPECT_EQ(simulation->configuration(), plain_contents(points, box_width(p), box_height(p), simulation->geometry()));
  }
}

// Of so many disks that products of two such numbers have more than 64 bits.
TEST(ALargeLattice, HasOneDiskPerSite) {
  const auto particles = most_particles - 1;
  Parameters p;
  p.particles = particles;
  const LatticeStart start(particles, box_width(p), box_height(p));
  const std::int64_t sites = start.lattice.columns * start.lattice.rows;
  ASSERT_GT(sites, particles);
  for (const std::int64_t i : {std::int64_t{0}, std::int64_t{1} << 31, particles - 2, particles - 1}) {
    const auto site = static_cast<std::int64_t>((analysis::Wide{i + 1} * sites + particles - 1) / particles - 1);
    const std::int64_t row = site / start.lattice.columns, column = site % start.lattice.columns;
    const BoxPoint point = start(0, i);
    EXPECT_EQ(std::floor(point.y / start.box_y * static_cast<double>(start.lattice.rows)), static_cast<double>(row));
    EXPECT_EQ(std::floor(point.x / start.box_x * static_cast<double>(start.lattice.columns)),
              static_cast<double>(column));
  }
}

TYPED_TEST(DisksPoints, AreSumsOfOriginCellAndPosition) {
  for (const Parameters& p : systems()) {
    const auto simulation = make_simulation<TypeParam>(p);
    simulation->advance(50);
    EXPECT_EQ(simulation->points(), plain_points(simulation->configuration(), simulation->geometry()));
  }
}

// To the last bit: squares of distances on the grid are exact, and pairs are counted.
TYPED_TEST(DisksPoints, PairDistributionCountsAllPairs) {
  for (const Parameters& p : systems()) {
    const auto simulation = make_simulation<TypeParam>(p);
    simulation->advance(50);
    const Geometry g = simulation->geometry();
    std::vector<double> expected;
    for (const auto& points : simulation->points()) {
      const auto one = pair_distribution(points, {g.box_x(), g.box_y()});
      expected.insert(expected.end(), one.begin(), one.end());
    }
    EXPECT_EQ(simulation->pair_distribution(), expected) << p.particles << " disks";
    EXPECT_GT(std::accumulate(expected.begin(), expected.end(), 0.0), 10);
  }
}

// As lanes of GPUs read them.
TEST(DisksPoints, AreSortedIntoPairs) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  for (const Parameters& p : systems()) {
    const auto points = random_points(p);
    const Geometry g = fit_cells(box_width(p), box_height(p), p.replicas).value();
    const Configuration expected = plain_contents(points, box_width(p), box_height(p), g);
    const State<Kokkos::HostSpace> placed(g, Arrangement::pairs), put(g, Arrangement::pairs);
    const ListedPoints<Kokkos::HostSpace> listed(points);
    place_points(Space(), listed, p.particles, {box_width(p), box_height(p)}, placed);
    EXPECT_EQ(configuration_of(Space(), placed), expected);
    put_configuration(Space(), expected, put);
    for (std::size_t i = 0; i < put.cells.positions.size(); ++i) {
      const Position a = placed.cells.positions(i), b = put.cells.positions(i);
      EXPECT_TRUE(is_there(a) ? a.x == b.x && a.y == b.y : !is_there(b));
    }
  }
}

TYPED_TEST(DisksPoints, RefuseFiveInACell) {
  Parameters p;
  p.particles = 100;
  auto points = random_points(p);
  for (std::size_t i = 1; i < 5; ++i) points[0][i] = points[0][0];
  EXPECT_THROW(make_simulation<TypeParam>(p, points), InputError);
}

// What a checkpoint is written of.
TEST(DisksState, IsIntactOnlyWithoutOverlaps) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  const Parameters p = systems()[2];
  const auto points = random_points(p);
  const Geometry g = fit_cells(box_width(p), box_height(p), p.replicas).value();
  Configuration configuration = plain_contents(points, box_width(p), box_height(p), g);
  const State<Kokkos::HostSpace> state(g, Arrangement::slots);
  EXPECT_EQ(put_configuration(Space(), configuration, state), 0);
  EXPECT_NO_THROW(require_intact(Space(), state.cells, 200));
  EXPECT_THROW(require_intact(Space(), state.cells, 201), RunError);
  // The first cell with two disks gets both of them at one point.
  std::size_t first = 0;
  for (std::size_t cell = 0; configuration.counts[cell] < 2; ++cell) first += configuration.counts[cell];
  configuration.positions[2 * first] = configuration.positions[2 * first + 2];
  configuration.positions[2 * first + 1] = configuration.positions[2 * first + 3];
  EXPECT_EQ(put_configuration(Space(), configuration, state), 0);
  EXPECT_THROW(require_intact(Space(), state.cells, 200), RunError);
  configuration.positions[2 * first] = -1;
  EXPECT_EQ(put_configuration(Space(), configuration, state), 1);
  EXPECT_THROW(require_intact(Space(), state.cells, 200), RunError);
}

// Of s sites before a site and s + 1 with it, particles / sites have been taken, rounded down.
TEST(LatticeStart, SpreadsVacanciesEvenly) {
  for (const std::int64_t particles : {2, 3, 7, 100, 997, 4096}) {
    const double box = std::sqrt(static_cast<double>(particles) * 1.4) + 1;
    const TriangularLattice lattice = triangular_lattice(particles, box, box);
    const std::int64_t sites = lattice.columns * lattice.rows;
    std::vector<Point> expected;
    for (std::int64_t site = 0; site < sites; ++site) {
      if ((site + 1) * particles / sites == site * particles / sites) continue;
      const std::int64_t row = site / lattice.columns, column = site % lattice.columns;
      const double shifted = static_cast<double>(column) + (row % 2 == 0 ? 0.25 : 0.75);
      expected.push_back({shifted * box / static_cast<double>(lattice.columns),
                          (static_cast<double>(row) + 0.5) * box / static_cast<double>(lattice.rows)});
    }
    EXPECT_EQ(lattice_start(particles, box, box), expected);
  }
}

}  // namespace
}  // namespace tessera::disks
