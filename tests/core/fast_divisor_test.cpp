// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tessera/core/fast_divisor.hpp>

namespace tessera {
namespace {

// Around multiples of the divisor, where a product that is off by little gives another quotient.
TEST(FastDivisor, EqualsIntegerDivision) {
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  for (std::int64_t divisor = 1; divisor <= most; divisor += divisor < 3000 ? 1 : divisor / 7) {
    const FastDivisor known(static_cast<int>(divisor));
    const std::int64_t step = std::max<std::int64_t>(most / divisor / 200, 1);
    for (std::int64_t quotient = 0; quotient <= most / divisor; quotient += step)
      for (const std::int64_t rest : {std::int64_t{0}, std::int64_t{1}, divisor - 1}) {
        const std::int64_t dividend = quotient * divisor + rest;
        if (dividend > most) continue;
        ASSERT_EQ(known.quotient(static_cast<int>(dividend)), dividend / divisor) << dividend << " / " << divisor;
      }
    ASSERT_EQ(known.quotient(static_cast<int>(most)), most / divisor) << divisor;
  }
}

}  // namespace
}  // namespace tessera
