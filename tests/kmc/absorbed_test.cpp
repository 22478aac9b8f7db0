// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <algorithm>
#include <cmath>
#include <tessera/kmc/models.hpp>
#include <tessera/kmc/sequential/bkl.hpp>
#include <utility>
#include <vector>

#include "tests/complaint.hpp"
#include "tests/execution_spaces.hpp"
#include "tests/io/memory_archive.hpp"
#include "tests/kmc/exactness.hpp"
#include "tests/kmc/own_models.hpp"
#include "tests/matchers.hpp"

// Replicas in which no event is possible any more: each at the time of its last event, whatever the method.
namespace tessera::kmc {
namespace {

using io::MemoryArchive;
using ::testing::Each;
using ::testing::Le;

/// The times of the last events of each replica, event by event, and the numbers of its events.
struct Ends {
  std::vector<double> times;
  std::vector<std::uint64_t> events;
};
template <class Replica, Model M>
Ends ends_of(const Parameters& p, const M& model) {
  Ends ends;
  for (int r = 0; r < p.replicas; ++r) {
    Replica replica(p, model, p.seed + static_cast<std::uint64_t>(r));
    while (std::isfinite(replica.next_event())) replica.perform_event();
    ends.times.push_back(replica.time);
    ends.events.push_back(replica.events);
  }
  return ends;
}
Ends ends_of(const Parameters& p) { return ends_of<WaitingTimeReplica<Adsorption>>(p, Adsorption()); }

/// Three lattices of 32^2 cells that fill until nothing is possible, far from their stopping time in events.
Parameters filling(std::uint64_t seed = 6) {
  Parameters p = lattice(32, 32, seed);
  p.replicas = 3;
  p.until_events_per_site = 10;
  return p;
}
Parameters until_time(Parameters p, double time) {
  p.until_time = time;
  return p;
}

/// By tiles with both step controls, and as a single tile.
std::vector<Parameters> in_all_ways(const Parameters& p) {
  return {tiled(p, 16, 3), tiled(p, 8, 2, StepControl::reject), tiled(p, 8, 4), tiled(p, 32, 0)};
}

/// Advances to 0.5, 1, 2, 4, ... and to `last`; at each stop a replica is there, or at its end.
template <class Simulation>
void expect_ends(Simulation& simulation, const Ends& ends, double last) {
  for (double stop = 0.5; stop < last; stop *= 2) {
    simulation.advance(stop);
    for (std::size_t r = 0; r < ends.times.size(); ++r) {
      const bool absorbed = ends.times[r] < stop;
      EXPECT_EQ(simulation.times()[r], absorbed ? ends.times[r] : stop);
      EXPECT_EQ(simulation.absorbed()[r], absorbed ? ends.times[r] : forever);
    }
    EXPECT_EQ(simulation.finished(), *std::ranges::max_element(ends.times) < stop);
  }
  simulation.advance(last);
  EXPECT_TRUE(simulation.finished());
  EXPECT_EQ(simulation.times(), ends.times);
  EXPECT_EQ(simulation.absorbed(), ends.times);
  EXPECT_EQ(simulation.events(), ends.events);
}

template <class Space>
class AbsorbedOn : public ::testing::Test {};
TYPED_TEST_SUITE(AbsorbedOn, testing::ParallelSpaces, testing::ExecutionSpaceNames);

TYPED_TEST(AbsorbedOn, EndsAtItsLastEventWithAStoppingTimeInEvents) {
  const Ends ends = ends_of(filling());
  for (const Parameters& p : in_all_ways(filling()))
    for (const EventOrder order : distinct<TypeParam>()) {
      SCOPED_TRACE(describe(p, order));
      expect_ends(*tile_method<TypeParam>(p, Adsorption(), order), ends, 1024);
      const auto at_once = tile_method<TypeParam>(p, Adsorption(), order);
      expect_ends(*at_once, ends, forever);
      EXPECT_EQ(snapshot<Adsorption>(*at_once), sequential(p, Adsorption()));
      for (const auto& observable : at_once->measure())
        EXPECT_THAT(observable.values, Each(Le(1e6))) << observable.name;
    }
}

TYPED_TEST(AbsorbedOn, EndsAtItsStoppingTimeOnlyWhereItHasNoEvent) {
  std::vector<std::uint64_t> counts = ends_of(filling()).events;
  std::ranges::sort(counts);
  ASSERT_LT(counts[0], counts[1]);
  const Parameters stopping_time = up_to_event(filling(), counts[1]);
  const Snapshot<Adsorption> expected = sequential(stopping_time, Adsorption());
  for (const Parameters& p : in_all_ways(stopping_time)) {
    SCOPED_TRACE(describe(p, EventOrder::local));
    const auto simulation = tile_method<TypeParam>(p, Adsorption());
    simulation->advance(forever);
    EXPECT_TRUE(simulation->finished());
    EXPECT_EQ(snapshot<Adsorption>(*simulation), expected);
  }
}

TYPED_TEST(AbsorbedOn, ContinuesToAStoppingTimeWithoutASingleStep) {
  const Ends ends = ends_of(filling());
  for (const Parameters& p : in_all_ways(until_time(filling(), 80))) {
    SCOPED_TRACE(describe(p, EventOrder::local));
    const auto simulation = tile_method<TypeParam>(p, Adsorption());
    simulation->advance(20);
    EXPECT_FALSE(simulation->finished());
    const std::vector<StepState> before = simulation->step_states();
    simulation->advance(40);
    EXPECT_EQ(simulation->times(), std::vector<double>(3, 40));
    simulation->advance(80);
    EXPECT_TRUE(simulation->finished());
    EXPECT_EQ(simulation->times(), std::vector<double>(3, 80));
    EXPECT_EQ(simulation->absorbed(), ends.times);
    EXPECT_EQ(simulation->events(), ends.events);
    for (std::size_t r = 0; r < 3; ++r) EXPECT_EQ(simulation->step_states()[r].accepted, before[r].accepted);
  }
}

TYPED_TEST(AbsorbedOn, HasTheSameEndAfterRestartsAnywhere) {
  const Ends ends = ends_of(filling());
  for (const Parameters& p : in_all_ways(filling())) {
    SCOPED_TRACE(describe(p, EventOrder::local));
    auto simulation = tile_method<TypeParam>(p, Adsorption());
    for (int restarts = 0; !simulation->finished(); ++restarts) {
      ASSERT_LT(restarts, 1000);
      bool once = true;  // a batch of steps
      simulation->advance(forever, [&] { return std::exchange(once, false); });
      MemoryArchive archive;
      simulation->save(archive);
      simulation = tile_method<TypeParam>(p, Adsorption());
      simulation->load(archive);
    }
    EXPECT_EQ(simulation->times(), ends.times);
    EXPECT_EQ(simulation->absorbed(), ends.times);
  }
}

// To a later time and back to a stopping time in events, from method to method: the last events stay where they were.
TYPED_TEST(AbsorbedOn, KeepsTheTimeOfItsLastEventInCheckpoints) {
  const Ends ends = ends_of(filling());
  for (const Parameters& p : in_all_ways(filling())) {
    MemoryArchive in_events, in_time, by_one;
    const auto first = tile_method<TypeParam>(p, Adsorption()),
               second = tile_method<TypeParam>(until_time(p, 30), Adsorption()),
               last = tile_method<TypeParam>(p, Adsorption());
    first->advance(forever);
    first->save(in_events);
    second->load(in_events);
    EXPECT_FALSE(second->finished());
    EXPECT_EQ(second->times(), ends.times);
    second->advance(30);
    EXPECT_TRUE(second->finished());
    second->save(in_time);
    WaitingTimeSimulation<Adsorption> sequential(until_time(p, 60), Adsorption());
    sequential.load(in_time);
    EXPECT_EQ(sequential.absorbed(), ends.times);
    EXPECT_FALSE(sequential.finished());
    sequential.advance(60);
    sequential.save(by_one);
    last->load(by_one);
    EXPECT_TRUE(last->finished());
    EXPECT_EQ(last->times(), std::vector<double>(3, 60));
    EXPECT_EQ(last->absorbed(), ends.times);
  }
}

TYPED_TEST(AbsorbedOn, IsAtTimeZeroWhereNothingWasEverPossible) {
  Parameters p = lattice(32, 32);
  p.until_events_per_site = 1;
  for (const Parameters& way : {tiled(p, 16, 5), tiled(p, 16, 6, StepControl::reject), tiled(p, 32, 0)}) {
    const auto full = tile_method<TypeParam>(way, Kawasaki(1, 1));
    EXPECT_TRUE(full->finished());
    full->advance(forever);
    full->advance(10);
    EXPECT_EQ(full->times(), std::vector<double>{0});
    EXPECT_EQ(full->absorbed(), std::vector<double>{0});
  }
}

TEST(AbsorbedSequentially, EndsAtItsLastEvent) {
  Parameters p = filling();
  WaitingTimeSimulation<Adsorption> in_steps(p, Adsorption()), at_once(p, Adsorption());
  expect_ends(in_steps, ends_of(p), 1024);
  expect_ends(at_once, ends_of(p), forever);
  p.method = Method::bkl;
  const Ends ends = ends_of<BklReplica<Adsorption>>(p, Adsorption());
  BklSimulation<Adsorption> bkl_in_steps(p, Adsorption()), bkl_at_once(p, Adsorption());
  expect_ends(bkl_in_steps, ends, 1024);
  expect_ends(bkl_at_once, ends, forever);
  BklSimulation<Adsorption> later(until_time(p, 30), Adsorption());
  MemoryArchive archive;
  bkl_at_once.save(archive);
  later.load(archive);
  later.advance(30);
  EXPECT_EQ(later.times(), std::vector<double>(3, 30));
  EXPECT_EQ(later.absorbed(), ends.times);
}

TEST(AbsorbedSequentially, RefusesAnImpossibleTime) {
  const Parameters p = filling();
  WaitingTimeSimulation<Adsorption> simulation(p, Adsorption());
  simulation.advance(forever);
  MemoryArchive archive;
  simulation.save(archive);
  for (const double value : {-1.0, std::nan("")}) {
    archive.values<double>("absorbed_at")[1] = value;
    EXPECT_THAT(complaint([&] { simulation.load(archive); }), HasSubstr("'absorbed_at'"));
  }
}

}  // namespace
}  // namespace tessera::kmc
