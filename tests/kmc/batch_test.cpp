// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <tessera/kmc/steps/batch.hpp>
#include <vector>

#include "tests/kmc/exactness.hpp"

namespace tessera::kmc {
namespace {

std::vector<StepState> with_step(double step) {
  StepState s;
  s.step = step;
  s.active = 1;
  s.stop = s.ceiling = forever;
  return {s};
}

/// A batch of steps that take `seconds` each and grow by the factor `growth` together; returns their number.
int one(Batch& batch, double seconds, double growth = 1) {
  const int count = batch.size(with_step(1));
  batch.record(seconds * count, with_step(1), with_step(growth));
  return count;
}

TEST(Batch, DoublesAtMostWhileStepsAreCheapUpToAsManyAsAreRecorded) {
  Batch batch;
  int last = one(batch, 1e-6);
  EXPECT_EQ(last, 1);
  for (int i = 0; i < 12; ++i) {
    const int next = one(batch, 1e-6);
    ASSERT_LE(next, 2 * last);
    ASSERT_GE(next, last);
    last = next;
  }
  EXPECT_EQ(last, most_steps_of_batch);
}

TEST(Batch, DoublesWhereTheStepsOfSomeReplicasGrowAndThoseOfOthersShrink) {
  const auto one_has = [](std::size_t r, double step) {
    std::vector<StepState> all(8, with_step(1)[0]);
    all[r].step = step;
    return all;
  };
  Batch batch;
  for (std::size_t i = 0; i < 12; ++i) {
    const auto before = one_has(i % 8, 10), now = one_has((i + 1) % 8, 10);
    batch.record(1e-6 * batch.size(before), before, now);
  }
  EXPECT_EQ(batch.size(one_has(0, 10)), most_steps_of_batch);
}

TEST(Batch, IsOneStepWhileEachIsTenTimesAsLongAsTheLast) {
  Batch batch;
  for (int i = 0; i < 10; ++i) ASSERT_EQ(one(batch, 1e-6, 10), 1);
}

TEST(Batch, IsSizedByTheSlowSteps) {
  Batch batch;
  for (int i = 0; i < 12; ++i) one(batch, 1e-6);
  one(batch, 0.01);
  for (int i = 0; i < 3; ++i) {  // what has been slow once may be slow again
    const int next = one(batch, 1e-6);
    ASSERT_LE(next, 5 << i);
  }
  one(batch, 10);
  EXPECT_EQ(one(batch, 10), 1);
}

TEST(Batch, HasNotManyMoreStepsThanTheReplicasNeed) {
  Batch batch;
  for (int i = 0; i < 12; ++i) one(batch, 1e-6);
  std::vector<StepState> near = with_step(1), bisecting = near;
  EXPECT_EQ(batch.size(near), most_steps_of_batch);
  EXPECT_FALSE(batch.is_last());
  near[0].stop = 3;
  EXPECT_LE(batch.size(near), 3);
  EXPECT_TRUE(batch.is_last());
  bisecting[0].ceiling = 2;
  EXPECT_LE(batch.size(bisecting), 8);
}

}  // namespace
}  // namespace tessera::kmc
