// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstdint>
#include <tessera/analysis/estimate.hpp>
#include <tessera/analysis/moments.hpp>
#include <tessera/core/kokkos_ext/word_bits.hpp>
#include <tessera/core/streams.hpp>
#include <tessera/kpz/kernels/block_layer.hpp>
#include <tessera/kpz/state/rates.hpp>
#include <tessera/kpz/state/word.hpp>
#include <utility>
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
  for (const std::uint32_t part :
       {funnel_right(a, b, count), rotated_right(a, count), shifted_left(a, count), add_halves_times(a, 17, 4, b),
        static_cast<std::uint32_t>(Kokkos::Experimental::popcount_builtin(a)), add_if_any(a, b & 1u)})
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
  for (const std::uint64_t part :
       {random >> count & 0xffffffff, (a >> count | a << (32 - count)) & 0xffffffff, a << count & 0xffffffff,
        (a % 65536 * 17 + a / 65536 * 4 + b) & 0xffffffff, static_cast<std::uint64_t>(bits), (a + b % 2) & 0xffffffff})
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

TYPED_TEST(WordBits, AreTheSameOnAllBackends) {
  const auto found = digests<TypeParam>(4096);
  for (std::size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], expected_digest(i)) << i;
}

/// Bits from their definition: of all heights of a site and its neighbours, wherever it is.
TEST(Word, DeterminesWhichNeighboursAreHigher) {
  const auto bit = [](int height, int x, int y) { return (height - x - y) % 4 != 0 ? 1u : 0u; };
  for (int x = 0; x < 4; ++x)
    for (int y = 0; y < 4; ++y)
      for (int h = (x + y) % 2; h < 8; h += 2)
        for (int higher = 0; higher < 16; ++higher) {
          const auto neighbour = [&](int number, int to_x, int to_y) {
            return bit(h + ((higher >> number & 1) != 0 ? 1 : -1), x + to_x, y + to_y);
          };
          const kpz::Neighbourhood near{bit(h, x, y), neighbour(0, 1, 0), neighbour(1, 0, 1), neighbour(2, -1, 0),
                                        neighbour(3, 0, -1)};
          EXPECT_EQ(near.open_to_deposition() & 1u, higher == 15 ? 1u : 0u);
          EXPECT_EQ(near.open_to_removal() & 1u, higher == 0 ? 1u : 0u);
          EXPECT_EQ(kpz::rises(near.centre, near.right) & 1u, higher & 1u);
          EXPECT_EQ(kpz::rises(near.centre, near.up) & 1u, higher >> 1 & 1u);
          EXPECT_EQ(kpz::rises(near.left, near.centre) & 1u, ~higher >> 2 & 1u);
          EXPECT_EQ(kpz::rises(near.down, near.centre) & 1u, ~higher >> 3 & 1u);
        }
}

TEST(Word, OfAFlatSurfaceHasAlternatingSlopes) {
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 32; ++x)
      EXPECT_EQ(kpz::flat_word(y) >> x & 1u, ((x + y) % 2 - x - y) % 4 != 0 ? 1u : 0u) << x << " " << y;
}

/// Upside down, and where a site's x + y is even one layer higher than where it is odd before and after.
TEST(Word, InvertedAtOddSitesIsUpsideDown) {
  for (int first = 0; first < 2; ++first)
    for (int x = 0; x < 32; ++x) EXPECT_EQ(kpz::odd_sites(first) >> x & 1u, static_cast<unsigned>(first + x) % 2);
  for (unsigned bits = 0; bits < 32; ++bits) {
    const auto part = [&](int number) { return bits >> number & 1u; };
    const kpz::Neighbourhood near{part(0), part(1), part(2), part(3), part(4)},
        even{part(0), part(1) ^ 1u, part(2) ^ 1u, part(3) ^ 1u, part(4) ^ 1u};
    EXPECT_EQ(near.open_to_removal() & 1u, even.open_to_deposition() & 1u);
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

TEST(EffectiveExponent, OfAPowerLawIsExactWithPropagatedErrors) {
  const auto e = analysis::effective_exponent(2, analysis::Estimate{3, 0.3}, 8, analysis::Estimate{12, 0.6});
  EXPECT_DOUBLE_EQ(e.value, 1);
  EXPECT_DOUBLE_EQ(e.error, std::hypot(0.1, 0.05) / std::log(4));
  // Runs whose deviations are the same at both times: no error is left.
  const auto same = analysis::effective_exponent(2, std::vector<double>{0.9, 1.1}, 4, std::vector<double>{1.8, 2.2});
  EXPECT_DOUBLE_EQ(same.value, 1);
  EXPECT_NEAR(same.error, 0, 1e-15);
}

TEST(Rates, AllowRandomNumbersBelowTheThreshold) {
  for (const std::uint64_t threshold : {0ull, 1ull, 0x80000000ull, 0xffffffffull, 0x100000000ull})
    for (const std::uint64_t bits : {0ull, 1ull, 0x7fffffffull, 0x80000000ull, 0xfffffffeull, 0xffffffffull})
      EXPECT_EQ(kpz::Chance(threshold).allows(static_cast<std::uint32_t>(bits)), bits < threshold)
          << bits << " of " << threshold;
}

TEST(Sides, OfACellAreRightAndUpperWithoutTheCorner) {
  for (const auto& [width, height] : {std::pair{8, 8}, {16, 4}, {256, 128}})
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        ASSERT_EQ(kpz::is_on_side(kpz::packed_site(x, y), kpz::packed_site(width - 1, height - 1)),
                  (x == width - 1) != (y == height - 1));
}

}  // namespace
}  // namespace tessera::testing
