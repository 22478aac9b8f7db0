// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tessera/core/error.hpp>
#include <tessera/kmc/models.hpp>

#include "tests/execution_spaces.hpp"
#include "tests/io/memory_archive.hpp"
#include "tests/kmc/exactness.hpp"
#include "tests/kmc/own_models.hpp"
#include "tests/matchers.hpp"

namespace tessera::kmc {
namespace {

using ::tessera::io::MemoryArchive;

/// Events that the time cannot tell apart.
template <class Space>
class EqualTimes : public ::testing::Test {};
TYPED_TEST_SUITE(EqualTimes, testing::ParallelSpaces, testing::ExecutionSpaceNames);

/// The start of a run, with the time `now` instead of 0.
template <Model M>
MemoryArchive late_start(const Parameters& p, const M& model, double now) {
  MemoryArchive archive;
  WaitingTimeSimulation<M>(p, model).save(archive);
  archive.values<double>("time")[0] = now;
  for (double& time : archive.values<double>("waiting_time")) time += now;
  return archive;
}

/// Runs both methods to the stopping time from a time whose last digit is so coarse that neighbours have equal times.
template <class Space, Model M>
void expect_same_late(Parameters p, const M& model, EventOrder order) {
  SCOPED_TRACE(describe(p, order) + ", seed " + std::to_string(p.seed));
  const MemoryArchive start = late_start(p, model, 0x1p46);
  const auto simulation = tile_method<Space>(p, model, order);
  simulation->load(start);
  simulation->advance(forever);
  EXPECT_TRUE(simulation->finished());
  EXPECT_GE(simulation->events()[0], stopping_events(p));  // more where the last ones have the same time
  WaitingTimeSimulation<M> expected(up_to_event(p, simulation->events()[0]), model);
  expected.load(start);
  expected.advance(forever);
  expect_equal(snapshot<M>(*simulation), snapshot<M>(expected));
}

TYPED_TEST(EqualTimes, OfSpinsFollowTheSequentialTrajectory) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Parameters p = tiled(lattice(48, 48, seed), seed % 2 == 0 ? 8 : 12, 4);
    p.until_events_per_site = 3;
    expect_same_late<TypeParam>(p, Ising(0.3, 0.3), orders[seed % std::size(orders)]);
  }
}

TYPED_TEST(EqualTimes, OfLayersFollowTheSequentialTrajectory) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Parameters p = tiled(lattice(64, 64, seed), 16, 4, seed == 3 ? StepControl::reject : StepControl::repair);
    p.until_events_per_site = 2;
    expect_same_late<TypeParam>(p, SolidOnSolid(0), orders[seed % std::size(orders)]);
  }
}

/// The start of a run with other waiting times.
template <Model M, class WaitingTime>
MemoryArchive start_with(const Parameters& p, const M& model, double now, const WaitingTime& waiting_time) {
  MemoryArchive archive;
  WaitingTimeSimulation<M>(p, model).save(archive);
  archive.values<double>("time")[0] = now;
  auto& times = archive.values<double>("waiting_time");
  for (std::size_t c = 0; c < times.size(); ++c)
    times[c] = waiting_time(static_cast<int>(c) % p.nx, static_cast<int>(c) / p.nx);
  return archive;
}

template <class Space, Model M>
void expect_same_as_sequential(const Parameters& p, const M& model, const MemoryArchive& start, double until) {
  WaitingTimeSimulation<M> expected(p, model);
  expected.load(start);
  expected.advance(until);
  for (const EventOrder order : distinct<Space>()) {
    SCOPED_TRACE(describe(p, order));
    const auto simulation = tile_method<Space>(p, model, order);
    simulation->load(start);
    simulation->advance(until);
    expect_equal(snapshot<M>(*simulation), snapshot<M>(expected));
  }
}

