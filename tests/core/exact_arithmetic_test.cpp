// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <tessera/core/exact_arithmetic.hpp>

#include "tests/core/golden.hpp"

namespace tessera {
namespace {

TEST(PortableExp, IsAccurateToTwoUnitsInTheLastPlace) {
  double largest = 0;
  const auto check = [&](double x) {
    const double value = portable_exp(x);
    const double unit = std::nextafter(value, std::numeric_limits<double>::infinity()) - value;
    const auto error = static_cast<double>(std::abs(value - std::exp(static_cast<long double>(x)))) / unit;
    ASSERT_LE(error, 2) << x;
    largest = std::max(largest, error);
  };
  for (std::uint64_t i = 0; i < 200'000; ++i) check((static_cast<double>(hash(3, i) >> 11) * 0x1p-53 * 2 - 1) * 707.9);
  for (std::uint64_t i = 0; i < 200'000; ++i) check((static_cast<double>(hash(4, i) >> 11) * 0x1p-53 * 2 - 1) * 3);
  for (const double x : {-707.99, 708.99, 1e-300, -1e-300, 0x1p-53, -0x1p-54}) check(x);
  EXPECT_GT(largest, 0.5);
}

TEST(PortableExp, HasTheSameBitsOnAllBackends) {
  EXPECT_EQ(portable_exp(0), 1.0);
  EXPECT_EQ(golden_exp_checksum(), golden_exponentials);
}

}  // namespace
}  // namespace tessera
