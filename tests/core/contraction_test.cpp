// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
//
// Compiled for this machine, which may have fused multiply-add, with the flags that forbid to use it, as all that links
// with tessera::tessera is.
#include <gtest/gtest.h>

#include <cmath>
#include <tessera/core/exact_arithmetic.hpp>

#include "tests/core/golden.hpp"

namespace tessera {
namespace {

/// Factors, whose product is not a double, and a summand that makes its missing bits matter.
struct Operands {
  double a, b, c;
  explicit Operands(std::uint64_t i) {
    const auto between_1_and_2 = [&](std::uint64_t which) {
      return Kokkos::bit_cast<double>((std::uint64_t{1023} << 52) | (hash(5, i, Purpose{which}) >> 12));
    };
    a = between_1_and_2(0);
    b = between_1_and_2(1);
    c = -between_1_and_2(2) * (1 + static_cast<double>(i % 2));
  }
};

/// Rounded after the multiplication: what is stored in a volatile variable cannot be fused with what follows.
double rounded_twice(const Operands& o) {
  volatile double multiplied = o.a * o.b;
  return multiplied + o.c;
}

/// A product that nothing else uses: a compiler that may fuse it with the sum does.
[[gnu::noinline]] double as_compiled(const Operands& o) { return o.a * o.b + o.c; }

TEST(ExactArithmetic, ProductsAndSumsAreRoundedSeparately) {
  int told_apart = 0;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    const Operands o(i);
    const double expected = rounded_twice(o);
    ASSERT_EQ(as_compiled(o), expected);
    ASSERT_EQ(o.c + o.a * o.b, expected);
    ASSERT_EQ(o.c - -o.a * o.b, expected);
    told_apart += std::fma(o.a, o.b, o.c) != expected;
  }
  EXPECT_GT(told_apart, 50'000);
}

TEST(ExactArithmetic, VariatesAndExponentialsHaveTheSameBitsOnAllProcessors) {
  EXPECT_EQ(golden_checksum(), golden_exponential_variates);
  EXPECT_EQ(golden_exp_checksum(), golden_exponentials);
}

}  // namespace
}  // namespace tessera
