// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <tessera/core/error.hpp>
#include <tessera/core/streams.hpp>
#include <vector>

#include "tests/io/memory_archive.hpp"
#include "tests/kmc/sequential_instances.hpp"

namespace tessera::kmc {
namespace {

using ::tessera::io::MemoryArchive;

/// Of a rate that is not 0: the smallest power of two that is not less.
double bound_of(double rate) { return rate > 0 ? std::exp2(std::ceil(std::log2(rate))) : 0; }

TEST(RateClasses, HaveTheCellsInTheOrderOfTheirBoundsAfterEveryChange) {
  std::mt19937_64 random(1);
  for (const std::uint32_t cells : {1u, 2u, 13u, 64u}) {
    RateClasses classes(cells);
    std::vector<double> rates(cells);
    for (int round = 0; round < 3000; ++round) {
      const auto cell = static_cast<std::uint32_t>(random() % cells);
      rates[cell] = random() % 3 == 0 ? 0 : static_cast<double>(random() % 9) * (random() % 2 == 0 ? 1 : 0x1p-20);
      classes.set(cell, rates[cell]);
      double total = 0;
      for (const double rate : rates) total += bound_of(rate);
      ASSERT_EQ(classes.total(), total);
      std::vector<std::uint32_t> order = classes.order();
      ASSERT_TRUE(std::ranges::is_sorted(order, std::ranges::greater(),
                                         [&](std::uint32_t one) { return bound_of(rates[one]); }));
      std::ranges::sort(order);
      for (std::uint32_t one = 0; one < cells; ++one) ASSERT_EQ(order[one], one);
    }
  }
}

TEST(RateClasses, DrawCellsByTheirRates) {
  const std::vector<double> rates{0, 0.3, 1, 0.75, 0, 2, 1.1, 0.3, 5e-324, 1e-3, 0};
  RateClasses classes(static_cast<std::uint32_t>(rates.size()));
  for (const double offset : {1.0, 0.0})  // the second time from other rates
    for (std::uint32_t cell = 0; cell < rates.size(); ++cell) classes.set(cell, rates[cell] + offset);
  Stream stream(1);
  std::vector<int> drawn(rates.size());
  int events = 0;
  for (int i = 0; i < 4'000'000; ++i) {
    const auto [cell, height] = classes.draw(classes.total(), stream);
    ASSERT_GT(rates[cell], 0);
    if (height < rates[cell]) ++drawn[cell], ++events;
  }
  const double sum = std::accumulate(rates.begin(), rates.end(), 0.0);
  for (std::size_t cell = 0; cell < rates.size(); ++cell) {
    const double mean = events * rates[cell] / sum;
    EXPECT_NEAR(drawn[cell], mean, 6 * std::sqrt(mean)) << cell;
  }
  EXPECT_NEAR(events, 4e6 * sum / classes.total(), 6 * std::sqrt(4e6 / 4));
}

TEST(RateClasses, FollowFromTheRatesAndTheOrder) {
  std::mt19937_64 random(2);
  std::vector<double> rates(1000);
  RateClasses updated(1000), fresh(1000);
  for (int i = 0; i < 100000; ++i) {
    const auto cell = static_cast<std::uint32_t>(random() % 1000);
    rates[cell] = static_cast<double>(random() >> 11) * (random() % 2 == 0 ? 1e-30 : 1e-10);
    updated.set(cell, rates[cell]);
  }
  for (std::uint32_t cell = 0; cell < 1000; ++cell) fresh.set(cell, rates[cell]);
  EXPECT_EQ(updated.total(), fresh.total());
  EXPECT_NE(updated.order(), fresh.order());
  ASSERT_TRUE(fresh.set_order(updated.order()));
  EXPECT_EQ(updated.order(), fresh.order());
  for (std::uint32_t cell = 0; cell < 1000; cell += 3) {
    updated.set(cell, 1e-20);
    fresh.set(cell, 1e-20);
  }
  EXPECT_EQ(updated.order(), fresh.order());
  auto order = updated.order();
  order[1] = order[0];
  EXPECT_FALSE(fresh.set_order(order));
  order[1] = 1000;
  EXPECT_FALSE(fresh.set_order(order));
  order = updated.order();
  std::swap(order.front(), order.back());
  EXPECT_FALSE(fresh.set_order(order));
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
