// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <algorithm>
#include <tessera/core/kokkos_ext/lanes.hpp>
#include <tessera/kmc/models.hpp>

#include "tests/execution_spaces.hpp"
#include "tests/kmc/exactness.hpp"
#include "tests/kmc/own_models.hpp"

namespace tessera::kmc {
namespace {

/// How the step size adapts in whole runs.
template <class Space>
class StepControlOn : public ::testing::Test {};
TYPED_TEST_SUITE(StepControlOn, testing::ParallelSpaces, testing::ExecutionSpaceNames);

TYPED_TEST(StepControlOn, FirstStepReachesToTheEarliestEvent) {
  Parameters p = lattice(32, 32, 4);
  p.replicas = 2;
  const auto simulation = tile_method<TypeParam>(p, SolidOnSolid(1));
  const std::vector<double> times = simulation->waiting_times();
  const auto middle = times.begin() + 32 * 32;
  EXPECT_EQ(simulation->step_states()[0].step, *std::min_element(times.begin(), middle));
  EXPECT_EQ(simulation->step_states()[1].step, *std::min_element(middle, times.end()));
}

/// Columns of a history by name.
struct Steps {
  std::vector<double> time, step, repaired, events, accepted;
  explicit Steps(const History& h) {
    const auto column = [&](const char* name) {
      const auto at = std::find(h.names.begin(), h.names.end(), name) - h.names.begin();
      return h.columns.at(static_cast<std::size_t>(at));
    };
    time = column("time");
    step = column("step");
    repaired = column("repaired_fraction");
    events = column("events");
    accepted = column("accepted");
  }
  std::size_t size() const { return time.size(); }
};

template <class Space>
void expect_consistent_history(StepControl control) {
  Parameters p = tiled(lattice(64, 64, 4), 8, 3, control);
  p.record_steps = true;
  const auto simulation = tile_method<Space>(p, SolidOnSolid(1));
  const double ends[] = {3, 3.7, 12};
  for (const double until : ends) simulation->advance(until);
  const Steps steps(simulation->drain_history());
  const StepState& s = simulation->step_states()[0];
  ASSERT_EQ(steps.size(), s.accepted + s.rejected);
  double now = 0, events = 0, repaired = 0;
  std::uint64_t accepted = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    ASSERT_EQ(steps.time[i], now);
    ASSERT_GT(steps.step[i], 0);
    ASSERT_TRUE(steps.accepted[i] == 0 || steps.accepted[i] == 1);
    ASSERT_TRUE(control == StepControl::repair || steps.repaired[i] == 0);
    repaired += steps.repaired[i] * 64;
    if (steps.accepted[i] == 0) {
      ASSERT_LT(i + 1, steps.size());
      ASSERT_LE(steps.step[i + 1], steps.step[i] * p.shrink * (1 + 1e-9));
      continue;
    }
    // The recorded length is the difference of two times: the next time to a rounding error.
    now = i + 1 < steps.size() ? steps.time[i + 1] : s.time;
    ASSERT_NEAR(now, steps.time[i] + steps.step[i], 1e-14 * now);
    events += steps.events[i];
    ++accepted;
  }
  EXPECT_EQ(now, 12);
  EXPECT_EQ(accepted, s.accepted);
  EXPECT_EQ(events, static_cast<double>(s.events));
  EXPECT_NEAR(repaired, static_cast<double>(s.repaired), 1e-6);
  for (const double until : ends) {  // each end was reached exactly
    EXPECT_TRUE(until == s.time || std::count(steps.time.begin(), steps.time.end(), until) >= 1);
  }
  EXPECT_GT(s.accepted, 10u);
  EXPECT_GT(control == StepControl::repair ? s.repaired : s.rejected, 10u);
  EXPECT_EQ(simulation->drain_history().columns[0].size(), 0u);
}

TYPED_TEST(StepControlOn, HistoryAddsUp) {
  expect_consistent_history<TypeParam>(StepControl::repair);
  expect_consistent_history<TypeParam>(StepControl::reject);
}

// The step grows by 3 % after a step with fewer repairs than wanted and shrinks by 5 % after one with more: the median
// of the fraction is what is wanted, and the step drifts nowhere.
TYPED_TEST(StepControlOn, RepairedFractionSettlesWhereItIsWanted) {
  for (const double wanted : {0.01, 0.05}) {
    Parameters p = tiled(lattice(192, 192, 4), 8, 4);
    p.repair_fraction = wanted;
    p.record_steps = true;
    const auto simulation = tile_method<TypeParam>(p, SolidOnSolid(0));
    simulation->advance(10);
    const Steps steps(simulation->drain_history());
    ASSERT_GT(steps.size(), 40u);
    double mean = 0;
    const std::size_t half = steps.size() / 2;
    for (std::size_t i = half; i < steps.size(); ++i) mean += steps.repaired[i] / double(steps.size() - half);
    EXPECT_GT(mean, 0.6 * wanted);
    EXPECT_LT(mean, 1.5 * wanted);
    EXPECT_EQ(std::count(steps.accepted.begin() + static_cast<std::ptrdiff_t>(half), steps.accepted.end(), 0), 0);
  }
}

/// Rejected steps of a surface after `rough`, when it has got rough, up to `end`.
template <class Space>
std::uint64_t rejected_steps(const Parameters& p, double phi, double rough, double end, std::uint64_t least_accepted) {
  const auto simulation = tile_method<Space>(p, SolidOnSolid(phi));
  simulation->advance(rough);
  const std::uint64_t before = simulation->step_states()[0].rejected;
  simulation->advance(end);
  EXPECT_GT(simulation->step_states()[0].accepted, least_accepted);
  return simulation->step_states()[0].rejected - before;
}

// A tile that has been repaired may disagree with a neighbour that has not, and that one, repaired, with the next.
TYPED_TEST(StepControlOn, MoreRoundsOfRepairMakeRejectedStepsRare) {
  const auto rejected = [](int rounds) {
    Parameters p = tiled(lattice(192, 192, 4), 8, 3);
    p.repair_fraction = 0.05;
    p.repair_rounds = rounds;
    return rejected_steps<TypeParam>(p, 2, 150, 400, 100);
  };
  EXPECT_GT(rejected(1), 10u);
  EXPECT_LT(rejected(Parameters().repair_rounds), 2u);
}

// On steep edges of terraces events follow one another over long distances.
TYPED_TEST(StepControlOn, TheHaloOfRepairsGrowsWithTheRounds) {
  if (!runs_on_host<TypeParam>) GTEST_SKIP() << "only where events are few";
  const auto rejected = [](int repair_halo) {
    Parameters p = tiled(lattice(256, 256, 4), 8, 2);
    p.repair_fraction = 0.1;
    p.repair_halo = repair_halo;
    return rejected_steps<TypeParam>(p, 3, 0, 1500, 50);
  };
  EXPECT_LT(2 * rejected(0), rejected(6));
}

template <class Space>
void expect_to_end(const Parameters& p) {
  const auto simulation = tile_method<Space>(p, Adsorption());
  WaitingTimeSimulation<Adsorption> expected(p, Adsorption());
  simulation->advance(forever);
  expected.advance(forever);
  EXPECT_TRUE(simulation->finished());
  EXPECT_EQ(simulation->events(), expected.events());
  EXPECT_EQ(simulation->states(), expected.states());
  EXPECT_EQ(simulation->streams(), expected.streams());
  for (const double time : simulation->waiting_times()) ASSERT_EQ(time, forever);
  simulation->advance(forever);
  EXPECT_EQ(simulation->events(), expected.events());
}

TYPED_TEST(StepControlOn, EndsWhereNoEventIsLeft) {
  for (const StepControl control : {StepControl::repair, StepControl::reject}) {
    Parameters p = tiled(lattice(32, 32, 6), 16, 3, control);
    p.replicas = 2;
    expect_to_end<TypeParam>(p);
    const auto until_a_time = tile_method<TypeParam>(p, Adsorption());
    until_a_time->advance(1e6);
    EXPECT_EQ(until_a_time->times(), std::vector<double>(2, 1e6));
    EXPECT_TRUE(until_a_time->finished());
    EXPECT_EQ(until_a_time->states(), sequential(p, Adsorption()).states);
    // From a state in which nothing can happen.
    ::tessera::io::MemoryArchive archive;
    until_a_time->save(archive);
    const auto still = tile_method<TypeParam>(p, Adsorption());
    still->load(archive);
    still->advance(2e6);
    EXPECT_EQ(still->times(), std::vector<double>(2, 2e6));
    EXPECT_EQ(still->events(), until_a_time->events());
  }
}

/// What a halo that is far wider than its tile costs is bounded, too: windows of 34^2 cells for a tile of 2^2 may have
/// 1024 events, not 16 for each cell.
TYPED_TEST(StepControlOn, NoStepHasFarMoreEventsThanItsTilesHaveCells) {
  Parameters p = tiled(lattice(32, 28), 2, 16);
  p.repair_fraction = 1;
  p.grow = 2;
  p.grow_first = 1000;
  p.shrink = 0.99;
  p.until_events_per_site = 0.01;
  p.record_steps = true;
  const auto simulation = tile_method<TypeParam>(p, SolidOnSolid(1));
  simulation->advance(forever);
  const Steps steps(simulation->drain_history());
  ASSERT_GT(steps.size(), 5u);
  EXPECT_LT(*std::max_element(steps.events.begin(), steps.events.end()), 2.0 * p.nx * p.ny);
}

}  // namespace
}  // namespace tessera::kmc
