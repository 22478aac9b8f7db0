// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <cstdint>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/kpz/memory.hpp>
#include <tessera/kpz/state/subdomains.hpp>
#include <vector>

#include "tests/complaint.hpp"
#include "tests/kpz/any_simulation.hpp"
#include "tests/kpz/schemes.hpp"
#include "tests/matchers.hpp"
#include "tests/parallel/rank_tests.hpp"
#include "tests/view_bytes.hpp"

// One lattice shared out among ranks. Each of them computes what one process makes of it, too, and all is compared to
// the last bit.
namespace tessera::testing {
namespace {

using kpz::Parameters;
using parallel::Communicator;
using parallel::GridShape;

using Space = Kokkos::DefaultHostExecutionSpace;

std::string described(const Parameters& p, const GridShape& grid) {
  return describe(p) + ", " + std::to_string(p.nx) + " x " + std::to_string(p.ny) + ", domain " +
         std::to_string(p.domain) + ", " + std::to_string(p.replicas) + " replicas, " + on_ranks(grid);
}

/// Lattices that three and four ranks in a row can share out: of 4 x 4 periods, of which some have two and others one;
/// and of more rows or columns.
Parameters shared_lattice(std::uint64_t seed) {
  Parameters p;
  p.nx = p.ny = 128;
  p.domain = 16;
  p.thread_cell_x = p.thread_cell_y = 1;
  p.seed = seed;
  p.steps = 1000;
  p.replicas = 2;
  return p;
}

/// All that a checkpoint has.
void expect_equal(const MemoryArchive& some, const MemoryArchive& others) {
  if (!has_all()) return;
  for (const std::string entry :
       {"streams", "accepted", "intervals", "measured_accepted", "measured_before_accepted"}) {
    EXPECT_EQ(some.values<std::uint64_t>(entry), others.values<std::uint64_t>(entry)) << entry;
    EXPECT_EQ(some.shape(entry), others.shape(entry)) << entry;
  }
  EXPECT_EQ(some.has("kept_times"), others.has("kept_times"));
  for (const std::string entry : {"surface", "kept_surface_0", "kept_surface_1", "kept_surface_2"}) {
    ASSERT_EQ(some.has(entry), others.has(entry)) << entry;
    if (!some.has(entry)) continue;
    EXPECT_EQ(some.values<std::uint32_t>(entry), others.values<std::uint32_t>(entry)) << entry;
    EXPECT_EQ(some.shape(entry), others.shape(entry)) << entry;
  }
  for (const std::string entry : {"measured_time", "measured_quantities"})
    EXPECT_EQ(bits_of(some.values<double>(entry)), bits_of(others.values<double>(entry))) << entry;
}

void expect_equal(AnySimulation& shared, AnySimulation& single) {
  EXPECT_EQ(shared.time(), single.time());
  EXPECT_EQ(shared.work(), single.work());
  expect_surfaces(shared);
  expect_equal(shared.measure(), single.measure());
  const auto changes = shared.drain_histories(), expected = single.drain_histories();
  ASSERT_EQ(changes.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(changes[i].name, expected[i].name);
    ASSERT_EQ(changes[i].columns.size(), expected[i].columns.size());
    for (std::size_t c = 0; c < expected[i].columns.size(); ++c)
      EXPECT_EQ(bits_of(changes[i].columns[c]), bits_of(expected[i].columns[c]));
  }
  const auto words = shared.words();
  const auto heights = shared.heights();
  if (has_all()) {
    EXPECT_EQ(words, single.words());
    EXPECT_EQ(heights, single.heights());
  } else {
    EXPECT_TRUE(words.empty());
    EXPECT_TRUE(heights.empty());
  }
  expect_equal(saved(shared), saved(single));
}

/// Runs to each time, and compares all there.
void expect_one_process(const Parameters& p, const std::vector<double>& times = {0, 0.9, 1, 4, 7.5}) {
  for (const GridShape& grid : grids()) {
    SCOPED_TRACE(described(p, grid));
    if (!kpz::units_of(p).fits(grid)) continue;
    const auto shared = make_simulation<Space>(p, ranks(), grid);
    const auto single = make_simulation<Space>(p);
    for (const double time : times) {
      SCOPED_TRACE(time);
      shared->advance(time);
      single->advance(time);
      expect_equal(*shared, *single);
    }
  }
}

TEST(SharedLattice, EqualsOneProcessForAllSchemesAndRates) {
  for (Parameters p : with_rates(all_schemes(shared_lattice(11)))) {
    p.waiting_times = {1, 3};
    expect_one_process(p, {1, 4});
  }
}

TEST(SharedLattice, EqualsOneProcessAtAllTimes) {
  for (Parameters p : all_schemes(shared_lattice(12))) {
    p.q = 0.3;
    p.waiting_times = {0, 1, 4};
    expect_one_process(p);
  }
}

TEST(SharedLattice, MayHaveDomainsAndBordersOfAnySize) {
  std::uint64_t seed = 20;
  for (const int domain : {8, 16, 32, 64})
    for (const int border : {0, 1, 3}) {
      Parameters p = shared_lattice(++seed);
      p.domain = domain;
      p.border = border;
      p.nx = 4 * std::max(32, domain);
      p.ny = 8 * domain;
      for (Parameters scheme : all_schemes(p)) {
        if ((border > 0) != kpz::has_dead_border(scheme.device_layer)) continue;
        expect_one_process(scheme, {3});
      }
    }
}

TEST(SharedLattice, MayHaveTheLargestDomains) {
  for (const int domain : {128, 256})
    for (Parameters p : all_schemes(shared_lattice(25))) {
      p.nx = p.ny = 4 * domain;
      p.domain = domain;
      p.p = 0.9;
      p.q = 0.4;
      p.replicas = 1;
      expect_one_process(p, {2});
    }
}

/// Besides the heights, which are asked for in the end.
TEST(SharedLattice, TakesThePredictedMemory) {
  for (Parameters p : all_schemes(shared_lattice(80))) {
    p.waiting_times = {0};
    for (const GridShape& grid : grids()) {
      if (!kpz::units_of(p).fits(grid)) continue;
      SCOPED_TRACE(described(p, grid));
      const auto needed = kpz::memory_needed(p, false, kpz::distribute(p, ranks(), grid));
      expect_bytes_of_views(needed.device, [&] { return make_simulation<Space>(p, ranks(), grid); });
    }
  }
}

TEST(SharedLattice, MayBeNarrowOrFlat) {
  for (const auto& [nx, ny] : {std::pair{16, 128}, {32, 128}, {256, 16}, {256, 32}})
    for (Parameters p : all_schemes(shared_lattice(30))) {
      p.nx = nx;
      p.ny = ny;
      p.domain = 8;
      expect_one_process(p, {2});
    }
}

TEST(SharedLattice, StopsIfOneRankIsAskedAndContinues) {
  const Parameters p = shared_lattice(40);
  for (const GridShape& grid : grids()) {
    const auto shared = make_simulation<Space>(p, ranks(), grid);
    const auto single = make_simulation<Space>(p);
    int asked = 0;
    shared->advance(1e6, [&] { return ranks().rank() + 1 != ranks().size() || ++asked <= 3; });
    EXPECT_LT(shared->time(), 1e6);
    const double time = shared->time() + 3;
    shared->advance(time);
    single->advance(time);
    expect_equal(*shared, *single);
  }
}

/// From any number of ranks on any other one; `some`: the first ranks.
TEST(SharedLattice, ContinuesOnAnyNumberOfRanks) {
  for (Parameters p : all_schemes(shared_lattice(50))) {
    p.q = 0.2;
    p.waiting_times = {1, 4, 9};
    const auto single = make_simulation<Space>(p);
    MemoryArchive archive;
    double time = 0;
    for (const int size : {ranks().size(), 1, ranks().size() / 2 + 1, ranks().size()}) {
      SCOPED_TRACE(describe(p) + ", on " + std::to_string(size) + " ranks");
      const Communicator some = ranks().split(ranks().rank() < size ? 0 : 1);
      if (ranks().rank() < size) {
        const auto shared = make_simulation<Space>(p, some);
        if (time > 0) shared->load(archive);
        if (time > 0) expect_equal(saved(*shared), archive);
        shared->advance(time + 3);
        shared->measure();
        archive = saved(*shared);
      }
      time += 3;
      single->advance(time);
      single->measure();
      expect_equal(archive, saved(*single));
    }
  }
}

TEST(SharedLattice, RefusesACheckpointOnAllRanks) {
  const Parameters p = shared_lattice(60);
  const auto single = make_simulation<Space>(p);
  single->advance(5);
  single->measure();
  for (const std::string entry : {"surface", "streams", "accepted", "intervals"}) {
    SCOPED_TRACE(entry);
    MemoryArchive archive = saved(*single);
    if (entry == "surface") {
      archive.values<std::uint32_t>(entry).back() = 0;
    } else {
      archive.values<std::uint64_t>(entry).back() = entry == "streams" ? 0 : std::uint64_t{1} << 62;
    }
    const auto shared = make_simulation<Space>(p, ranks());
    EXPECT_THAT(complaint([&] { shared->load(has_all() ? archive : MemoryArchive()); }),
                HasSubstr("invalid checkpoint entry '" + entry + "'"));
  }
}

TEST(SharedLattice, RefusesNumbersOfRanksWithThoseThatArePossible) {
  Parameters p = shared_lattice(1);
  p.nx = p.ny = 32;
  if (ranks().size() == 1) return;
  EXPECT_THAT(complaint([&] { make_simulation<Space>(p, ranks()); }),
              AllOf(HasSubstr("this lattice cannot be divided among"),
                    HasSubstr("use 1 rank, a larger --size or a smaller --domain")));
  EXPECT_THROW(make_simulation<Space>(shared_lattice(1), ranks(), GridShape{7, 1}), InputError);
}

/// Heights are read part by part, whatever the parts.
TEST(SharedLattice, GivesHeightsInParts) {
  const Parameters p = shared_lattice(70);
  const auto shared = make_simulation<Space>(p, ranks());
  const auto single = make_simulation<Space>(p);
  shared->advance(6);
  single->advance(6);
  const auto expected = single->heights();
  const std::size_t count_of_all = expected.size();
  for (const std::size_t part : {1000, 128, 4097, 30000}) {
    const auto heights = shared->fields().at(0).data;
    for (std::size_t first = 0; first < count_of_all - 5000; first += part) {
      const std::size_t count = std::min(part, count_of_all - first);
      std::vector<std::int32_t> some(has_all() ? count : 0);
      heights(first * sizeof some[0], count * sizeof some[0], std::as_writable_bytes(std::span(some)));
      ASSERT_TRUE(std::equal(some.begin(), some.end(), expected.begin() + static_cast<std::ptrdiff_t>(first))) << first;
    }
  }
}

}  // namespace
}  // namespace tessera::testing
