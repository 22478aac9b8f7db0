// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <tessera/core/error.hpp>
#include <tessera/parallel/rank_grid.hpp>

#include "tests/complaint.hpp"
#include "tests/matchers.hpp"

namespace tessera::parallel {
namespace {

TEST(TheChosenGrid, HasTheShortestBorders) {
  const UnitLattice square{64, 64, 1, "tiles"};
  EXPECT_EQ(choose_grid(square, 1), (GridShape{1, 1}));
  EXPECT_EQ(choose_grid(square, 2), (GridShape{1, 2}));
  EXPECT_EQ(choose_grid(square, 3), (GridShape{1, 3}));
  EXPECT_EQ(choose_grid(square, 8), (GridShape{2, 4}));
  EXPECT_EQ(choose_grid(square, 16), (GridShape{4, 4}));
  EXPECT_EQ(choose_grid({256, 4, 1, "tiles"}, 4), (GridShape{4, 1}));
  EXPECT_EQ(choose_grid({4, 256, 1, "tiles"}, 4), (GridShape{1, 4}));
}

TEST(TheChosenGrid, HasBlocksOfAtLeastTheSmallestSides) {
  EXPECT_EQ(choose_grid({8, 8, 4, "tiles"}, 4), (GridShape{2, 2}));
  EXPECT_EQ(choose_grid({8, 8, 9, "tiles"}, 1), (GridShape{1, 1})) << "a direction that is not cut may be short";
  EXPECT_EQ(choose_grid({7, 8, 4, "tiles"}, 2), (GridShape{1, 2}));
}

TEST(TooManyRanks, AreRefusedWithAPossibleNumber) {
  const auto of = [](const UnitLattice& units, int ranks) {
    return complaint([&] { static_cast<void>(choose_grid(units, ranks)); });
  };
  EXPECT_EQ(of({8, 8, 2, "tiles"}, 7),
            "this lattice cannot be divided among 7 ranks; use 6, 4, 3 or 2 ranks or a larger lattice");
  EXPECT_EQ(of({2, 2, 1, "domains", "lattice", ", a larger --size or a smaller --domain"}, 3),
            "this lattice cannot be divided among 3 ranks; use 2 or 1 ranks, a larger --size or a smaller --domain");
  EXPECT_EQ(of({1, 1, 1, "cells", "box", " or more --particles"}, 2),
            "this box cannot be divided among 2 ranks; use 1 rank or more --particles");
}

TEST(AGivenGrid, MustFit) {
  const UnitLattice units{8, 8, 2, "tiles"};
  EXPECT_EQ(complaint([&] { check_grid(units, {4, 2}, 8); }), "");
  EXPECT_THAT(complaint([&] { check_grid(units, {4, 2}, 6); }), HasSubstr("--rank-grid 4,2: is a grid of 8 ranks"));
  EXPECT_THAT(complaint([&] {
                check_grid(units, {8, 1}, 8);
              }),
              HasSubstr("divides 8 x 8 tiles into blocks with fewer than 2"));
  EXPECT_THAT(complaint([&] { check_grid(units, {0, 1}, 8); }), HasSubstr("two positive whole numbers"));
}

TEST(ARankGrid, IsPeriodic) {
  const RankGrid alone;
  for (const int d : {-2, -1, 0, 1, 2}) EXPECT_EQ(alone.neighbour(d, -d), 0);
  const RankGrid row(Communicator(), {3, 2});
  EXPECT_EQ(row.x(), 0);
  EXPECT_EQ(row.y(), 0);
  EXPECT_EQ(row.neighbour(1, 0), 1);
  EXPECT_EQ(row.neighbour(-1, 0), 2);
  EXPECT_EQ(row.neighbour(0, 1), 3);
  EXPECT_EQ(row.neighbour(0, -1), 3);
  EXPECT_EQ(row.neighbour(-1, -1), 5);
  EXPECT_EQ(row.neighbour(-4, 3), 5);
}

TEST(ARankGrid, DividesTheUnits) {
  const UnitLattice units{7, 5, 1, "tiles"};
  const RankGrid grid(Communicator(), {3, 2});
  std::int64_t all = 0;
  for (int rank = 0; rank < 6; ++rank) all += grid.columns(units, rank).size() * grid.rows(units, rank).size();
  EXPECT_EQ(all, 35);
  EXPECT_EQ(grid.columns(units, 4), (Block{3, 5}));
  EXPECT_EQ(grid.rows(units, 4), (Block{3, 5}));
}

}  // namespace
}  // namespace tessera::parallel
