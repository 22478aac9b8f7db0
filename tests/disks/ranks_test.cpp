// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/disks/memory.hpp>
#include <tessera/disks/state/lattice_start.hpp>
#include <tessera/disks/state/subdomains.hpp>
#include <vector>

#include "tests/complaint.hpp"
#include "tests/disks/any_simulation.hpp"
#include "tests/matchers.hpp"
#include "tests/parallel/rank_tests.hpp"
#include "tests/view_bytes.hpp"

// Disks shared out among ranks. Each of them computes what one process makes of it, too, and all is compared to the
// last bit.
namespace tessera::disks {
namespace {

using parallel::Communicator;
using parallel::GridShape;

using Space = Kokkos::DefaultHostExecutionSpace;

std::string described(const Parameters& p, const GridShape& grid) {
  return std::to_string(p.particles) + " disks, eta = " + std::to_string(p.packing_fraction) + ", " +
         std::to_string(p.replicas) + " replicas, " + on_ranks(grid);
}

/// Disks in 26 x 26 cells: 13 pairs, of which four ranks in a row have 4, 3, 3 and 3, as many as the ghosts, and three
/// ranks 5, 4 and 4.
Parameters shared_disks(std::uint64_t seed, double packing_fraction = 0.698) {
  Parameters p;
  p.packing_fraction = packing_fraction;
  p.particles = static_cast<std::int64_t>(35.6 * 35.6 * 4 * packing_fraction / 3.14159265);
  p.seed = seed;
  p.replicas = 2;
  p.sweeps = 1000;
  p.sample_every = 7;
  p.r_max = 5;
  p.g6 = true;
  p.q_max = 6;
  return p;
}

std::unique_ptr<AnyParallelSimulation> shared_simulation(const Parameters& p, const Communicator& some,
                                                         const std::optional<GridShape>& grid = {}) {
  auto simulation = make_simulation<Space>(p, {}, some, grid);
  EXPECT_TRUE(simulation->start([] { return true; }));
  return simulation;
}

void expect_equal(const std::vector<Sample>& some, const std::vector<Sample>& others) {
  ASSERT_EQ(some.size(), others.size());
  for (std::size_t r = 0; r < some.size(); ++r) {
    EXPECT_EQ(some[r].pairs, others[r].pairs);
    EXPECT_EQ(some[r].disks, others[r].disks);
    EXPECT_EQ(bits_of({some[r].psi6_re, some[r].psi6_im}), bits_of({others[r].psi6_re, others[r].psi6_im}));
  }
}

void expect_equal(AnyParallelSimulation& shared, AnyParallelSimulation& single) {
  EXPECT_EQ(shared.time(), single.time());
  for (std::size_t r = 0; r < single.moves().size(); ++r) {
    EXPECT_EQ(shared.moves()[r].tried, single.moves()[r].tried);
    EXPECT_EQ(shared.moves()[r].accepted, single.moves()[r].accepted);
  }
  expect_equal(shared.measure(), single.measure());
  expect_equal(shared.sample(), single.sample());
  const auto functions = shared.functions(), expected = single.functions();
  EXPECT_EQ(functions.size(), 3);
  for (std::size_t f = 0; f < functions.size(); ++f)
    EXPECT_EQ(bits_of(functions[f].values), bits_of(expected[f].values)) << functions[f].name;
  EXPECT_EQ(shared.drain_history().columns, single.drain_history().columns);
  EXPECT_EQ(bits_of(shared.pair_distribution()), bits_of(single.pair_distribution()));
  const Configuration configuration = shared.configuration();
  const auto points = shared.points();
  if (has_all()) {
    EXPECT_TRUE(configuration == single.configuration());
    EXPECT_EQ(points, single.points());
  } else {
    EXPECT_TRUE(configuration.counts.empty() && configuration.positions.empty());
    EXPECT_TRUE(points.empty());
  }
}

/// All that a checkpoint has.
void expect_equal(const io::MemoryArchive& some, const io::MemoryArchive& others) {
  if (!has_all()) return;
  const auto compare = [&]<class T>(const std::string& entry, T) {
    EXPECT_EQ(some.values<T>(entry), others.values<T>(entry)) << entry;
    EXPECT_EQ(some.shape(entry), others.shape(entry)) << entry;
  };
  compare("count", std::uint8_t{});
  compare("position", float{});
  compare("origin", std::int64_t{});
  compare("moves", std::uint64_t{});
  compare("sweeps", std::int64_t{});
  compare("moves_at_tuning", std::uint64_t{});
  compare("pairs", std::uint64_t{});
  EXPECT_EQ(bits_of(some.values<double>("correlations")), bits_of(others.values<double>("correlations")));
  EXPECT_EQ(bits_of(some.values<double>("radius")), bits_of(others.values<double>("radius")));
  EXPECT_EQ(bits_of(some.values<double>("last_sample")), bits_of(others.values<double>("last_sample")));
}

TEST(SharedDisks, EqualOneProcessOnEveryRankGrid) {
  for (const double packing_fraction : {0.698, 0.86, 0.1})
    for (const GridShape& grid : grids()) {
      const Parameters p = shared_disks(1, packing_fraction);
      SCOPED_TRACE(described(p, grid));
      const auto shared = shared_simulation(p, ranks(), grid);
      const auto single = make_simulation<Space>(p);
      for (const double time : {0, 1, 2, 30}) {
        shared->advance(time);
        single->advance(time);
        expect_equal(*shared, *single);
      }
    }
}

TEST(SharedDisks, EqualOneProcessInNarrowBoxes) {
  for (const double aspect : {20.0, 0.05}) {
    Parameters p = shared_disks(4);
    p.aspect = aspect;
    // 7.97 by 159.3: 6 cells, three pairs, in the direction that is not cut.
    const GridShape grid = aspect > 1 ? GridShape{ranks().size(), 1} : GridShape{1, ranks().size()};
    SCOPED_TRACE(described(p, grid));
    const auto shared = shared_simulation(p, ranks(), grid);
    const auto single = make_simulation<Space>(p);
    shared->advance(30);
    single->advance(30);
    expect_equal(*shared, *single);
  }
}

TEST(SharedDisks, TuneTheSameMoveRadius) {
  for (const GridShape& grid : grids()) {
    Parameters p = shared_disks(7);
    p.tune_acceptance = 0.5;
    p.equilibrate = 500;
    SCOPED_TRACE(described(p, grid));
    const auto shared = shared_simulation(p, ranks(), grid);
    const auto single = make_simulation<Space>(p);
    shared->advance(105);
    single->advance(105);
    EXPECT_NE(find(single->measure(), "move_radius").values[0], p.move_radius);
    expect_equal(*shared, *single);
  }
}

TEST(SharedDisks, StartAtRandomLikeOneProcess) {
  Parameters p = shared_disks(9, 0.5);
  p.start = Start::random;
  const auto shared = shared_simulation(p, ranks());
  const auto single = make_simulation<Space>(p);
  expect_equal(*shared, *single);
  shared->advance(20);
  single->advance(20);
  expect_equal(*shared, *single);
  EXPECT_FALSE(make_simulation<Space>(p, {}, ranks())->start([] { return false; }));
}

// From the disks of another run, which each rank that starts takes as they are.
TEST(SharedDisks, StartFromAFileLikeOneProcess) {
  Parameters p = shared_disks(9);
  const auto before = make_simulation<Space>(p);
  before->advance(50);
  const auto points = before->points();
  const std::string name = "start_" + std::to_string(ranks().size()) + ".xyz";
  if (ranks().rank() == 0) {
    std::ofstream file(name);
    file.precision(17);
    file << p.particles << "\nLattice=\"" << before->box()[0] << " 0 0 0 " << before->box()[1] << " 0 0 0 1\"\n";
    for (const Point& point : points[1]) file << "X " << point[0] << ' ' << point[1] << " 0\n";
  }
  p.start = Start::file;
  p.start_file = name;
  const auto shared = shared_simulation(p, ranks());
  if (ranks().rank() == 0) std::filesystem::remove(name);
  auto start = shared->points();
  if (has_all())
    for (auto& of_replica : start) {
      auto expected = points[1];
      std::ranges::sort(expected);
      std::ranges::sort(of_replica);
      EXPECT_EQ(of_replica, expected);
    }
  EXPECT_THROW(make_simulation<Space>(p, {}, ranks())->start([] { return true; }), InputError);  // no such file
}

/// After as many sweeps as some tenths of a second afford, of which each rank thinks otherwise.
TEST(SharedDisks, StopOnAllRanksIfOneIsAsked) {
  for (const GridShape& grid : grids()) {
    Parameters p = shared_disks(11);
    p.sweeps = 1e9;
    const auto shared = shared_simulation(p, ranks(), grid);
    const auto single = make_simulation<Space>(p);
    int asked = 0;
    shared->advance(p.sweeps, [&] { return ranks().rank() + 1 != ranks().size() || ++asked <= 3; });
    EXPECT_LT(shared->time(), p.sweeps);
    const double time = shared->time() + 3;
    shared->advance(time);
    single->advance(time);
    expect_equal(*shared, *single);
  }
}

/// From any number of ranks on any other one; `some`: the first ranks.
TEST(SharedDisks, ContinueOnAnyNumberOfRanks) {
  for (const bool tuned : {false, true}) {
    Parameters p = shared_disks(13);
    p.tune_acceptance = tuned ? 0.5 : 0;
    p.equilibrate = tuned ? 500 : 0;
    const auto single = make_simulation<Space>(p);
    io::MemoryArchive archive;
    double time = 0;
    for (const int size : {ranks().size(), 1, ranks().size() / 2 + 1, ranks().size()}) {
      SCOPED_TRACE(std::to_string(size) + " ranks");
      const Communicator some = ranks().split(ranks().rank() < size ? 0 : 1);
      if (ranks().rank() < size) {
        const auto shared = make_simulation<Space>(p, {}, some);
        if (time > 0) {
          shared->load(archive);
          expect_equal(saved(*shared), archive);
        } else {
          shared->start([] { return true; });
        }
        shared->advance(time + 30);
        archive = saved(*shared);
      }
      time += 30;
      single->advance(time);
      expect_equal(archive, saved(*single));
    }
  }
}

TEST(SharedDisks, RefuseACheckpointOnAllRanks) {
  const Parameters p = shared_disks(17);
  const auto single = make_simulation<Space>(p);
  single->advance(5);
  for (const std::string entry : {"count", "position", "origin", "moves", "sweeps"}) {
    SCOPED_TRACE(entry);
    io::MemoryArchive archive = saved(*single);
    if (entry == "count") archive.values<std::uint8_t>(entry).back() = 5;
    if (entry == "position") archive.values<float>(entry).back() = 3;
    if (entry == "origin") archive.values<std::int64_t>(entry).back() = -1;
    if (entry == "moves") archive.values<std::uint64_t>(entry).back() = std::uint64_t{1} << 62;
    if (entry == "sweeps") archive.values<std::int64_t>(entry).back() = -1;
    const auto shared = make_simulation<Space>(p, {}, ranks());
    try {
      shared->load(has_all() ? archive : io::MemoryArchive());
      ADD_FAILURE() << "nothing was thrown";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("checkpoint entry '" + entry + "'"));
    }
  }
}

/// Two disks that overlap across each border of each rank's part.
TEST(SharedDisks, RefuseOverlapsOnAllRanks) {
  Parameters p = shared_disks(19, 0.1);
  p.replicas = 1;
  auto points = lattice_start(p.particles, box_width(p), box_height(p));
  const double width = box_width(p), height = box_height(p);
  for (const GridShape& grid : grids())
    for (const Point& at : {Point{width / 2, 0}, {0, height / 2}, {width / 3, height / 3}, {0, 0}}) {
      auto overlapping = points;
      overlapping[3] = {at[0] + 0.1, at[1] + 0.1};
      overlapping[77] = {at[0] - 0.1 + (at[0] == 0 ? width : 0), at[1] - 0.1 + (at[1] == 0 ? height : 0)};
      EXPECT_THROW(make_simulation<Space>(p, {overlapping}, ranks(), grid), InputError);
    }
}

/// After the first sample. What an allocation of a start takes comes on top.
TEST(SharedDisks, TakeThePredictedMemory) {
  for (const GridShape& grid : grids()) {
    Parameters p = shared_disks(1);
    p.replicas = 20;
    const auto places = distribute(checkerboard(p), ranks(), grid);
    const std::size_t before = testing::bytes_of_views();
    const auto shared = shared_simulation(p, ranks(), grid);
    shared->advance(p.sample_every);
    const auto most = static_cast<double>(ranks().max(testing::bytes_of_views() - before));
    const auto foretold = static_cast<double>(memory_needed(p, places).device);
    SCOPED_TRACE(described(p, grid));
    EXPECT_GE(foretold, most);
    EXPECT_LT(foretold, 1.5 * most);
  }
}

TEST(SharedDisks, RefuseNumbersOfRanksWithThoseThatArePossible) {
  Parameters p = shared_disks(1);
  p.particles = 50;  // 6 x 6 cells: three pairs
  if (ranks().size() == 1) return;
  EXPECT_THAT(complaint([&] { make_simulation<Space>(p, {}, ranks()); }),
              AllOf(HasSubstr("this box cannot be divided among"), HasSubstr("use 1 rank or more --particles")));
  EXPECT_THROW(make_simulation<Space>(shared_disks(1), {}, ranks(), GridShape{7, 1}), InputError);
}

/// 4e9 disks in 47440 x 47440 cells, more than 2^31, of which a rank has room for 2^30: three are needed.
TEST(SharedDisks, RefuseTooFewRanksWithTheNumberThatSuffices) {
  Parameters p;
  p.particles = most_particles;
  const Geometry whole = checkerboard(p);
  ASSERT_GT(whole.grid_cells(), std::int64_t{1} << 31);
  const bool enough = ranks().size() > 2;
  for (const GridShape& grid : grids()) {
    SCOPED_TRACE(on_ranks(grid));
    const auto text = complaint([&] { distribute(whole, ranks(), grid); });
    EXPECT_EQ(text == "", enough) << text;
    if (enough) continue;
    EXPECT_THAT(text, HasSubstr("47440 x 47440 cells is too large for " +
                                (ranks().size() == 1 ? "one process" : std::to_string(ranks().size()) + " ranks")));
    EXPECT_THAT(text, HasSubstr("use 3 ranks on a grid of 1 x 3"));
  }
  if (enough) return;
  EXPECT_THAT(complaint([&] { make_simulation<Space>(p, {}, ranks()); }), HasSubstr("is too large"));
  p.particles = most_particles / 8;
  p.replicas = 8;
  EXPECT_THAT(complaint([&] { make_simulation<Space>(p, {}, ranks()); }),
              HasSubstr("16774 x 16774 cells in each of 8 replicas is too large"));
}

/// Parts of a grid whose cells have numbers of more than 31 bits: together they are the grid.
TEST(SharedDisks, CoverEachCellOfALargeGridOnce) {
  Parameters p;
  p.particles = most_particles;
  p.aspect = 1.7;
  const Geometry whole = checkerboard(p);
  std::int64_t cells = 0;
  for (const GridShape& grid : {GridShape{3, 1}, {2, 2}, {5, 3}})
    for (int rank = 0; rank < grid.nx * grid.ny; ++rank) {
      const Geometry part = part_of(whole, grid, rank);
      EXPECT_LE(part.all_cells(), part_of(whole, grid, 0).all_cells());
      EXPECT_EQ(part.grid_cells(), whole.grid_cells());
      cells += part.all_own_cells();
      // The own cell with the largest number, as 64 bits compute it from its column and row.
      const int x = part.ghost_x + part.own_columns() - 1, y = part.ghost_y + part.own_rows() - 1;
      EXPECT_EQ(part.number_in_grid(x, y), std::int64_t{part.first_y + y} * whole.columns + part.first_x + x);
    }
  EXPECT_EQ(cells, 3 * whole.grid_cells());
}

/// The largest of the examples, on four GPUs.
TEST(SharedDisks, OfTheLargestExampleNeedTheStatedMemory) {
  Parameters p;
  p.particles = 1'000'000'000;
  const auto places = distribute(checkerboard(p), ranks());
  const MemoryNeeded needed = memory_needed(p, places);
  const auto cells = static_cast<double>(checkerboard(p).grid_cells()) / ranks().size();
  EXPECT_NEAR(static_cast<double>(needed.device), 86 * cells, 0.01 * 86 * cells);
  EXPECT_GT(static_cast<double>(needed.host), 40e9);
}

}  // namespace
}  // namespace tessera::disks