// Which of two neighbours with the same time comes first decides whether the other one comes at all.
TYPED_TEST(EqualTimes, ComeInTheOrderOfTheSitesAcrossTheEndOfTheLattice) {
  const Parameters p = tiled(lattice(32, 48, 3), 8, 4);
  const auto in_columns = [&](int x, int y) { return (x == 0 || x == p.nx - 1) && y % 5 == 1 ? 0.5 : 1.0 + 0.01 * y; };
  const auto in_rows = [&](int x, int y) { return (y == 0 || y == p.ny - 1) && x % 5 == 1 ? 0.5 : 1.0 + 0.01 * x; };
  const auto in_corners = [&](int x, int y) {
    return (x == 0 || x == p.nx - 1) && (y == 0 || y == p.ny - 1) ? 0.5 : 1.0 + 0.01 * x;
  };
  expect_same_as_sequential<TypeParam>(p, SolidOnSolid(1), start_with(p, SolidOnSolid(1), 0, in_columns), 0.75);
  expect_same_as_sequential<TypeParam>(p, SolidOnSolid(1), start_with(p, SolidOnSolid(1), 0, in_rows), 0.75);
  expect_same_as_sequential<TypeParam>(p, SolidOnSolid(1), start_with(p, SolidOnSolid(1), 0, in_corners), 0.75);
  expect_same_as_sequential<TypeParam>(p, Species(), start_with(p, Species(), 0, in_columns), 0.75);
  expect_same_as_sequential<TypeParam>(p, Species(), start_with(p, Species(), 0, in_rows), 0.75);
  expect_same_as_sequential<TypeParam>(p, Species(), start_with(p, Species(), 0, in_corners), 0.75);
}

// All cells at once: which of them come depends on a whole row, which no window holds.
TYPED_TEST(EqualTimes, ThatNoStepCanSeparateEndTheRunWithAMessage) {
  Parameters p = tiled(lattice(16, 16, 3), 4, 2);
  p.replicas = 1;
  const double now = 0x1p60;
  const auto simulation = tile_method<TypeParam>(p, SolidOnSolid(0));
  const MemoryArchive start = start_with(p, SolidOnSolid(0), now, [&](int, int) { return next_time(now); });
  simulation->load(start);
  try {
    simulation->advance(forever);
    ADD_FAILURE() << "at an end";
  } catch (const RunError& error) {
    EXPECT_THAT(error.what(), ::testing::AllOf(HasSubstr("--method waiting-time"), Not(HasSubstr("\n"))));
  }
  EXPECT_EQ(simulation->events()[0], 0u);
  EXPECT_THROW(simulation->advance(forever), RunError);  // again
}

TEST(WaitingTime, IsLaterThanTheEventThatDrawsIt) {
  const SolidOnSolid model(5);
  const NeighbourhoodOf<SolidOnSolid> hole{0, {1, 1, 1, 1}};
  Stream stream(1);
  for (const double now : {0.0, 1e-300, 1.0, 1e6, 1e18, 1e290})
    for (int i = 0; i < 100; ++i) {
      const double next = next_waiting_time(now, model.mean_waiting_time(hole), stream);
      ASSERT_GT(next, now);
      if (now > 1e6) {
        ASSERT_EQ(next, std::nextafter(now, forever));
      }
    }
}

/// A step of this length is tried first.
MemoryArchive with_step(MemoryArchive archive, double step) {
  for (double& s : archive.values<double>("step")) s = step;
  return archive;
}

// Without a bound the first launch would have 1e8 events a tile and more.
TYPED_TEST(EqualTimes, ALaunchEndsHoweverLongItsStep) {
  Parameters p = tiled(lattice(32, 32, 5), 16, 4);
  p.replicas = 2;
  p.record_steps = true;
  MemoryArchive start;
  tile_method<TypeParam>(p, Species())->save(start);
  for (const EventOrder order : distinct<TypeParam>()) {
    SCOPED_TRACE(describe(p, order));
    const auto simulation = tile_method<TypeParam>(p, Species(), order);
    simulation->load(with_step(start, 1e5));
    simulation->advance(1e9, [&] { return simulation->times()[0] < 0.5; });
    const History history = simulation->drain_history();
    ASSERT_GT(history.columns[0].size(), 10u);
    EXPECT_EQ(std::count(history.columns[5].begin(), history.columns[5].begin() + 10, 1.0), 0);
    simulation->advance(1);
    expect_equal(snapshot<Species>(*simulation), sequential(p, Species(), 1));
  }
}

}  // namespace
}  // namespace tessera::kmc
