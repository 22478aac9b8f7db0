// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <tessera/core/kokkos_ext/lanes.hpp>
#include <tessera/kmc/models.hpp>

#include "tests/execution_spaces.hpp"
#include "tests/kmc/exactness.hpp"
#include "tests/kmc/own_models.hpp"

namespace tessera::kmc {
namespace {

/// Whatever the history of the step size, the trajectory is the same.
template <class Space>
class TileMethodUnderStress : public ::testing::Test {};
TYPED_TEST_SUITE(TileMethodUnderStress, testing::ParallelSpaces, testing::ExecutionSpaceNames);

/// Step sizes that overshoot as often as not.
Parameters overshooting(Parameters p) {
  p.grow_first = 1000;
  p.grow = 2;
  p.shrink = 0.7;
  p.repair_fraction = 1;
  return p;
}

template <class Space, Model M>
void expect_trajectory_in_spite_of_overshoots(const M& model) {
  const Parameters p = overshooting(up_to_event(lattice(48, 64, 3), 10'000));
  const Snapshot<M> expected = sequential(p, model);
  Work rejecting, repairing;
  EventOrder order = orders[0], other = orders[2];
  for (const auto& [tile, halo] : {std::pair{16, 4}, std::pair{8, 2}, std::pair{8, 8}, std::pair{16, 3}}) {
    expect_trajectory<Space>(tiled(p, tile, halo, StepControl::reject), model, order, expected, rejecting);
    Parameters hardly_wider = tiled(p, tile, halo);
    hardly_wider.repair_halo = halo + 1;
    hardly_wider.repair_rounds = 1;
    expect_trajectory<Space>(hardly_wider, model, other, expected, repairing);
    std::swap(order, other);
  }
  EXPECT_GT(rejecting.rejected, rejecting.accepted / 4);
  EXPECT_GT(repairing.rejected, repairing.accepted / 4);
  EXPECT_GT(repairing.repaired, repairing.accepted);
}

TYPED_TEST(TileMethodUnderStress, EqualsSequentialTrajectoryWhereStepsOftenOvershoot) {
  expect_trajectory_in_spite_of_overshoots<TypeParam>(SolidOnSolid(1));
  expect_trajectory_in_spite_of_overshoots<TypeParam>(Species());
}

/// Several events at once come in the order of 32-bit keys: in a large window, over long steps, neighbouring events now
/// and then have times that a key does not tell apart.
template <class Space, Model M>
void expect_trajectory_in_spite_of_near_ties(const M& model, int n, int tile, int halo, std::uint64_t events) {
  if (!fits(tile, halo, lanes_per_tile<Space>)) return;
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    Parameters p = tiled(up_to_event(lattice(n, n, seed), events), tile, halo, StepControl::reject);
    p.grow = 2;
    SCOPED_TRACE(describe(p, orders[2]));
    const auto simulation = tile_method<Space>(p, model, orders[2]);
    while (!simulation->finished()) simulation->advance(simulation->time() + 0.2);
    expect_equal(snapshot<M>(*simulation), sequential(p, model));
    EXPECT_GT(events, simulation->step_states()[0].accepted * 400);  // steps are long
  }
}

TYPED_TEST(TileMethodUnderStress, EqualsSequentialTrajectoryWhereDifferentTimesHaveEqualKeys) {
  expect_trajectory_in_spite_of_near_ties<TypeParam>(SolidOnSolid(0), 112, 112, 10, 300'000);
  expect_trajectory_in_spite_of_near_ties<TypeParam>(Species(), 48, 24, 8, 200'000);
}

/// Narrow halos, repaired with hardly wider ones, and steps that let most tiles disagree.
Parameters repairing_much(int rounds) {
  Parameters p = tiled(overshooting(up_to_event(lattice(64, 64, 8), 30'000)), 8, 2);
  p.repair_halo = 4;
  p.grow = 1.2;
  p.repair_rounds = rounds;
  p.record_steps = true;
  return p;
}

template <class Space, Model M>
History history_of(const Parameters& p, const M& model, const Snapshot<M>& expected) {
  SCOPED_TRACE(describe(p, {}));
  const auto simulation = tile_method<Space>(p, model);
  simulation->advance(forever);
  expect_equal(snapshot<M>(*simulation), expected);
  EXPECT_GT(simulation->step_states()[0].repaired, simulation->step_states()[0].accepted);
  EXPECT_GT(simulation->step_states()[0].rejected, 10u);
  return simulation->drain_history();
}

/// Whether the histories begin with the same steps up to one that `a`, with fewer rounds, has had to reject and `b`
/// has accepted.
bool more_rounds_save_a_step(const History& a, const History& b) {
  const auto& time = a.columns[1];
  for (std::size_t i = 0; i < std::min(time.size(), b.columns[1].size()); ++i) {
    if (a.columns[1][i] != b.columns[1][i] || a.columns[2][i] != b.columns[2][i]) return false;
    if (a.columns[5][i] != b.columns[5][i]) return a.columns[5][i] == 0;
  }
  return false;
}

/// Runs with one to four rounds of repairs; returns how many rounds some step needed to be accepted.
template <class Space, Model M>
int expect_trajectory_in_spite_of_repairs(const M& model) {
  const Snapshot<M> expected = sequential(repairing_much(1), model);
  History fewer = history_of<Space>(repairing_much(1), model, expected);
  int needed = 1;
  for (const int rounds : {2, 3, 4}) {
    History more = history_of<Space>(repairing_much(rounds), model, expected);
    if (more_rounds_save_a_step(fewer, more)) needed = rounds;
    fewer = std::move(more);
  }
  return needed;
}

TYPED_TEST(TileMethodUnderStress, EqualsSequentialTrajectoryWhereRepairsNeedSeveralRounds) {
  EXPECT_GE(expect_trajectory_in_spite_of_repairs<TypeParam>(SolidOnSolid(1)), 3);
  EXPECT_GE(expect_trajectory_in_spite_of_repairs<TypeParam>(Species()), 2);
}

TYPED_TEST(TileMethodUnderStress, EqualsSequentialTrajectoryForEveryNumberOfRounds) {
  const Ising model(0.6, 0);
  const Parameters p = overshooting(up_to_event(lattice(48, 48, 4), 4'000));
  const Snapshot<Ising> expected = sequential(p, model);
  for (const int rounds : {1, 2, 3, 4, 16}) {
    Work work;
    for (const auto& [halo, repair_halo] : {std::pair{2, 2}, std::pair{2, 3}, std::pair{3, 4}, std::pair{3, 8}}) {
      Parameters q = tiled(p, 12, halo);
      q.repair_halo = repair_halo;
      q.repair_rounds = rounds;
      expect_trajectory<TypeParam>(q, model, orders[work.runs % std::size(orders)], expected, work);
    }
    EXPECT_GT(work.repaired, work.accepted);
    EXPECT_GT(work.rejected, 50u);
  }
}

}  // namespace
}  // namespace tessera::kmc
