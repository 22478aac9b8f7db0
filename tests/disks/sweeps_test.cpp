// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <tessera/disks/state/lattice_start.hpp>

#include "tests/disks/plain_contents.hpp"
#include "tests/disks/plain_sweeps.hpp"
#include "tests/disks/sweeps_instances.hpp"
#include "tests/execution_spaces.hpp"

namespace tessera::disks {
namespace {

/// Algorithm 1 on every execution space against PlainSweeps, to the last bit.
template <class Space>
class Sweeps : public ::testing::Test {};
TYPED_TEST_SUITE(Sweeps, tessera::testing::ExecutionSpaces, tessera::testing::ExecutionSpaceNames);

struct System {
  Parameters p;
  Geometry g;
  Configuration start;
};

constexpr SweepShape by_lanes{Arrangement::pairs, 0, TileShape{}};

System system(std::int64_t particles, double packing_fraction, double aspect = 1, int replicas = 1) {
  System s;
  s.p.particles = particles;
  s.p.packing_fraction = packing_fraction;
  s.p.aspect = aspect;
  s.p.replicas = replicas;
  s.p.seed = 17;
  const double x = box_width(s.p), y = box_height(s.p);
  s.g = fit_cells(x, y, replicas).value();
  const std::vector<std::vector<Point>> points(static_cast<std::size_t>(replicas), lattice_start(particles, x, y));
  s.start = plain_contents(points, x, y, s.g);
  return s;
}

/// Dense and dilute, square and long, from two cells a side on; with either shuffling off, and other moves.
std::vector<System> systems() {
  std::vector<System> all{system(2, 0.3),
                          system(3, 0.5),
                          system(16, 0.62),
                          system(400, 0.698),
                          system(900, 0.72),
                          system(500, 0.2, 4),
                          system(72, 0.7, 9 / (4 * std::sqrt(3.0)))};
  all.push_back(system(100, 0.6));
  all.back().p.shuffle_particles = false;
  all.push_back(system(100, 0.6));
  all.back().p.shuffle_checkerboard = false;
  all.push_back(system(100, 0.4));
  all.back().p.moves_per_cell = 7;
  all.back().p.move_radius = 0.9;
  all.push_back(system(60, 0.65, 1.7));
  all.back().p.moves_per_cell = 21;
  all.push_back(system(100, 0.7));
  all.back().p.moves_per_cell = 1;
  all.back().p.move_radius = 1e-4;
  return all;
}

TYPED_TEST(Sweeps, EqualPlainSweepsToTheLastBit) {
  for (const System& s : systems()) {
    SCOPED_TRACE(std::to_string(s.p.particles) + " disks, eta " + std::to_string(s.p.packing_fraction));
    PlainSweeps plain(s.p, s.p.seed, s.g, s.start);
    const auto sweeps = make_sweeps<TypeParam>(s.p, s.g, s.start);
    std::int64_t done = 0;
    for (const int count : {1, 2, 60, 128}) {
      sweeps->run(done, count);
      done += count;
      for (int i = 0; i < count; ++i) plain.sweep();
      ASSERT_EQ(sweeps->configuration(), plain.configuration()) << "after " << done << " sweeps";
    }
    EXPECT_GT(plain.configuration().moves[1], 0u);
  }
}

TYPED_TEST(Sweeps, ByLanesEqualPlainSweepsToTheLastBit) {
  bool holds_more_than_two = false;
  std::vector<System> all = systems();
  all.push_back(system(6000, 0.69));
  for (const System& s : all) {
    SCOPED_TRACE(std::to_string(s.p.particles) + " disks, eta " + std::to_string(s.p.packing_fraction));
    PlainSweeps plain(s.p, s.p.seed, s.g, s.start);
    const auto sweeps = make_sweeps<TypeParam>(s.p, s.g, s.start, by_lanes);
    for (int done = 0; done < 120; done += 40) {
      sweeps->run(done, 40);
      for (int i = 0; i < 40; ++i) plain.sweep();
      const Configuration configuration = plain.configuration();
      ASSERT_EQ(sweeps->configuration(), configuration) << "after " << done + 40 << " sweeps";
      for (const auto n : configuration.counts) holds_more_than_two = holds_more_than_two || n == most_in_a_cell;
    }
  }
  EXPECT_TRUE(holds_more_than_two);
}

// By their numbers in a grid of 8e9 cells, of which these are the last ones, the streams of cells are known.
TYPED_TEST(Sweeps, UseTheStreamsOfALargeGrid) {
  for (const int moves : {4, 9}) {
    System s = system(400, 0.698);
    s.p.moves_per_cell = moves;
    s.g.first_x = 100'000 - s.g.columns;
    s.g.first_y = 80'000 - s.g.rows;
    s.g.beyond_x = s.g.first_x;
    s.g.beyond_y = s.g.first_y;
    std::vector<SweepShape> shapes{by_lanes};
    // A tile of a GPU would take the streams of the grid's cells beyond this part, which wraps within itself.
    if (runs_on_host<TypeParam>) shapes.push_back(default_sweep_shape<TypeParam>);
    if (moves == 4) shapes.push_back({Arrangement::pairs, 0, ReplicaTeam<TypeParam>::shape(s.g)});
    for (const SweepShape& shape : shapes) {
      PlainSweeps plain(s.p, s.p.seed, s.g, s.start);
      const auto sweeps = make_sweeps<TypeParam>(s.p, s.g, s.start, shape);
      sweeps->run(0, 10);
      for (int i = 0; i < 10; ++i) plain.sweep();
      EXPECT_EQ(sweeps->configuration(), plain.configuration()) << moves << " moves a cell";
    }
  }
}

TYPED_TEST(Sweeps, LoseNoDiskAndMakeNoOverlap) {
  for (const System& s : systems()) {
    const auto sweeps = make_sweeps<TypeParam>(s.p, s.g, s.start);
    for (std::int64_t first = 0; first < 5 * 128; first += 128) sweeps->run(first, 128);
    const Census census = sweeps->census();
    EXPECT_EQ(census.disks, static_cast<std::uint64_t>(s.p.particles));
    EXPECT_EQ(census.overlaps, 0u);
    EXPECT_EQ(census.outside, 0u);
  }
}

// On a host, too, lanes can make the sweeps, as on a GPU.
TYPED_TEST(Sweeps, DoNotDependOnTheKernel) {
  const SweepShape usual = default_sweep_shape<TypeParam>;
  for (const System& s : {system(400, 0.698, 1, 3), system(500, 0.2, 4), system(3, 0.5, 1, 2)}) {
    const auto expected = make_sweeps<TypeParam>(s.p, s.g, s.start);
    expected->run(0, 50);
    for (const SweepShape shape : {SweepShape{Arrangement::pairs}, by_lanes, SweepShape{usual.arrangement, 5},
                                   SweepShape{usual.arrangement, 1}}) {
      const auto other = make_sweeps<TypeParam>(s.p, s.g, s.start, shape);
      other->run(0, 20);
      other->run(20, 30);
      EXPECT_EQ(other->configuration(), expected->configuration());
    }
  }
}

// On a host one lane is a team. Grids from two cells a side on and up to the largest one, cells with four disks, either
// shuffling off, more sweeps than plans are made for at once.
TYPED_TEST(Sweeps, ByWholeReplicasAreTheSame) {
  using Team = ReplicaTeam<TypeParam>;
  std::vector<System> all{system(2, 0.3),           system(3, 0.5, 1, 2),  system(16, 0.62, 1, 7),
                          system(300, 0.698, 1, 3), system(60, 0.65, 1.7), system(200, 0.2, 4),
                          system(150, 0.3, 2, 2),   system(400, 0.72),     system(468, 0.72, 1, 2),
                          system(1024, 0.8, 1.2)};
  all[6].p.moves_per_cell = 1;
  all[6].p.shuffle_checkerboard = false;
  all[7].p.moves_per_cell = 3;
  all[7].p.shuffle_particles = false;
  bool four = false;
  for (const System& s : all) {
    SCOPED_TRACE(std::to_string(s.p.particles) + " disks, eta " + std::to_string(s.p.packing_fraction));
    ASSERT_TRUE(Team::fits(s.g));
    const auto expected = make_sweeps<TypeParam>(s.p, s.g, s.start, by_lanes);
    const auto other = make_sweeps<TypeParam>(s.p, s.g, s.start, SweepShape{Arrangement::pairs, 0, Team::shape(s.g)});
    std::int64_t done = 0;
    for (const int count : {1, 40, 64}) {
      for (const auto& sweeps : {expected.get(), other.get()}) sweeps->run(done, count);
      done += count;
      ASSERT_EQ(other->configuration(), expected->configuration()) << "after " << done << " sweeps";
    }
    for (const auto n : expected->configuration().counts) four = four || n == 4;
  }
  EXPECT_TRUE(four);
}

// On a host one lane is a team. Grids that tiles do not cover exactly, cells with four disks, either shuffling off.
TYPED_TEST(Sweeps, ByTilesAreTheSame) {
  const bool host = default_sweep_shape<TypeParam>.arrangement == Arrangement::slots;
  std::vector<System> all{system(400, 0.698, 1, 3), system(6000, 0.69), system(500, 0.3, 2, 2), system(400, 0.72)};
  all[2].p.moves_per_cell = 1;
  all[2].p.shuffle_checkerboard = false;
  all[3].p.moves_per_cell = 3;
  all[3].p.shuffle_particles = false;
  bool four = false;
  for (const System& s : all) {
    SCOPED_TRACE(std::to_string(s.p.particles) + " disks, eta " + std::to_string(s.p.packing_fraction));
    const auto expected = make_sweeps<TypeParam>(s.p, s.g, s.start, by_lanes);
    expected->run(0, 50);
    for (const TileShape tile :
         {TileShape{4, 4, 32}, TileShape{8, 4, 64}, TileShape{4, 10, 96}, TileShape{10, 8, 576}}) {
      ASSERT_TRUE(tile.fits(s.g));
      const SweepShape shape{Arrangement::pairs, 0, host ? TileShape{tile.width, tile.height, 1} : tile};
      const auto other = make_sweeps<TypeParam>(s.p, s.g, s.start, shape);
      other->run(0, 18);
      other->run(18, 32);
      EXPECT_EQ(other->configuration(), expected->configuration()) << tile.width << " x " << tile.height;
    }
    for (const auto n : expected->configuration().counts) four = four || n == 4;
  }
  EXPECT_TRUE(four);
}

TEST(TileShape, IsChosenForSmallSystemsAndKeepsAllMultiprocessorsBusy) {
  Geometry g;
  g.columns = g.rows = 190;
  const TileShape shape = choose_tile(g, 132);
  EXPECT_EQ(shape.width * shape.height, 16 * 18);
  g.replicas = 2;
  EXPECT_EQ(choose_tile(g, 132).width, 0);
  g.replicas = 1;
  g.rows = 8;
  EXPECT_EQ(choose_tile(g, 132).width, 0);
  g.rows = 20;
  EXPECT_TRUE(choose_tile(g, 132).fits(g));
  EXPECT_GT(choose_tile(g, 132).width, 0);
}

TEST(ReplicaTeam, IsChosenIfReplicasFillTheGpuOnce) {
  Geometry g;
  g.columns = g.rows = 26;
  for (const auto& [replicas, chosen] : {std::pair{1, false}, {43, false}, {44, true}, {256, true}, {1024, false}}) {
    g.replicas = replicas;
    EXPECT_EQ(whole_replicas_suit(g, 132), chosen) << replicas << " replicas";
  }
}

TYPED_TEST(Sweeps, OfReplicasEqualThoseOfSingleRuns) {
  const System together = system(100, 0.69, 1, 5);
  const auto all = make_sweeps<TypeParam>(together.p, together.g, together.start);
  all->run(0, 100);
  Configuration expected;
  for (int r = 0; r < 5; ++r) {
    System one = system(100, 0.69);
    one.p.seed = together.p.seed + static_cast<std::uint64_t>(r);
    const auto single = make_sweeps<TypeParam>(one.p, one.g, one.start);
    single->run(0, 100);
    const Configuration c = single->configuration();
    expected.counts.insert(expected.counts.end(), c.counts.begin(), c.counts.end());
    expected.positions.insert(expected.positions.end(), c.positions.begin(), c.positions.end());
    expected.origins.insert(expected.origins.end(), c.origins.begin(), c.origins.end());
    expected.moves.insert(expected.moves.end(), c.moves.begin(), c.moves.end());
  }
  EXPECT_EQ(all->configuration(), expected);
}

// The census sees what it is there for.
TYPED_TEST(Sweeps, CensusFindsOverlapsAndStrayDisks) {
  const System s = system(100, 0.69);
  const auto census = [&](const Configuration& c) { return make_sweeps<TypeParam>(s.p, s.g, c)->census(); };
  EXPECT_EQ(census(s.start).overlaps, 0u);
  const TriangularLattice lattice = triangular_lattice(100, s.g.box_x(), s.g.box_y());
  // The disks of the first row are `spacing` apart: just touching is no overlap, one step closer is one.
  const auto points = [&](double distance) {
    std::vector<Point> p{{2.2, 2.2}, {2.2 + distance, 2.2}};
    return plain_contents({p}, s.g.box_x(), s.g.box_y(), s.g);
  };
  EXPECT_GT(lattice.nearest, 1);
  EXPECT_EQ(census(points(1 + step)).overlaps, 0u);
  EXPECT_EQ(census(points(1 - 1.5 * step)).overlaps, 1u);
  EXPECT_EQ(census(points(0.4)).overlaps, 1u);
  EXPECT_EQ(census(points(0.4)).disks, 2u);
  Configuration stray = s.start;
  stray.positions[0] = -step;
  EXPECT_EQ(census(stray).outside, 1u);
  stray.positions[0] = step / 2;
  EXPECT_EQ(census(stray).outside, 1u);
}

// Five disks in a cell overlap: wherever that comes from, a sweep does not go on with four of them.
TYPED_TEST(Sweeps, StopIfACellHasTooManyDisks) {
  if (!runs_on_host<TypeParam>) GTEST_SKIP() << "a device that has stopped cannot be used by the tests that follow";
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  const System s = system(100, 0.5);
  const double w = s.g.cell_width(), h = s.g.cell_height();
  std::vector<Point> points;
  for (const double x : {2.6 * w, 3.1 * w})
    for (int i = 0; i < 4; ++i) points.push_back({x, 2.5 * h + 0.01 * i});
  const Configuration piles = plain_contents({points}, s.g.box_x(), s.g.box_y(), s.g);
  for (const SweepShape& shape :
       {default_sweep_shape<TypeParam>, by_lanes, SweepShape{Arrangement::pairs, 0, TileShape{4, 4, 1}},
        SweepShape{Arrangement::pairs, 0, ReplicaTeam<TypeParam>::shape(s.g)}}) {
    const auto sweeps = make_sweeps<TypeParam>(s.p, s.g, piles, shape);
    EXPECT_DEATH(sweeps->run(0, 100), "more than four disks in a cell");
  }
}

TYPED_TEST(Sweeps, ShiftsOfTheGridDoNotMoveDisks) {
  System s = system(50, 0.3);
  s.p.moves_per_cell = 1;
  s.p.move_radius = 1e-4;
  const auto sweeps = make_sweeps<TypeParam>(s.p, s.g, s.start);
  std::vector<Point> before = plain_points(s.start, s.g)[0];
  sweeps->run(0, 100);
  const Configuration moved = sweeps->configuration();
  EXPECT_NE(moved.origins, (std::vector<std::int64_t>{0, 0}));
  const std::vector<Point> after = plain_points(moved, s.g)[0];
  for (const Point& p : before) {
    double nearest = 100;
    for (const Point& q : after)
      nearest = std::min(
          nearest, std::hypot(std::remainder(p[0] - q[0], s.g.box_x()), std::remainder(p[1] - q[1], s.g.box_y())));
    EXPECT_LT(nearest, 100 * 1e-4);
  }
}

}  // namespace
}  // namespace tessera::disks
