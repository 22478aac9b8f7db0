// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <tessera/core/kokkos_ext/lanes.hpp>
#include <tessera/kmc/models.hpp>
#include <tessera/kmc/state/tile_sizes.hpp>
#include <utility>

#include "tests/execution_spaces.hpp"
#include "tests/io/memory_archive.hpp"
#include "tests/kmc/exactness.hpp"
#include "tests/kmc/own_models.hpp"

namespace tessera::kmc {
namespace {

using ::tessera::io::MemoryArchive;

/// Where and how often a run stops, is observed or restarted shows in nothing.
template <class Space>
class TileMethodStops : public ::testing::Test {};
TYPED_TEST_SUITE(TileMethodStops, testing::ParallelSpaces, testing::ExecutionSpaceNames);

TYPED_TEST(TileMethodStops, RightAfterTheWantedEventAtItsTime) {
  const SolidOnSolid model(1);
  for (const std::uint64_t events : {1u, 2u, 3u, 17u, 100u, 1000u, 1001u, 20'000u}) {
    SCOPED_TRACE(std::to_string(events) + " events");
    const Parameters p = up_to_event(lattice(48, 32, 9), events);
    WaitingTimeSimulation<SolidOnSolid> expected(p, model);
    expected.advance(forever);
    ASSERT_EQ(expected.events()[0], events);
    for (const Parameters& q : {tiled(p, 16, 4), tiled(p, 8, 8, StepControl::reject)}) {
      const auto simulation = tile_method<TypeParam>(q, model, orders[events % std::size(orders)]);
      simulation->advance(forever);
      EXPECT_TRUE(simulation->finished());
      expect_equal(snapshot<SolidOnSolid>(*simulation), snapshot<SolidOnSolid>(expected));
      simulation->advance(forever);  // nothing happens any more
      simulation->advance(2 * expected.time());
      expect_equal(snapshot<SolidOnSolid>(*simulation), snapshot<SolidOnSolid>(expected));
    }
  }
}

TYPED_TEST(TileMethodStops, AtATimeBeforeTheWantedEventOrAtTheEventBeforeTheTime) {
  const SolidOnSolid model(0);
  const Parameters p = tiled(up_to_event(lattice(32, 32, 2), 3000), 8, 3);
  const double end = sequential(p, model).times[0];
  for (const double until : {0.3 * end, std::nextafter(end, 0.0), end, std::nextafter(end, forever), 2 * end}) {
    const auto simulation = tile_method<TypeParam>(p, model);
    simulation->advance(until);
    expect_equal(snapshot<SolidOnSolid>(*simulation), sequential(p, model, until));
    EXPECT_EQ(simulation->finished(), until > end);
    simulation->advance(forever);
    expect_equal(snapshot<SolidOnSolid>(*simulation), sequential(p, model));
  }
}

TYPED_TEST(TileMethodStops, ManyObservationsChangeNothing) {
  const SolidOnSolid model(2);
  const Parameters p = tiled(lattice(64, 48, 6), 16, 4);
  const double end = sequential(up_to_event(p, 20'000), model).times[0];
  const auto often = tile_method<TypeParam>(p, model);
  WaitingTimeSimulation<SolidOnSolid> expected(p, model);
  int interrupted = 0;
  for (int stop = 1; stop <= 300; ++stop) {
    const double until = end * stop / 300 + (stop % 7) * 1e-9 * end;
    while (often->time() < until) {  // every third time stop it where it is after a batch of steps
      bool once = true;
      often->advance(until, [&] { return stop % 3 != 0 || std::exchange(once, false); });
      interrupted += often->time() < until;
    }
    expected.advance(until);
    for (const Observable& observable : often->measure()) {
      if (observable.name != "height_mean") continue;
      ASSERT_NEAR(observable.values[0] * 64 * 48, static_cast<double>(expected.events()[0]), 1e-6);
    }
    if (stop % 30 == 0) {
      ASSERT_EQ(cells_that_differ(snapshot<SolidOnSolid>(*often), snapshot<SolidOnSolid>(expected)), 0u) << stop;
    }
  }
  EXPECT_GT(interrupted, 10);
  const auto straight = tile_method<TypeParam>(p, model);
  straight->advance(often->time());
  EXPECT_GT(straight->events()[0], 19'000u);
  EXPECT_LT(straight->step_states()[0].accepted, often->step_states()[0].accepted);
  expect_equal(snapshot<SolidOnSolid>(*often), snapshot<SolidOnSolid>(*straight));
  expect_equal(snapshot<SolidOnSolid>(*often), snapshot<SolidOnSolid>(expected));
}

TYPED_TEST(TileMethodStops, AtTimesThatDifferInTheirLastDigit) {
  const SolidOnSolid model(1);
  const Parameters p = tiled(lattice(32, 32, 6), 16, 4);
  const auto simulation = tile_method<TypeParam>(p, model);
  simulation->advance(20);
  for (int stop = 0; stop < 100; ++stop) {
    const double until = std::nextafter(simulation->time(), forever);
    simulation->advance(until);
    ASSERT_EQ(simulation->time(), until);
  }
  simulation->advance(25);
  expect_equal(snapshot<SolidOnSolid>(*simulation), sequential(p, model, 25));
}

/// Runs to `until` and hands the state over.
template <class Method>
MemoryArchive run_and_save(Method&& simulation, double until, const MemoryArchive* from = nullptr) {
  if (from != nullptr) simulation.load(*from);
  simulation.advance(until);
  MemoryArchive archive;
  simulation.save(archive);
  return archive;
}

/// From hand to hand between the sequential method and the tile method with all kinds of tiles and step controls.
template <class Space, Model M>
void expect_checkpoints_to_be_exchangeable(const M& model) {
  const Parameters p = up_to_event(lattice(48, 96, 31), 24'000);
  const Snapshot<M> expected = sequential(p, model);
  const double leg = expected.times[0] / 8;
  MemoryArchive a = run_and_save(WaitingTimeSimulation<M>(p, model), leg);
  a = run_and_save(*tile_method<Space>(tiled(p, 16, 4), model), 2 * leg, &a);
  a = run_and_save(*tile_method<Space>(tiled(p, 8, 8, StepControl::reject), model, orders[1]), 3 * leg, &a);
  a = run_and_save(*tile_method<Space>(tiled(p, 12, 3), model, orders[2]), 4 * leg, &a);
  a = run_and_save(*tile_method<Space>(tiled(p, 12, 3), model), 4 * leg, &a);  // no step in between
  a = run_and_save(WaitingTimeSimulation<M>(p, model), 5 * leg, &a);
  a = run_and_save(*tile_method<Space>(tiled(p, 4, 2, StepControl::reject), model), 6 * leg, &a);
  const int widest = fits(48, 5, lanes_per_tile<Space>) ? 48 : 24;
  a = run_and_save(*tile_method<Space>(tiled(p, widest, 5), model, orders[0]), 7 * leg, &a);

  const auto with_tiles = tile_method<Space>(tiled(p, 24, 6), model);
  with_tiles->load(a);
  EXPECT_GT(with_tiles->step_states()[0].accepted, 0u);  // the counters go along
  with_tiles->advance(forever);
  expect_equal(snapshot<M>(*with_tiles), expected);
  EXPECT_TRUE(with_tiles->finished());
  WaitingTimeSimulation<M> one_by_one(p, model);
  one_by_one.load(a);
  one_by_one.advance(forever);
  expect_equal(snapshot<M>(one_by_one), expected);
  const auto finished = tile_method<Space>(tiled(p, 24, 6), model);  // an ended run stays ended
  MemoryArchive end;
  with_tiles->save(end);
  finished->load(end);
  finished->advance(forever);
  EXPECT_TRUE(finished->finished());
  expect_equal(snapshot<M>(*finished), expected);
}

TYPED_TEST(TileMethodStops, CheckpointsGoBetweenTilesStepControlsAndTheSequentialMethod) {
  expect_checkpoints_to_be_exchangeable<TypeParam>(SolidOnSolid(1));
  expect_checkpoints_to_be_exchangeable<TypeParam>(Species());
}

/// The history of the steps of two calls, one after the other.
History joined(History first, const History& second) {
  for (std::size_t column = 0; column < first.columns.size(); ++column)
    first.columns[column].insert(first.columns[column].end(), second.columns[column].begin(),
                                 second.columns[column].end());
  return first;
}

TYPED_TEST(TileMethodStops, RestartContinuesWithTheSameSteps) {
  const SolidOnSolid model(1);
  Parameters p = tiled(up_to_event(lattice(64, 64, 12), 60'000), 8, 3);
  p.record_steps = true;
  const double end = sequential(p, model).times[0];
  const auto straight = tile_method<TypeParam>(p, model), first = tile_method<TypeParam>(p, model),
             second = tile_method<TypeParam>(p, model);
  straight->advance(0.4 * end);
  straight->advance(forever);
  first->advance(0.4 * end);
  MemoryArchive archive;
  first->save(archive);
  second->load(archive);
  second->advance(forever);
  const History rest = second->drain_history();
  EXPECT_EQ(joined(first->drain_history(), rest).columns, straight->drain_history().columns);
  EXPECT_GT(rest.columns[0].size(), 20u);
}

TYPED_TEST(TileMethodStops, RestartInTheSearchForTheLastEventContinuesWithTheSameSteps) {
  const SolidOnSolid model(1);
  // Where a batch of steps ends depends on the machine: it ends early in a search sooner or later.
  Parameters p;
  std::uint64_t event = 6'000;
  auto first = tile_method<TypeParam>(p, model), second = tile_method<TypeParam>(p, model);
  MemoryArchive archive;
  History rest;
  for (std::size_t steps_left = 0; steps_left <= 5; event += 500) {
    ASSERT_LT(event, 60'000u);
    p = tiled(up_to_event(lattice(64, 64, 12), event), 8, 3);
    p.record_steps = true;
    first = tile_method<TypeParam>(p, model);
    first->advance(forever, [&] { return first->step_states()[0].ceiling == forever; });
    if (first->finished()) continue;
    ASSERT_LT(first->step_states()[0].ceiling, forever);
    archive = {};
    first->save(archive);
    second = tile_method<TypeParam>(p, model);
    second->load(archive);
    second->advance(forever);
    rest = second->drain_history();
    steps_left = rest.columns[0].size();
  }
  const auto straight = tile_method<TypeParam>(p, model);
  straight->advance(forever);
  EXPECT_EQ(joined(first->drain_history(), rest).columns, straight->drain_history().columns);
  EXPECT_GT(rest.columns[0].size(), 5u);

  // A search for another event is a new one.
  const Parameters later = up_to_event(p, event + 3'000);
  const auto further = tile_method<TypeParam>(later, model);
  further->load(archive);
  further->advance(forever);
  expect_equal(snapshot<SolidOnSolid>(*further), sequential(later, model));
  EXPECT_LT(further->step_states()[0].accepted, 1'000u);
}

}  // namespace
}  // namespace tessera::kmc
