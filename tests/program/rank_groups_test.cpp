// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/ranks.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tessera/core/error.hpp>

#include "tests/complaint.hpp"

namespace tessera::program {
namespace {

int chosen(int ranks, int replicas, bool shareable = true) {
  return ranks_per_replica(RunOptions(), ranks, replicas, shareable);
}

/// The message about such a group; `ny`: of a --rank-grid 2,NY, if not 0.
std::string refused(int asked, int ranks, int replicas, bool shareable = true, int ny = 0) {
  RunOptions run;
  if (asked > 0) run.ranks_per_replica = asked;
  if (ny > 0) run.rank_grid = parallel::GridShape{2, ny};
  return complaint([&] { ranks_per_replica(run, ranks, replicas, shareable); });
}

TEST(RanksPerReplica, AreOneIfThereAreEnoughReplicas) {
  EXPECT_EQ(chosen(1, 1), 1);
  EXPECT_EQ(chosen(4, 4), 1);
  EXPECT_EQ(chosen(4, 6), 1);
}

TEST(RanksPerReplica, AreTheFewestThatGiveAllGroupsEquallyManyReplicas) {
  EXPECT_EQ(chosen(4, 1), 4);
  EXPECT_EQ(chosen(8, 2), 4);
  EXPECT_EQ(chosen(6, 4), 3);  // two replicas for each of two groups
  EXPECT_EQ(chosen(4, 3), 4);
}

TEST(RanksPerReplica, AreOneIfNoSystemCanBeDivided) {
  EXPECT_EQ(chosen(2, 2, false), 1);
  EXPECT_EQ(refused(0, 8, 2, false),
            "a replica of this run cannot be divided among ranks, and there are 8 ranks for 2 replicas; use at most 2 "
            "ranks or more --replicas");
}

TEST(RanksPerReplica, AreTheRequestedNumber) {
  RunOptions run;
  for (const int asked : {1, 2, 4}) {
    run.ranks_per_replica = asked;
    EXPECT_EQ(ranks_per_replica(run, 4, 5, true), asked);
  }
  run = {};
  run.rank_grid = parallel::GridShape{2, 2};
  EXPECT_EQ(ranks_per_replica(run, 4, 5, true), 4) << "a grid alone is that of all ranks";
  run.ranks_per_replica = 4;
  EXPECT_EQ(ranks_per_replica(run, 8, 5, true), 4);
}

TEST(RanksPerReplica, AreRefusedWithThePossibleNumbers) {
  EXPECT_EQ(refused(3, 4, 2), "--ranks-per-replica 3: 4 ranks cannot be divided into groups of this size; use 2 or 4");
  EXPECT_EQ(refused(8, 4, 4),
            "--ranks-per-replica 8: 4 ranks cannot be divided into groups of this size; use 1, 2 or 4");
  EXPECT_EQ(refused(1, 4, 2), "--ranks-per-replica 1: gives 4 groups for 2 replicas; use 2 or 4");
  EXPECT_EQ(refused(2, 6, 1), "--ranks-per-replica 2: gives 3 groups for 1 replica; use 6");
  EXPECT_EQ(refused(2, 1, 1), "--ranks-per-replica 2: 1 rank cannot be divided into groups of this size; use 1");
}

TEST(RanksPerReplica, AreFewIfSystemsCannotBeDivided) {
  EXPECT_EQ(refused(2, 4, 2, false),
            "--ranks-per-replica 2: a replica of this run cannot be divided among ranks; use --ranks-per-replica 1");
  EXPECT_EQ(refused(0, 4, 2, false, 2),
            "--rank-grid 2,2: a replica of this run cannot be divided among ranks; use --ranks-per-replica 1");
  EXPECT_EQ(refused(1, 3, 2, false), "--ranks-per-replica 1: gives 3 groups for 2 replicas; use at most 2 ranks");
}

TEST(RanksPerReplica, FollowFromTheRankGrid) {
  EXPECT_EQ(refused(2, 4, 2, true, 2), "--rank-grid 2,2: is a grid of 4 ranks, but --ranks-per-replica is 2");
  EXPECT_EQ(refused(0, 6, 2, true, 2), "--rank-grid 2,2: is a grid of 4 ranks, but the run has 6 ranks");
  EXPECT_EQ(refused(0, 1, 2, true, 1), "--rank-grid 2,1: is a grid of 2 ranks, but the run has 1 rank");
}

}  // namespace
}  // namespace tessera::program
