// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <tuple>

#include "tests/execution_spaces.hpp"
#include "tests/kpz/any_simulation.hpp"
#include "tests/kpz/plain_scheme.hpp"
#include "tests/kpz/schemes.hpp"

namespace tessera::testing {
namespace {

using kpz::Parameters;

template <class Space>
class Schemes : public ::testing::Test {};
TYPED_TEST_SUITE(Schemes, ExecutionSpaces, ExecutionSpaceNames);

TYPED_TEST(Schemes, EqualThePlainImplementationOnHeights) {
  std::uint64_t seed = 0;
  for (Parameters p : with_rates(with_cells(all_schemes(small_lattice())))) {
    p.seed = ++seed;
    SCOPED_TRACE(describe(p));
    PlainScheme plain(p);
    const auto simulation = make_simulation<TypeParam>(p);
    EXPECT_EQ(simulation->words(), words_of(plain.heights(), p.nx, p.ny));
    for (int i = 1; i <= 3; ++i) {
      plain.interval();
      simulation->advance(simulation->time() + 1e-9);
      ASSERT_EQ(simulation->words(), words_of(plain.heights(), p.nx, p.ny)) << "after interval " << i;
    }
  }
}

/// After so many intervals.
template <class Space>
void expect_equal_to_plain(const Parameters& p, int intervals) {
  PlainScheme plain(p);
  const auto simulation = make_simulation<Space>(p);
  for (int i = 1; i <= intervals; ++i) {
    plain.interval();
    simulation->advance(simulation->time() + 1e-9);
  }
  EXPECT_EQ(simulation->words(), words_of(plain.heights(), p.nx, p.ny));
}

TYPED_TEST(Schemes, EqualThePlainImplementationWithOtherDomainsAndBorders) {
  std::uint64_t seed = 1000;
  for (const auto& [domain, border] : {std::pair{8, 0}, {16, 3}, {64, 1}, {32, 31}})
    for (Parameters p : all_schemes(small_lattice())) {
      const bool tiled = !kpz::has_dead_border(p.device_layer);
      if (tiled && domain > 32) continue;
      p.domain = domain;
      if (!tiled) p.border = border;
      if (!tiled) p.async_interval = 0.125 * (1 + border);
      p.p = p.q = 0.5;
      p.seed = ++seed;
      SCOPED_TRACE(describe(p) + ", domain " + std::to_string(domain) + ", border " + std::to_string(border));
      expect_equal_to_plain<TypeParam>(p, 5);
    }
}

TYPED_TEST(Schemes, EqualThePlainImplementationWithTheLargestDomainsAndCells) {
  std::uint64_t seed = 2000;
  for (const auto& [domain, cell_x, cell_y] : {std::tuple{128, 5, 1}, {256, 2, 6}})
    for (Parameters p : all_schemes(small_lattice())) {
      p.nx = p.ny = 512;
      p.domain = domain;
      p.thread_cell_x = cell_x;
      p.thread_cell_y = cell_y;
      p.seed = ++seed;
      for (const double q : {0.0, 0.25}) {
        p.q = q;
        SCOPED_TRACE(describe(p) + ", domain " + std::to_string(domain));
        expect_equal_to_plain<TypeParam>(p, 2);
      }
    }
}

TYPED_TEST(Schemes, MakeSurfacesAndReplicasEqualSingleRuns) {
  for (Parameters p : with_rates(all_schemes(small_lattice(7)))) {
    SCOPED_TRACE(describe(p));
    p.replicas = 3;
    const auto together = make_simulation<TypeParam>(p);
    together->advance(20);
    expect_surfaces(*together);
    const auto all = together->words();
    const auto measured = together->measure();
    for (int r = 0; r < 3; ++r) {
      Parameters alone = p;
      alone.replicas = 1;
      alone.seed = p.seed + static_cast<std::uint64_t>(r);
      const auto single = make_simulation<TypeParam>(alone);
      single->advance(20);
      const auto size = static_cast<std::ptrdiff_t>(all.size() / 3);
      EXPECT_EQ(std::vector(all.begin() + r * size, all.begin() + (r + 1) * size), single->words());
      for (const auto& observable : measured)
        if (observable.name != "velocity" && observable.name != "acceptance" && observable.values.size() > 1) {
          EXPECT_EQ(observable.values[static_cast<std::size_t>(r)], values_of(*single, observable.name)[0]);
        }
    }
  }
}

TYPED_TEST(Schemes, ContinueFromACheckpointToTheLastBit) {
  for (Parameters p : with_rates(all_schemes(small_lattice(9)))) {
    SCOPED_TRACE(describe(p));
    p.replicas = 2;
    p.waiting_times = {2, 7.5, 11};
    const auto straight = make_simulation<TypeParam>(p), first = make_simulation<TypeParam>(p),
               second = make_simulation<TypeParam>(p);
    straight->advance(5);
    first->advance(3);
    first->advance(5);
    straight->measure();
    first->measure();
    MemoryArchive archive;
    first->save(archive);
    second->load(archive);
    straight->drain_histories();
    straight->advance(12);
    second->advance(12);
    EXPECT_EQ(straight->words(), second->words());
    EXPECT_EQ(straight->time(), second->time());
    expect_surfaces(*second);
    const auto expected = straight->measure(), found = second->measure();
    ASSERT_EQ(expected.size(), 8u + 6u + 4u);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i].values, expected[i].values) << found[i].name;
    EXPECT_EQ(straight->drain_histories().size(), second->drain_histories().size());
  }
}

