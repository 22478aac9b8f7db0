// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <tessera/core/exponential_variate.hpp>
#include <vector>

#include "tests/core/golden.hpp"
#include "tests/execution_spaces.hpp"

namespace tessera {
namespace {

/// u = (random | 1) / 2^64 with its significand cut to 53 bits.
long double uniform(std::uint64_t random) {
  random |= 1;
  const int excess = 11 - std::countl_zero(random);
  if (excess > 0) random &= ~((std::uint64_t{1} << excess) - 1);
  return std::ldexp(static_cast<long double>(random), -64);
}

long double exact(std::uint64_t random) { return -std::log(uniform(random)); }

/// Powers of two and their neighbours, both ends, and many hashes with every number of leading zeros.
std::vector<std::uint64_t> bit_patterns() {
  std::vector<std::uint64_t> patterns{0, 1, 2, 3, ~std::uint64_t{0}, ~std::uint64_t{1}};
  for (int bit = 2; bit < 64; ++bit)
    for (int offset = -2; offset <= 2; ++offset)
      patterns.push_back((std::uint64_t{1} << bit) + static_cast<std::uint64_t>(offset));
  for (int bit = 1; bit < 64; ++bit) patterns.push_back(~std::uint64_t{0} << bit);
  // The borders of the 64 intervals of the table, for several numbers of leading zeros.
  for (std::uint64_t interval = 0; interval < 64; ++interval)
    for (const int shift : {0, 1, 2, 7, 30})
      for (int offset = -1; offset <= 1; ++offset)
        patterns.push_back((((64 + interval) << 57) >> shift) + (static_cast<std::uint64_t>(offset) << 11));
  for (std::uint64_t i = 0; i < 400'000; ++i) patterns.push_back(golden_input(i));
  return patterns;
}

TEST(ExponentialVariate, IsTheLogarithmToTwoUnitsInTheLastPlace) {
  double largest = 0;
  for (const std::uint64_t random : bit_patterns()) {
    const double value = exponential_variate(random);
    const auto error = static_cast<double>(std::abs(value - exact(random)));
    const double bound = 4e-16 + 2 * (std::nextafter(value, 100.0) - value);  // 4e-16 where terms cancel
    ASSERT_LE(error, bound) << random;
    largest = std::max(largest, error / bound);
  }
  EXPECT_GT(largest, 0.4);  // the bound is not idle
}

TEST(ExponentialVariate, IsPositiveAndAccurateForUniformNumbersNearOne) {
  for (const std::uint64_t random : bit_patterns()) ASSERT_GT(exponential_variate(random), 0) << random;
  for (int bit = 1; bit < 57; ++bit) {
    for (std::uint64_t i = 0; i < 1000; ++i) {
      const std::uint64_t random = ~(hash(2, i) >> (64 - bit));  // 1 - u = 2^(bit - 64) at most
      const double value = exponential_variate(random);
      ASSERT_GT(value, 0);
      ASSERT_NEAR(static_cast<double>(value / exact(random)), 1, 5e-16) << random;
    }
  }
  EXPECT_EQ(exponential_variate(~std::uint64_t{0}), 0x1p-53);
  EXPECT_EQ(exponential_variate(0), exponential_variate(1));
  EXPECT_NEAR(exponential_variate(0), 64 * std::log(2.0), 1e-14);
}

TEST(ExponentialVariate, DecreasesWithTheRandomBits) {
  for (const std::uint64_t step : {std::uint64_t{1} << 16, std::uint64_t{1} << 30, std::uint64_t{1} << 44}) {
    for (std::uint64_t start = 0; start < 64; ++start) {
      std::uint64_t random = start << 58;
      for (int i = 0; i < 2000 && random <= ~std::uint64_t{0} - step; ++i, random += step)
        ASSERT_GT(exponential_variate(random), exponential_variate(random + step)) << random << " + " << step;
    }
  }
}

TEST(ExponentialVariate, HasMeanAndVarianceOne) {
  double total = 0, squares = 0;
  constexpr int count = 1'000'000;
  for (std::uint64_t i = 0; i < count; ++i) {
    const double value = exponential_variate(hash(7, i));
    total += value;
    squares += value * value;
  }
  // Standard errors are 1/sqrt(n) and sqrt(20/n): six of them.
  EXPECT_NEAR(total / count, 1, 6e-3);
  EXPECT_NEAR(squares / count, 2, 6 * std::sqrt(20.0 / count));
}

template <class Space>
class ExponentialVariateOn : public ::testing::Test {};
TYPED_TEST_SUITE(ExponentialVariateOn, testing::ExecutionSpaces, testing::ExecutionSpaceNames);

template <class Space>
std::uint64_t checksum_on(const Space& space) {
  std::uint64_t checksum = 0;
  Kokkos::parallel_reduce(
      "tessera::test::exponential_variates",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>(space, 0, golden_inputs),
      KOKKOS_LAMBDA(std::uint64_t i, std::uint64_t & partial) { partial += golden_term(i); }, checksum);
  return checksum;
}

TYPED_TEST(ExponentialVariateOn, HasTheSameBitsOnAllBackends) {
  EXPECT_EQ(checksum_on(TypeParam()), golden_exponential_variates);
  EXPECT_EQ(golden_checksum(), golden_exponential_variates);
}

}  // namespace
}  // namespace tessera
