// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/start_report.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <new>
#include <vector>

#include "tests/program/counter_process.hpp"

namespace {

using tessera::ParticleFrame;
using tessera::program::estimate_cost;
using tessera::program::fraction_done;
using tessera::program::Schedule;
using tessera::testing::CounterProcess;

bool go_on() { return true; }
double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// An event takes 2 ms: the cost is known.
TEST(CostEstimate, CoversTheWholeRun) {
  CounterProcess counter(1, 1, {std::numeric_limits<double>::infinity(), 5000});
  double now = 0;
  const auto slowly = [&] {
    now += 0.002;
    return true;
  };
  const auto cost = estimate_cost(counter, Schedule{}, slowly, [&] { return now; });
  EXPECT_TRUE(cost.makes_progress);
  EXPECT_NEAR(cost.seconds, 10, 0.5) << "5000 times 2 ms";
  EXPECT_NEAR(cost.seconds * cost.rate, 5000, 100);
  EXPECT_LT(fraction_done(counter), 0.1);
  EXPECT_EQ(cost.measurements, 2);
  EXPECT_GT(cost.file_bytes, cost.checkpoint_bytes);
}

// An event takes 21 ms at first and 1 ms later, as in steps that grow.
TEST(CostEstimate, UsesTheConstantSpeed) {
  CounterProcess counter(1, 1, {std::numeric_limits<double>::infinity(), 1000000});
  double now = 0;
  const auto slow_at_first = [&] {
    now += 0.001 + 0.02 * std::exp(-counter.work() / 100);
    return true;
  };
  const auto cost = estimate_cost(counter, Schedule{}, slow_at_first, [&] { return now; });
  EXPECT_NEAR(cost.seconds, 1000, 20);
  EXPECT_NEAR(cost.rate, 1000, 20);
  EXPECT_LT(cost.spent, 10);
}

// It becomes faster and faster.
TEST(CostEstimate, EndsWithoutConstantSpeed) {
  CounterProcess counter(1, 1, {std::numeric_limits<double>::infinity(), std::int64_t{1} << 62});
  double now = 0;
  const auto faster = [&] {
    now += 1 / (1 + counter.work());
    return true;
  };
  EXPECT_LT(estimate_cost(counter, Schedule{}, faster, [&] { return now; }).spent, 10);
}

/// Its samples would take 1e6 s.
class WithSamples : public CounterProcess {
 public:
  using CounterProcess::CounterProcess;
  double leave_out_functions() override { return 1e6; }
};

TEST(CostEstimate, IncludesOmittedSamples) {
  WithSamples counter(1, 1, {20, std::numeric_limits<std::int64_t>::max()});
  const auto cost = estimate_cost(counter, Schedule{}, go_on, wall_seconds);
  EXPECT_GE(cost.seconds, 1e6);
  EXPECT_LT(cost.seconds, 1.1e6);
}

/// More than anyone has room for.
class Crowd : public CounterProcess {
 public:
  using CounterProcess::CounterProcess;
  std::vector<ParticleFrame> particles() override { throw std::bad_alloc(); }
  std::size_t particles_of_replica() const override { return std::size_t{1} << 60; }
};

TEST(CostEstimate, MakesNoSnapshotOfParticles) {
  Crowd crowd(1, 2, {20, std::numeric_limits<std::int64_t>::max()});
  Schedule schedule;
  schedule.field_every = 5;
  EXPECT_NEAR(estimate_cost(crowd, schedule, go_on, wall_seconds).file_bytes, 5 * 2 * 24 * 0x1p60, 0x1p40);
}

TEST(CostEstimate, OfAShortRunIsTheMeasuredTime) {
  CounterProcess counter(1, 2, {20, std::numeric_limits<std::int64_t>::max()});
  Schedule schedule;
  schedule.measure_every = 4;
  schedule.field_every = 5;
  const auto cost = estimate_cost(counter, schedule, go_on, wall_seconds);
  EXPECT_TRUE(counter.finished());
  EXPECT_LT(cost.seconds, 60);
  EXPECT_EQ(cost.measurements, 6);
  EXPECT_EQ(cost.fields, 5);
}

TEST(CostEstimate, OfATimeFollowsFromEvents) {
  CounterProcess counter(1, 1, {std::numeric_limits<double>::infinity(), 100000000});
  Schedule schedule;
  schedule.measure_every = 1;
  const auto cost = estimate_cost(counter, schedule, go_on, wall_seconds);
  const double ticks_an_event = counter.time() / counter.work();
  EXPECT_NEAR(cost.measurements, 1e8 * ticks_an_event, 0.01e8 * ticks_an_event);
}

}  // namespace