// TC=2,2 for the same accuracy on all lattices, but for a domain of 8 sites.
TYPED_TEST(Schemes, HaveThreadCellsTC22ByDefault) {
  for (const int side : {16, 32, 256}) {
    Parameters p;
    p.nx = p.ny = side;
    p.steps = 5;
    const auto without = make_simulation<TypeParam>(p);
    p.thread_cell_x = p.thread_cell_y = side == 16 ? 1 : 2;
    const auto with = make_simulation<TypeParam>(p);
    without->advance(5);
    with->advance(5);
    EXPECT_EQ(without->words(), with->words()) << side;
  }
}

TYPED_TEST(Schemes, StopOnRequestAndContinue) {
  Parameters p = small_lattice(3);
  const auto straight = make_simulation<TypeParam>(p), stopped = make_simulation<TypeParam>(p);
  straight->advance(30);
  int asked = 0;
  stopped->advance(30, [&] { return ++asked < 2; });
  EXPECT_LT(stopped->time(), 30);
  stopped->advance(30);
  EXPECT_EQ(stopped->words(), straight->words());
}

TEST(SchemesOnSpaces, GiveTheSameBitsAndMeasurements) {
  for (Parameters p : with_rates(with_cells(all_schemes(small_lattice(5))))) {
    SCOPED_TRACE(describe(p));
    p.replicas = 2;
    p.waiting_times = {3};
    std::vector<std::vector<std::uint32_t>> words;
    std::vector<std::vector<Observable>> measured;
    const auto run = [&]<class Space>(const Space&) {
      const auto simulation = make_simulation<Space>(p);
      simulation->advance(6);
      words.push_back(simulation->words());
      measured.push_back(simulation->measure());
    };
    [&]<class... Spaces>(::testing::Types<Spaces...>) { (run(Spaces()), ...); }(ExecutionSpaces());
    for (std::size_t i = 1; i < words.size(); ++i) {
      EXPECT_EQ(words[i], words[0]);
      for (std::size_t k = 0; k < measured[0].size(); ++k) EXPECT_EQ(measured[i][k].values, measured[0][k].values);
    }
  }
}

TEST(SchemesOnSpaces, ContinueTheCheckpointOfAnotherBackend) {
  Parameters p = small_lattice(15);
  p.waiting_times = {2};
  MemoryArchive archive;
  std::vector<std::uint32_t> last;
  double time = 0;
  const auto leg = [&]<class Space>(const Space&) {
    const auto simulation = make_simulation<Space>(p);
    if (time > 0) simulation->load(archive);
    simulation->advance(time += 3);
    archive = {};
    simulation->save(archive);
    last = simulation->words();
  };
  for (int round = 0; round < 2; ++round)
    [&]<class... Spaces>(::testing::Types<Spaces...>) { (leg(Spaces()), ...); }(ExecutionSpaces());
  const auto straight = make_simulation<Kokkos::DefaultHostExecutionSpace>(p);
  straight->advance(time);
  EXPECT_EQ(last, straight->words());
}

}  // namespace
}  // namespace tessera::testing
