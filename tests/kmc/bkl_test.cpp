// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <tessera/core/error.hpp>
#include <tessera/io/memory_archive.hpp>
#include <vector>

#include "tests/kmc/sequential_instances.hpp"

namespace tessera::kmc {
namespace {

using ::tessera::io::MemoryArchive;

TEST(RateTree, FindsTheLeafAtAPointAfterEveryUpdate) {
  std::mt19937_64 random(1);
  for (const std::uint32_t leaves : {1u, 2u, 3u, 8u, 13u, 64u}) {
    RateTree tree(leaves);
    std::vector<double> rates(leaves);  // small integers: sums are exact
    for (int round = 0; round < 3000; ++round) {
      std::uint32_t changed[3];
      int count = static_cast<int>(random() % 4);
      for (int i = 0; i < count; ++i) {
        changed[i] = static_cast<std::uint32_t>(random() % leaves);
        rates[changed[i]] = random() % 3 == 0 ? 0 : static_cast<double>(random() % 9);
        tree.set(changed[i], rates[changed[i]]);
      }
      if (round % 100 == 0) {
        tree.update_all();
      } else {
        tree.update(changed, count);
      }
      double total = 0;
      for (const double rate : rates) total += rate;
      ASSERT_EQ(tree.total(), total);
      if (total == 0) continue;
      const auto point = static_cast<double>(random() % static_cast<std::uint64_t>(total));
      std::uint32_t expected = 0;
      for (double end = rates[0]; end <= point; end += rates[expected]) ++expected;
      ASSERT_EQ(tree.find(point), expected);
    }
  }
}

TEST(RateTree, NeverFindsALeafOfRateZero) {
  RateTree tree(8);
  for (const std::uint32_t leaf : {0u, 3u, 4u}) tree.set(leaf, 0.1);  // 0.1 + 0.1 + 0.1 is rounded
  tree.update_all();
  EXPECT_EQ(tree.find(tree.total()), 4u);  // beyond every point that is asked for
  EXPECT_EQ(tree.find(0), 0u);
}

TEST(RateTree, SumsDoNotDependOnTheOrderOfChanges) {
  std::mt19937_64 random(2);
  RateTree updated(1000), fresh(1000);
  for (int i = 0; i < 100000; ++i) {
    const std::uint32_t leaves[] = {static_cast<std::uint32_t>(random() % 1000),
                                    static_cast<std::uint32_t>(random() % 1000)};
    for (const std::uint32_t leaf : leaves)
      updated.set(leaf, static_cast<double>(random() >> 11) * (random() % 2 == 0 ? 1e-30 : 1e-10));
    updated.update(leaves, 2);
  }
  for (std::uint32_t leaf = 0; leaf < 1000; ++leaf) fresh.set(leaf, updated.rate(leaf));
  fresh.update_all();
  EXPECT_EQ(updated.total(), fresh.total());
}

template <class M>
void expect_same_after_restart(const M& model, int nx, int ny, double until) {
  Parameters p;
  p.method = Method::bkl;
  p.nx = nx;
  p.ny = ny;
  p.replicas = 2;
  BklSimulation<M> straight(p, model), restarted(p, model);
  straight.advance(until);
  for (int i = 1; i <= 10; ++i) {
    restarted.advance(until * i / 10);
    restarted.measure();
    MemoryArchive archive;
    restarted.save(archive);
    Parameters other = p;
    other.seed = 77;  // a seed has no say in how a restarted run goes on
    restarted = BklSimulation<M>(other, model);
    restarted.load(archive);
  }
  EXPECT_GT(straight.events()[0], 1000u);
  EXPECT_EQ(restarted.states(), straight.states());
  EXPECT_EQ(restarted.times(), straight.times());
  EXPECT_EQ(restarted.events(), straight.events());
  p.seed += 1;
  p.replicas = 1;
  BklSimulation<M> second(p, model);
  second.advance(until);
  const auto both = straight.states(), one = second.states();
  EXPECT_TRUE(std::equal(one.begin(), one.end(), both.begin() + static_cast<std::ptrdiff_t>(one.size())));
}

TEST(BklSimulation, InterruptionObservationRestartAndReplicasChangeNothing) {
  expect_same_after_restart(SolidOnSolid(1), 16, 16, 100);
  expect_same_after_restart(SolidOnSolid(2), 5, 40, 500);
  expect_same_after_restart(Ising(0.3), 9, 7, 50);
  expect_same_after_restart(Potts(0.5, 0), 9, 7, 50);
  expect_same_after_restart(Species(), 34, 3, 20);
}

TEST(BklSimulation, StopsRightAfterTheLastEvent) {
  Parameters p;
  p.method = Method::bkl;
  p.nx = 12;
  p.ny = 20;
  p.until_events_per_site = 3;
  BklSimulation<SolidOnSolid> simulation(p, SolidOnSolid(1));
  while (!simulation.finished()) simulation.advance(simulation.time() + 0.2);
  simulation.advance(1e9);
  const auto states = simulation.states();
  EXPECT_EQ(std::accumulate(states.begin(), states.end(), 0), 720);
  EXPECT_EQ(simulation.events()[0], 720u);
  EXPECT_LT(simulation.time(), 1e3);
}

TEST(BklSimulation, EndsWhereNoEventIsPossible) {
  Parameters p;
  p.method = Method::bkl;
  p.nx = p.ny = 20;
  BklSimulation<Adsorption> simulation(p, Adsorption());
  simulation.advance(std::numeric_limits<double>::infinity());
  EXPECT_TRUE(simulation.finished());
  const auto states = simulation.states();
  for (int y = 0; y < 20; ++y)
    for (int x = 0; x < 20; ++x) {
      const auto at = [&](int i, int j) {
        return states[static_cast<std::size_t>((j + 20) % 20 * 20 + (i + 20) % 20)];
      };
      EXPECT_GT(at(x, y) + at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1), 0);
      EXPECT_LE(at(x, y) + at(x + 1, y), 1);
      EXPECT_LE(at(x, y) + at(x, y + 1), 1);
    }
}

}  // namespace
}  // namespace tessera::kmc
