// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstdint>
#include <tessera/analysis/effective_exponents.hpp>
#include <tessera/analysis/moments.hpp>
#include <tessera/core/streams.hpp>
#include <tessera/kpz/word.hpp>
#include <vector>

#include "tests/execution_spaces.hpp"

namespace tessera::testing {
namespace {

/// What the functions that have bodies of their own on devices make of many words, in one number for each.
KOKKOS_FUNCTION std::uint64_t digest(std::uint64_t i) {
  const std::uint64_t random = hash(7, i);
  const auto a = static_cast<std::uint32_t>(random), b = static_cast<std::uint32_t>(random >> 32);
  const auto count = static_cast<std::uint32_t>(i);
  std::uint64_t result = 0;
  for (const std::uint32_t part : {shifted_right(a, count), shifted_left(a, count), low_halves(a, b), high_halves(a, b),
                                   static_cast<std::uint32_t>(Kokkos::Experimental::popcount_builtin(a))})
    result = mix(result ^ part);
  return result;
}

/// The same from their definitions.
std::uint64_t expected_digest(std::uint64_t i) {
  const std::uint64_t random = hash(7, i);
  const std::uint64_t a = random & 0xffffffff, b = random >> 32, count = i % 32;
  int bits = 0;
  for (int k = 0; k < 32; ++k) bits += a >> k & 1;
  std::uint64_t result = 0;
  for (const std::uint64_t part : {a >> count, a << count & 0xffffffff, a % 65536 + b % 65536 * 65536,
                                   a / 65536 + b / 65536 * 65536, static_cast<std::uint64_t>(bits)})
    result = mix(result ^ part);
  return result;
}

template <class Space>
std::vector<std::uint64_t> digests(int count) {
  const Kokkos::View<std::uint64_t*, typename Space::memory_space> there("digests", static_cast<std::size_t>(count));
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space>(0, count), KOKKOS_LAMBDA(int i) { there(i) = digest(static_cast<std::uint64_t>(i)); });
  const auto here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), there);
  return {here.data(), here.data() + count};
}

template <class Space>
class WordBits : public ::testing::Test {};
TYPED_TEST_SUITE(WordBits, ExecutionSpaces, ExecutionSpaceNames);

TYPED_TEST(WordBits, AreTheSameOnEverySpace) {
  const auto found = digests<TypeParam>(4096);
  for (std::size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], expected_digest(i)) << i;
}

/// A slope of a field of 8 x 8 sites, as bits that depend on the site.
std::uint32_t field(int x, int y, bool in_y) {
  return static_cast<std::uint32_t>(hash(in_y ? 1 : 0, static_cast<std::uint64_t>(8 * y + x)) >> 63);
}
std::uint32_t word_at(int corner_x, int corner_y) {
  std::uint32_t word = 0;
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x) {
      word |= field(corner_x + x, corner_y + y, false) << (4 * x + y);
      word |= field(corner_x + x, corner_y + y, true) << (16 + 4 * y + x);
    }
  return word;
}

TEST(Word, ShiftedHoldsTheSitesBetweenTwoWords) {
  for (int shift = 0; shift < 4; ++shift) {
    EXPECT_EQ(kpz::shifted_in_x(word_at(0, 0), word_at(4, 0), shift), word_at(shift, 0)) << shift;
    EXPECT_EQ(kpz::shifted_in_y(word_at(0, 0), word_at(0, 4), shift), word_at(0, shift)) << shift;
  }
}

TEST(Word, KnowsTheSlopesAndFlipsOfASite) {
  const std::uint32_t word = word_at(0, 0), right = word_at(4, 0), above = word_at(0, 4);
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x) {
      const kpz::Slopes slopes = kpz::slopes_at(kpz::place(x, y), word, right, above);
      EXPECT_EQ(slopes.x & 0x11, field(x, y, false) | field(x + 1, y, false) << 4);
      EXPECT_EQ(slopes.y & 0x11, field(x, y, true) | field(x, y + 1, true) << 4);
      const kpz::Flips flips = kpz::flips_at(kpz::place(x, y));
      const kpz::Slopes flipped =
          kpz::slopes_at(kpz::place(x, y), word ^ flips.word, right ^ flips.right, above ^ flips.above);
      EXPECT_EQ((slopes.x ^ flipped.x) & 0x11, 0x11u);
      EXPECT_EQ((slopes.y ^ flipped.y) & 0x11, 0x11u);
      EXPECT_EQ(Kokkos::Experimental::popcount_builtin(flips.word) +
                    Kokkos::Experimental::popcount_builtin(flips.right) +
                    Kokkos::Experimental::popcount_builtin(flips.above),
                4);
    }
}

TEST(Moments, AreExactFarFromZero) {
  // The integers -1, 0, 0, 4 around a large number: variance 3.6875, by hand.
  for (const std::int64_t far : {std::int64_t{0}, std::int64_t{-5}, std::int64_t{8000}, std::int64_t{-8000}}) {
    analysis::PowerSums sums;
    for (const std::int64_t d : {-1, 0, 0, 4}) {
      const analysis::Wide v = far + d;
      sums.count += 1;
      sums.first += v;
      sums.second += v * v;
      sums.third += v * v * v;
      sums.fourth += v * v * v * v;
    }
    const analysis::Moments m = analysis::moments(sums);
    EXPECT_EQ(m.mean, static_cast<double>(far) + 0.75);
    EXPECT_EQ(m.variance, 3.6875);
    const double third = (-1.75 * 1.75 * 1.75 - 2 * 0.75 * 0.75 * 0.75 + 3.25 * 3.25 * 3.25) / 4;
    const double fourth = (std::pow(1.75, 4) + 2 * std::pow(0.75, 4) + std::pow(3.25, 4)) / 4;
    EXPECT_DOUBLE_EQ(m.third, third);
    EXPECT_DOUBLE_EQ(m.fourth, fourth);
  }
}

TEST(EffectiveExponent, OfAPowerLawIsItsExponentWithPropagatedErrors) {
  const auto e = analysis::effective_exponent(2, analysis::Estimate{3, 0.3}, 8, analysis::Estimate{12, 0.6});
  EXPECT_DOUBLE_EQ(e.value, 1);
  EXPECT_DOUBLE_EQ(e.error, std::hypot(0.1, 0.05) / std::log(4));
  // Runs whose deviations are the same at both times: no error is left.
  const auto same = analysis::effective_exponent(2, std::vector<double>{0.9, 1.1}, 4, std::vector<double>{1.8, 2.2});
  EXPECT_DOUBLE_EQ(same.value, 1);
  EXPECT_NEAR(same.error, 0, 1e-15);
}

}  // namespace
}  // namespace tessera::testing
