// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "schedule.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <tessera/core/error.hpp>

namespace {

TEST(Schedule, HasAtMostTenThousandMillionTimes) {
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

TEST(Schedule, MayHaveManyTimesBeforeTheFirstEvent) {
  using tessera::program::check_progress;
  check_progress({1e-3, 0}, 99999, 0);
  check_progress({1e-3, 0}, 100000, 1.1e-5);
  EXPECT_THROW(check_progress({1e-3, 0}, 100000, 0.9e-5), tessera::RunError);
}

}  // namespace
