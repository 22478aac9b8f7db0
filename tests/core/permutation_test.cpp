// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <cstdint>
#include <tessera/core/streams.hpp>
#include <vector>

namespace tessera {
namespace {

TEST(Permutation, HasEachNumberOnceForAllSizes) {
  for (const std::uint64_t size : {1u, 2u, 3u, 4u, 5u, 16u, 17u, 1000u, 4096u, 65537u})
    for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
      std::vector<int> count(size);
      for (std::uint64_t i = 0; i < size; ++i) {
        const std::uint64_t image = permuted(i, size, seed);
        ASSERT_LT(image, size);
        ++count[image];
      }
      EXPECT_EQ(count, std::vector<int>(size, 1)) << size << ", seed " << seed;
    }
}

TEST(Permutation, DiffersForEachSeed) {
  constexpr std::uint64_t size = 1000;
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    std::uint64_t equal = 0;
    for (std::uint64_t i = 0; i < size; ++i) equal += permuted(i, size, seed) == permuted(i, size, seed + 1);
    EXPECT_LT(equal, 20u) << seed;  // one on average
  }
}

}  // namespace
}  // namespace tessera
