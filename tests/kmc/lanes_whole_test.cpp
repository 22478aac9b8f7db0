// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <string>
#include <tessera/kmc/models.hpp>

#include "tests/kmc/lanes_whole.hpp"
#include "tests/kmc/own_models.hpp"

/// A team of many lanes gives a single-tile lattice the trajectory of the sequential method.
namespace tessera::kmc {
namespace {

class ManyLanesOnOneWindow : public ManyLanes {};
INSTANTIATE_TEST_SUITE_P(Lanes, ManyLanesOnOneWindow, ::testing::Values(32, 64, TeamLayout::most_lanes),
                         ::testing::PrintToStringParamName());

template <bool of_many = true, Model M>
StepState expect_whole(Parameters p, const M& model, const TeamWay& way, double step, double stop = forever) {
  SCOPED_TRACE(std::to_string(way.lanes) + " lanes, side " + std::to_string(p.nx) + ", order " +
               std::to_string(static_cast<int>(way.order)));
  Snapshot<M> result;
  const StepState done = run_whole<of_many>(p, model, way, step, stop, result);
  expect_equal(result, sequential(p, model, stop));
  return done;
}

TEST_P(ManyLanesOnOneWindow, AdvanceAWholeLatticeAsTheSequentialMethodDoes) {
  for (const EventOrder order : orders()) {
    const TeamWay way{GetParam(), order};
    EXPECT_GT(expect_whole(lattice(12, 12), SolidOnSolid(1), way, 0.1, 8).events, 50u);
    EXPECT_GT(expect_whole(lattice(24, 24, 7), SolidOnSolid(0), way, 0.1, 1).events, 300u);
    EXPECT_GT(expect_whole(up_to_event(lattice(16, 16, 3), 301), Species(), way, 0.2).events, 300u);
    EXPECT_GT(expect_whole(up_to_event(lattice(16, 16, 5), 301), Hopping(0.5, 1), way, 0.2).events, 300u);
    for (const int side : {12, 20, 24})
      EXPECT_GT(expect_whole(up_to_event(lattice(side, side, 5), 301), RandomPairs(), way, 0.2).events, 300u);
    for (const int side : {16, 20, 32})
      EXPECT_GT(expect_whole(up_to_event(lattice(side, side, 5), 301), RandomListed(), way, 0.2).events, 300u);
  }
  const StepState done = expect_whole(up_to_event(lattice(40, 40), 2500), SolidOnSolid(2), {GetParam()}, 4);
  EXPECT_EQ(done.events, 2500u);
}

// With steps that are far too long: what is out of order has to be seen, and never kept.
TEST_P(ManyLanesOnOneWindow, RejectStepsOfAWholeLatticeThatAreOutOfOrder) {
  std::uint64_t rejected = 0;
  for (int seed = 1; seed <= 4; ++seed) {
    rejected += expect_whole(lattice(24, 24, seed), SolidOnSolid(1), {GetParam()}, 8, 8).rejected;
    rejected += expect_whole(lattice(24, 24, seed), Species(), {GetParam()}, 2, 2).rejected;
    expect_whole(lattice(24, 24, seed), Hopping(0.5, 1), {GetParam()}, 4, 4);
  }
  EXPECT_GE(rejected, 4u);
}

TEST(OneLane, AdvancesAWholeLatticeAsTheSequentialMethodDoes) {
  EXPECT_GT(expect_whole<false>(lattice(13, 13), SolidOnSolid(1), {}, 0.1, 8).events, 50u);
  EXPECT_GT(expect_whole<false>(lattice(7, 7), Species(), {}, 0.1, 4).events, 100u);
  EXPECT_GT(expect_whole<false>(lattice(7, 7), Hopping(0.5, 1), {}, 0.1, 4).events, 20u);
  EXPECT_GT(expect_whole<false>(up_to_event(lattice(64, 64), 3001), SolidOnSolid(2), {}, 4).events, 3000u);
}

}  // namespace
}  // namespace tessera::kmc
