// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <tessera/kmc/models.hpp>

#include "tests/execution_spaces.hpp"
#include "tests/io/memory_archive.hpp"
#include "tests/kmc/exactness.hpp"

namespace tessera::kmc {
namespace {

using ::tessera::io::MemoryArchive;

Parameters three_lattices() {
  Parameters p = up_to_event(lattice(64, 96, 41), 40'000);
  p.replicas = 3;
  return p;
}

/// With every space's own default sizes.
template <Model M>
void expect_same_bits_on_every_space(const M& model) {
  std::vector<Snapshot<M>> snapshots;
  testing::for_each_space([&]<class Space>(const Space&) {
    const auto simulation = make_tile_method<Space>(three_lattices(), model);
    simulation->advance(forever);
    snapshots.push_back(snapshot<M>(*simulation));
  });
  for (const Snapshot<M>& one : snapshots) expect_equal(one, snapshots.front());
  EXPECT_EQ(snapshots.front().events, std::vector<std::uint64_t>(3, 40'000));
}

TEST(ExecutionSpaces, GiveTheSameTrajectoryToTheLastBit) {
  expect_same_bits_on_every_space(SolidOnSolid(1));
  expect_same_bits_on_every_space(Ising(0.44, 0));
  expect_same_bits_on_every_space(Potts(1, 0));
  expect_same_bits_on_every_space(Hopping(0.5, 1));
  expect_same_bits_on_every_space(Kawasaki(0.5, 1));
  expect_same_bits_on_every_space(Epitaxy(1, 100, 2));
}

TEST(ExecutionSpaces, GiveTheSameMeasurements) {
  const SolidOnSolid model(1);
  std::vector<std::vector<Observable>> measurements;
  testing::for_each_space([&]<class Space>(const Space&) {
    Parameters p = tiled(three_lattices(), 16, 3);
    p.replicas = 1;
    const auto simulation = make_tile_method<Space>(p, model);
    simulation->advance(forever);
    measurements.push_back(simulation->measure());
    std::erase_if(measurements.back(), [](const Observable& o) { return o.is_diagnostic; });
  });
  ASSERT_GT(measurements.front().size(), 5u);
  for (std::size_t i = 1; i < measurements.size(); ++i) {
    ASSERT_EQ(measurements[i].size(), measurements.front().size());
    for (std::size_t k = 0; k < measurements[i].size(); ++k)
      EXPECT_EQ(measurements[i][k].values, measurements.front()[k].values) << measurements[i][k].name;
  }
}

/// What both methods measure at the end of three lattices: observables of the system, one by one the same.
template <Model M>
void expect_same_measurements(const M& model) {
  WaitingTimeSimulation<M> sequential(three_lattices(), model);
  sequential.advance(forever);
  testing::for_each_space([&]<class Space>(const Space&) {
    const auto simulation = make_tile_method<Space>(three_lattices(), model);
    simulation->advance(forever);
    std::vector<Observable> measured = simulation->measure();
    std::erase_if(measured, [](const Observable& o) { return o.is_diagnostic; });
    const std::vector<Observable> expected = sequential.measure();
    ASSERT_EQ(measured.size(), expected.size());
    for (std::size_t k = 0; k < measured.size(); ++k) {
      EXPECT_EQ(measured[k].name, expected[k].name);
      EXPECT_EQ(measured[k].values, expected[k].values) << measured[k].name;
    }
    std::erase_if(measured, [](const Observable& o) { return o.is_slow_mode; });
    // Every event of these models belongs to a group: for each replica the groups add up to all events.
    const auto groups = static_cast<std::size_t>(groups_of(model));
    const auto first = measured.end() - static_cast<std::ptrdiff_t>(groups), events = first - 1;
    ASSERT_EQ(events->name, "events");
    std::vector<double> sum(events->values.size());
    for (std::size_t g = 0; g < groups; ++g) {
      EXPECT_EQ(first[static_cast<std::ptrdiff_t>(g)].name, M::counted[g]);
      for (std::size_t r = 0; r < sum.size(); ++r) {
        EXPECT_GT(first[static_cast<std::ptrdiff_t>(g)].values[r], 500);
        sum[r] += first[static_cast<std::ptrdiff_t>(g)].values[r];
      }
    }
    EXPECT_EQ(sum, events->values);
  });
}

TEST(ExecutionSpaces, CountTheEventsOfEachGroup) {
  expect_same_measurements(Hopping(0.2, 0.5, 0.3, 0.8));
  expect_same_measurements(Epitaxy(1, 40, 1));
}

TEST(ExecutionSpaces, ContinueWhereAnotherHasStopped) {
  const SolidOnSolid model(2);
  Parameters p = three_lattices();
  p.replicas = 1;
  const Snapshot<SolidOnSolid> expected = sequential(p, model);
  MemoryArchive archive;
  WaitingTimeSimulation<SolidOnSolid>(p, model).save(archive);
  int legs = 0;
  for (int round = 0; round < 3; ++round)
    testing::for_each_space([&]<class Space>(const Space&) {
      const auto simulation = make_tile_method<Space>(p, model);
      simulation->load(archive);
      simulation->advance(expected.times[0] * ++legs / 12);
      archive = {};
      simulation->save(archive);
    });
  WaitingTimeSimulation<SolidOnSolid> last(p, model);
  last.load(archive);
  EXPECT_LT(last.events()[0], 40'000u);
  last.advance(forever);
  expect_equal(snapshot<SolidOnSolid>(last), expected);
}

}  // namespace
}  // namespace tessera::kmc
