// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tessera/kmc/models.hpp>
#include <utility>

#include "tests/execution_spaces.hpp"
#include "tests/kmc/exactness.hpp"
#include "tests/kmc/own_models.hpp"

namespace tessera::kmc {
namespace {

using ::tessera::io::MemoryArchive;

/// Replica r of R is the single run with seed + r, to the last bit.
template <class Space>
class Replicas : public ::testing::Test {};
TYPED_TEST_SUITE(Replicas, testing::ParallelSpaces, testing::ExecutionSpaceNames);

constexpr int count = 5;

Parameters alone(Parameters p, int replica) {
  p.seed += static_cast<std::uint64_t>(replica);
  p.replicas = 1;
  return p;
}

template <Model M>
Snapshot<M> replica_of(const Snapshot<M>& all, int replica) {
  const std::size_t sites = all.states.size() / all.times.size(), r = static_cast<std::size_t>(replica);
  const auto cut = [&](const auto& v, std::size_t size) {
    const auto begin = v.begin() + static_cast<std::ptrdiff_t>(r * size);
    return std::decay_t<decltype(v)>(begin, begin + static_cast<std::ptrdiff_t>(size));
  };
  return {cut(all.times, 1), cut(all.events, 1), cut(all.states, sites), cut(all.waiting_times, sites),
          cut(all.streams, sites)};
}

template <Model M>
void expect_replicas_to_be(const AnyTileMethod<M>& together,
                           const std::vector<std::unique_ptr<AnyTileMethod<M>>>& single) {
  const Snapshot<M> all = snapshot<M>(together);
  for (int r = 0; r < count; ++r) {
    SCOPED_TRACE("replica " + std::to_string(r));
    const auto at = static_cast<std::size_t>(r);
    expect_equal(replica_of(all, r), snapshot<M>(*single[at]));
    const StepState& mine = together.step_states()[at];
    const StepState& its = single[at]->step_states()[0];
    EXPECT_EQ(mine.step, its.step);
    EXPECT_EQ(mine.accepted, its.accepted);
    EXPECT_EQ(mine.rejected, its.rejected);
    EXPECT_EQ(mine.repaired, its.repaired);
    EXPECT_EQ(mine.finished, its.finished);
  }
}

/// Through a common time to the replicas' ends, which come at different times.
template <class Space, Model M>
void expect_replicas_to_be_single_runs(const M& model, StepControl control) {
  Parameters p = tiled(up_to_event(lattice(32, 48, 100), 8'000), 8, 4, control);
  p.replicas = count;
  const auto together = tile_method<Space>(p, model);
  std::vector<std::unique_ptr<AnyTileMethod<M>>> single;
  for (int r = 0; r < count; ++r) single.push_back(tile_method<Space>(alone(p, r), model));
  const std::vector<double> ends = sequential(p, model).times;
  const double middle = 0.6 * *std::min_element(ends.begin(), ends.end());

  together->advance(middle);
  for (const auto& one : single) one->advance(middle);
  expect_replicas_to_be(*together, single);
  EXPECT_EQ(together->times(), std::vector<double>(count, middle));
  EXPECT_FALSE(together->finished());

  together->advance(forever);
  for (const auto& one : single) one->advance(forever);
  expect_replicas_to_be(*together, single);
  EXPECT_TRUE(together->finished());
  EXPECT_EQ(together->times(), ends);
  EXPECT_EQ(together->time(), *std::min_element(ends.begin(), ends.end()));
  EXPECT_EQ(std::set<double>(ends.begin(), ends.end()).size(), std::size_t{count});
  EXPECT_EQ(together->events(), std::vector<std::uint64_t>(count, 8'000));

  std::uint64_t rejected = 0;
  for (const auto& observable : together->measure())
    for (int r = 0; r < count; ++r)
      for (const auto& its : single[static_cast<std::size_t>(r)]->measure())
        if (its.name == observable.name && its.name != "skewness" && its.name != "kurtosis") {
          EXPECT_EQ(observable.values[static_cast<std::size_t>(r)], its.values[0]) << its.name;
        }
  for (const StepState& s : together->step_states()) rejected += s.rejected;
  if (control == StepControl::reject) {
    EXPECT_GT(rejected, 10u);
  }
}

TYPED_TEST(Replicas, EqualSingleRunsToTheLastBit) {
  for (const StepControl control : {StepControl::repair, StepControl::reject}) {
    expect_replicas_to_be_single_runs<TypeParam>(SolidOnSolid(1), control);
    expect_replicas_to_be_single_runs<TypeParam>(Species(), control);
  }
}

TYPED_TEST(Replicas, EqualTheSequentialMethodsReplicas) {
  const Ising model(0.44, 0);
  Parameters p = tiled(up_to_event(lattice(16, 32, 7), 3'000), 16, 3);
  p.replicas = 33;
  const auto simulation = tile_method<TypeParam>(p, model, orders[2]);
  simulation->advance(forever);
  expect_equal(snapshot<Ising>(*simulation), sequential(p, model));
}

TYPED_TEST(Replicas, InterruptionAtDifferentTimesChangesNothing) {
  const SolidOnSolid model(1);
  Parameters p = tiled(up_to_event(lattice(32, 32, 55), 6'000), 8, 3);
  p.replicas = count;
  const Snapshot<SolidOnSolid> expected = sequential(p, model);
  const auto [first_end, last_end] = std::minmax_element(expected.times.begin(), expected.times.end());
  const double middle = (*first_end + *last_end) / 2;  // no batch, however long, goes from before the first to the last
  auto simulation = tile_method<TypeParam>(p, model);
  int interruptions = 0, at_different_times = 0, some_finished = 0;
  for (; !simulation->finished(); ++interruptions) {
    ASSERT_LT(interruptions, 10'000);
    bool once = true;  // one batch of steps, from which every replica comes back at a time of its own
    simulation->advance(simulation->time() < middle ? middle : forever, [&] { return std::exchange(once, false); });
    const std::vector<double> times = simulation->times();
    const std::vector<std::uint64_t> events = simulation->events();
    at_different_times += std::set<double>(times.begin(), times.end()).size() == std::size_t{count};
    const auto ended = std::count(events.begin(), events.end(), 6'000u);
    some_finished += ended > 0 && ended < count;
    if (interruptions % 8 != 7) continue;
    MemoryArchive archive;
    simulation->save(archive);
    const int turn = interruptions / 8;
    simulation =
        tile_method<TypeParam>(turn % 3 == 2 ? tiled(p, 32, 0) : tiled(p, turn % 3 == 0 ? 16 : 8, 3 + turn % 4), model);
    simulation->load(archive);
  }
  EXPECT_GT(interruptions, 4);
  EXPECT_GT(at_different_times, 5);
  EXPECT_GT(some_finished, 0);
  expect_equal(snapshot<SolidOnSolid>(*simulation), expected);
}

TYPED_TEST(Replicas, HistoryDistinguishesThem) {
  const SolidOnSolid model(1);
  Parameters p = tiled(up_to_event(lattice(32, 32, 3), 2'000), 8, 3);
  p.replicas = 3;
  p.record_steps = true;
  const auto together = tile_method<TypeParam>(p, model);
  together->advance(forever);
  const History all = together->drain_history();
  for (int r = 0; r < 3; ++r) {
    const auto single = tile_method<TypeParam>(alone(p, r), model);
    single->advance(forever);
    const History its = single->drain_history();
    History mine = its;
    for (auto& column : mine.columns) column.clear();
    for (std::size_t line = 0; line < all.columns[0].size(); ++line)
      if (all.columns[0][line] == r)
        for (std::size_t column = 1; column < all.columns.size(); ++column)
          mine.columns[column].push_back(all.columns[column][line]);
    for (std::size_t column = 1; column < all.columns.size(); ++column)
      EXPECT_EQ(mine.columns[column], its.columns[column]) << all.names[column];
    EXPECT_GT(its.columns[0].size(), 5u);
  }
}

TYPED_TEST(Replicas, HistoryHasTheStepsOfEachToATime) {
  for (const auto& [tile, halo] : {std::pair{8, 3}, {32, 0}}) {
    SCOPED_TRACE("tile " + std::to_string(tile));
    Parameters p = tiled(lattice(32, 32, 3), tile, halo);
    p.replicas = 3;
    p.record_steps = true;
    const auto together = tile_method<TypeParam>(p, SolidOnSolid(1));
    for (const double until : {1.0, 1.5, 6.0}) together->advance(until);
    const History all = together->drain_history();
    for (int r = 0; r < 3; ++r) {
      const StepState& its = together->step_states()[static_cast<std::size_t>(r)];
      EXPECT_EQ(std::count(all.columns[0].begin(), all.columns[0].end(), r),
                static_cast<std::ptrdiff_t>(its.accepted + its.rejected));
      EXPECT_GT(its.accepted, 3u);
    }
  }
}

}  // namespace
}  // namespace tessera::kmc
