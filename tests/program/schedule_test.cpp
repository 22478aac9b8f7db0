// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/schedule.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <tessera/core/error.hpp>
#include <vector>

namespace {

TEST(Schedule, HasAtMost1e10Times) {
  using tessera::program::check;
  const double never = std::numeric_limits<double>::infinity();
  check({1e-9, 1e-9}, 10);
  check({0, 0}, 10);
  check({1e-300, 0}, never);
  EXPECT_THROW(check({0.9e-9, 0}, 10), tessera::InputError);
  EXPECT_THROW(check({0, 1e-300}, 10), tessera::InputError);
  EXPECT_THROW(check({-1, 0}, 10), tessera::InputError);
  EXPECT_THROW(check({0, never}, never), tessera::InputError);
  EXPECT_THROW(check({std::nan(""), 0}, 10), tessera::InputError);
}

TEST(RecordTimes, AreCountedWhenTheyAreReached) {
  using tessera::program::RecordTimes;
  const std::vector<double> list{0, 1, 2, 4, 8, 16};
  EXPECT_EQ((RecordTimes{0}.until(10)), 2) << "start and end";
  EXPECT_EQ((RecordTimes{0, {}, false}.until(10)), 1) << "end";
  EXPECT_EQ((RecordTimes{2}.until(10)), 6);
  EXPECT_EQ((RecordTimes{4}.until(10)), 4) << "0, 4, 8, 10";
  EXPECT_EQ((RecordTimes{0.1}.until(0.3)), 4) << "whatever the rounding";
  EXPECT_EQ((RecordTimes{0.7}.until(2.1)), 4);
  EXPECT_EQ((RecordTimes{4}.until(0)), 1);
  EXPECT_EQ((RecordTimes{0, list}.until(10)), 6) << "0, 1, 2, 4, 8 and the end";
  EXPECT_EQ((RecordTimes{0, list}.until(8)), 5);
  for (const RecordTimes& times : {RecordTimes{0}, {0, {}, false}, {0.7}, {4}, {0.1, {}, false}, {0, list}})
    for (const double end : {0., 0.3, 2.1, 8., 10.}) {
      int count = 0;
      while (times.at(count, end) < end) ++count;
      EXPECT_EQ(times.until(end), count + 1) << times.every << " until " << end;
    }
}

// Products, not sums: exact to the last digit however late.
TEST(RecordTimes, AreMultiplesOfTheirIntervalAtAnyTime) {
  const tessera::program::RecordTimes times{0.3};
  for (const std::int64_t number : {1, 7, 1'000'000'007}) EXPECT_EQ(times.at(number, 1e300), double(number) * 0.3);
}

TEST(Schedule, TriesIntervalsOfOneDigit) {
  using tessera::program::short_times;
  EXPECT_EQ(short_times(0), 1e-30);
  EXPECT_EQ(short_times(88), 2e-1);
  EXPECT_EQ(short_times(89), 0.5);
  EXPECT_EQ(short_times(90), 1);
  EXPECT_TRUE(std::isinf(short_times(std::numeric_limits<std::int64_t>::max())));
}

TEST(Schedule, MayHaveManyTimesBeforeTheFirstEvent) {
  using tessera::program::check_progress;
  check_progress({1e-3, 0}, 99999, 0);
  check_progress({1e-3, 0}, 100000, 1.1e-5);
  EXPECT_THROW(check_progress({1e-3, 0}, 100000, 0.9e-5), tessera::RunError);
}

std::string refusal(const tessera::program::Schedule& schedule, double stopping_time, int replicas) {
  try {
    check_averages(schedule, stopping_time, replicas);
  } catch (const tessera::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Schedule, HasEnoughMeasurementsToAverage) {
  const double never = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal({0, 0}, 10, 1), "");
  EXPECT_EQ(refusal({1, 0, {}, 68}, 100, 1), "");  // 69, 70, ... 100
  EXPECT_EQ(refusal({1, 0, {}, 69}, 100, 1),
            "--average-from 69: leaves 31 measurements of 1 replica, but an average needs at least 32 of "
            "all replicas together; measure more often or run longer");
  EXPECT_EQ(refusal({1, 0, {}, 68}, 99.5, 1), "");  // the last one is at the end
  EXPECT_NE(refusal({1, 0, {}, 68}, 99, 1), "");
  EXPECT_EQ(refusal({1, 0, {}, 92}, 100, 4), "");
  EXPECT_NE(refusal({1, 0, {}, 92}, 100, 3), "");
  EXPECT_EQ(refusal({0, 0, {}, 0}, 100, 32), "");  // the measurement at the end
  EXPECT_NE(refusal({0, 0, {}, 0}, 100, 31), "");
  EXPECT_NE(refusal({0, 0, {}, 0}, never, 31), "");
  EXPECT_EQ(refusal({5, 0, {}, 0}, never, 1), "");
  EXPECT_EQ(refusal({0, 0, {}, {0, true}, 100}, 100, 1), "") << "the interval is known at its end only";
  EXPECT_EQ(refusal({0, 0, {0, 1, 2, 4, 8, 16}, 2}, 8, 16), "");  // 4 and 8
  EXPECT_NE(refusal({0, 0, {0, 1, 2, 4, 8, 16}, 4}, 8, 16), "");
  EXPECT_EQ(refusal({1, 0, {}, 100}, 100, 64), "--average-from 100: must be before the end of the run, at time 100");
  EXPECT_EQ(refusal({1, 0, {}, -1}, 100, 1),
            "--average-from -1: must be a time, 0 or more, auto, or inf for no averages");
  // A time that the run chooses lies in its first half.
  const tessera::program::AverageFrom chosen(0, true);
  EXPECT_EQ(refusal({1, 0, {}, chosen}, 64, 1), "");
  EXPECT_EQ(
      refusal({1, 0, {}, chosen}, 62, 1),
      "--average-from auto: leaves 31 measurements of 1 replica in the second half, but an average needs at least "
      "32 of all replicas together; measure more often or run longer");
  EXPECT_NE(refusal({1, 0, {}, std::nan("")}, 100, 1), "");
}

}  // namespace
