// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <tessera/parallel/rank_grid.hpp>

namespace tessera::parallel {
namespace {

TEST(Blocks, DivideAllUnitsInOrderAndAlmostEvenly) {
  for (std::int64_t units = 0; units <= 30; ++units)
    for (std::int64_t parts = 1; parts <= 9; ++parts) {
      std::int64_t next = 0;
      for (std::int64_t part = 0; part < parts; ++part) {
        const Block b = block(units, parts, part);
        EXPECT_EQ(b.first, next);
        EXPECT_GE(b.size(), units / parts);
        EXPECT_LE(b.size(), (units + parts - 1) / parts);
        for (std::int64_t unit = b.first; unit < b.last; ++unit) EXPECT_EQ(part_of(units, parts, unit), part);
        next = b.last;
      }
      EXPECT_EQ(next, units);
    }
}

TEST(Blocks, DoNotOverflowForLargeSystems) {
  constexpr std::int64_t units = std::int64_t{1} << 60, parts = 100'000;
  EXPECT_EQ(block(units, parts, parts - 1).last, units);
  EXPECT_EQ(part_of(units, parts, units - 1), parts - 1);
}

}  // namespace
}  // namespace tessera::parallel
