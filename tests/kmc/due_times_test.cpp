// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <tessera/kmc/kernels/due_times.hpp>
#include <utility>

namespace tessera::kmc {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const std::pair<double, double> spans[] = {{0, 1e300}, {0, 1e-300},      {0, 5e-324}, {0.3, 0.4},
                                           {1, 2},     {1, 1 + 0x1p-52}, {100, 101},  {1e15, 1e15 + 64}};

double some_time(double begin, double end, std::mt19937_64& random) {
  const auto first = Kokkos::bit_cast<std::uint64_t>(begin), past = Kokkos::bit_cast<std::uint64_t>(end);
  return Kokkos::bit_cast<double>(first + random() % (past - first));
}

TEST(DueTimes, AreSplitAndJoinedExactly) {
  std::mt19937_64 random(1);
  for (const auto& [begin, end] : spans) {
    const DueTimes due(begin, end);
    for (int i = 0; i < 1000; ++i) {
      const double time = some_time(begin, end, random), other = some_time(begin, end, random);
      ASSERT_LE(due.key(time), DueTimes::last);
      const std::uint64_t packed = due.packed(due.rest(time), due.stamp(other));
      ASSERT_EQ(due.time(due.key(time), due.rest_of(packed)), time) << begin;
      ASSERT_EQ(due.stamp_of(packed), due.stamp(other)) << begin;
    }
    EXPECT_LE(due.key(std::nextafter(end, begin)), DueTimes::last);
  }
}

TEST(DueTimes, KeysAndStampsAreInTheOrderOfTheirTimes) {
  std::mt19937_64 random(2);
  for (const auto& [begin, end] : spans) {
    const DueTimes due(begin, end);
    for (int i = 0; i < 1000; ++i) {
      const double one = some_time(begin, end, random), other = some_time(begin, end, random);
      const double early = std::min(one, other), late = std::max(one, other);
      ASSERT_LE(due.key(early), due.key(late)) << begin;
      ASSERT_LE(due.stamp(early), due.stamp(late)) << begin;
      ASSERT_TRUE(due.stamp(early) < due.stamp(late) || due.key(early) == due.key(late)) << begin;
    }
  }
}

TEST(DueTimes, AStampIsTheWholeTimeWhereAStepIsShort) {
  const DueTimes due(100, 100 + 0x1p-6);  // 2^40 times
  EXPECT_NE(due.stamp(100), due.stamp(std::nextafter(100, infinity)));
  EXPECT_EQ(due.key(100), due.key(std::nextafter(100, infinity)));
}

}  // namespace
}  // namespace tessera::kmc
