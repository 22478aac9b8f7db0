// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/progress.hpp"
#include "options/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace {

using tessera::program::Advancement;
using tessera::program::Progress;
using tessera::program::ProgressStyle;

Advancement at(double seconds, double fraction) { return {5, fraction, 1e6, seconds, fraction}; }

TEST(Progress, ShowsRateFractionAndRemainingTime) {
  std::ostringstream terminal;
  Progress progress(ProgressStyle::line, terminal, "events/s");
  progress.show(at(1, 0.25));
  EXPECT_EQ(terminal.str(), "\r 25.0 %  time 5  1e+06 events/s  3.0 s left");
}

TEST(Progress, RemainingTimeFollowsFromThisCall) {
  std::ostringstream terminal;
  Progress progress(ProgressStyle::line, terminal, "events/s");
  Advancement now = at(10, 0.75);
  now.completed = 0.25;
  progress.show(now);
  EXPECT_NE(terminal.str().find(" 10 s left"), std::string::npos) << terminal.str();
}

TEST(Progress, LineOverwritesALongerOne) {
  std::ostringstream terminal;
  Progress progress(ProgressStyle::line, terminal, "events/s");
  progress.show(at(1, 0.0001));
  const auto longer = terminal.str().size();
  progress.show(at(2, 1));
  EXPECT_EQ(terminal.str().size(), 2 * longer);
  progress.clear();
  EXPECT_EQ(terminal.str().back(), '\r');
}

TEST(Progress, LogHasALinePerTenPercentOrMinuteAndAtMostOneInTenSeconds) {
  std::ostringstream log;
  Progress progress(ProgressStyle::lines, log, "events/s");
  const auto lines = [&] {
    const std::string text = log.str();
    return std::count(text.begin(), text.end(), '\n');
  };
  progress.show(at(5, 0.5));
  EXPECT_EQ(lines(), 0);
  progress.show(at(10, 0.5));
  EXPECT_EQ(lines(), 1);
  progress.show(at(25, 0.55));
  EXPECT_EQ(lines(), 1);
  progress.show(at(30, 0.61));
  EXPECT_EQ(lines(), 2);
  progress.show(at(91, 0.62));
  EXPECT_EQ(lines(), 3);
  EXPECT_EQ(log.str().find('\r'), std::string::npos);
}

TEST(Progress, SilentPrintsNothing) {
  std::ostringstream terminal;
  Progress progress(ProgressStyle::silent, terminal, "events/s");
  progress.show(at(1000, 0.5));
  progress.clear();
  EXPECT_EQ(terminal.str(), "");
}

TEST(Progress, CountsHaveTheCorrectPlural) {
  using tessera::program::counted;
  EXPECT_EQ(counted(1, "thread"), "1 thread");
  EXPECT_EQ(counted(0, "thread"), "0 threads");
  EXPECT_EQ(counted(12, "thread"), "12 threads");
}

TEST(Progress, DurationsAreShort) {
  using tessera::program::short_duration;
  EXPECT_EQ(short_duration(4.24), "4.2 s");
  EXPECT_EQ(short_duration(59.4), "59 s");
  EXPECT_EQ(short_duration(59.9), "1 min 0 s");
  EXPECT_EQ(short_duration(200), "3 min 20 s");
  EXPECT_EQ(short_duration(3600 * 5 + 720), "5 h 12 min");
  EXPECT_EQ(short_duration(86400 * 2 + 3600 * 3), "2 d 3 h");
}

TEST(Progress, NumbersAreShort) {
  using tessera::program::short_number;
  EXPECT_EQ(short_number(1234567), "1.235e+06");
  EXPECT_EQ(short_number(0.1), "0.1");
  for (const double sign : {1.0, -1.0})
    EXPECT_EQ(short_number(std::copysign(std::numeric_limits<double>::quiet_NaN(), sign)), "nan");
}

TEST(Progress, NumbersHaveTheirUnits) {
  using tessera::program::with_unit;
  EXPECT_EQ(with_unit(219.5, "s"), "219.5 s");
  EXPECT_EQ(with_unit(219.5, "1/k_2"), "219.5/k_2");
  EXPECT_EQ(with_unit(219.5, ""), "219.5");
  std::ostringstream terminal;
  Progress(ProgressStyle::line, terminal, "events/s", "MCS").show(at(1, 1));
  EXPECT_EQ(terminal.str(), "\r100.0 %  time 5 MCS  1e+06 events/s");
}

TEST(Progress, ValuesHaveTheDigitsOfTheirErrors) {
  using tessera::program::with_error;
  EXPECT_EQ(with_error(178.5, 0.02304), "178.500(23)");
  EXPECT_EQ(with_error(-0.5, 0.0625), "-0.50(6)");
  EXPECT_EQ(with_error(0.123456, 0.00149), "0.1235(15)");
  EXPECT_EQ(with_error(0.123456, 0.000996), "0.1235(10)");
  EXPECT_EQ(with_error(1234, 57), "1230(60)");
  EXPECT_EQ(with_error(30438, 720), "3.04(7)e4");
  EXPECT_EQ(with_error(0, 3), "0(3)");
  EXPECT_EQ(with_error(1.97912e10, 3.2e6), "1.9791(3)e10");
  EXPECT_EQ(with_error(4.5678e-6, 1.2e-7), "4.57(12)e-6");
  EXPECT_EQ(with_error(3, 0), "3");
  EXPECT_EQ(with_error(3, std::numeric_limits<double>::quiet_NaN()), "3");
  EXPECT_EQ(with_error(std::numeric_limits<double>::quiet_NaN(), 0.5), "nan");
}

}  // namespace
