// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <cmath>
#include <tessera/disks/kernels/tile_update.hpp>
#include <tessera/disks/steps/metropolis.hpp>

namespace tessera::disks {
namespace {

/// Whether disk number `own` of an active cell, moved to `to`, overlaps one at the origin: disk number `other` of the
/// cell if that is not negative, else number -1 - other of those near.
bool overlaps_at(const Position& to, int own, int other) {
  LaneCell<1> cell(0, most_in_a_cell);
  for (auto& disk : cell.near_disks) disk.put(nowhere.x, nowhere.y);
  for (auto& disk : cell.own_disks) disk.put(nowhere.x, nowhere.y);
  (other < 0 ? cell.near_disks[-1 - other] : cell.own_disks[other]).put(0, 0);
  return !has_room(cell, own, to.x, to.y, true);
}

// On the circle of radius sigma: the last step inside overlaps, the first one outside does not, in all directions.
TEST(Overlap, IsDecidedExactlyAtContact) {
  Xoshiro random(1);
  constexpr std::int64_t square = std::int64_t{1} << 44;
  int float_is_wrong = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto x = static_cast<std::int64_t>(random.below(1u << 22));
    auto y = static_cast<std::int64_t>(std::sqrt(static_cast<double>(square - x * x)));
    while (x * x + y * y >= square) --y;
    while (x * x + (y + 1) * (y + 1) < square) ++y;
    for (const int sign : {-1, 1}) {
      const Position inside{static_cast<float>(sign * x) * step, static_cast<float>(y) * step};
      const Position outside{inside.x, static_cast<float>(y + 1) * step};
      const int own = i % most_in_a_cell, place = i % (9 * most_in_a_cell - 1) - 8 * most_in_a_cell;
      const int other = place < own ? place : place + 1;
      ASSERT_TRUE(overlaps_at(inside, own, other)) << x << ", " << y;
      ASSERT_FALSE(overlaps_at(outside, own, other)) << x << ", " << y + 1;
      float_is_wrong += about_square(inside.x, inside.y) >= 1 || about_square(outside.x, outside.y) < 1;
    }
  }
  EXPECT_GT(float_is_wrong, 100);  // the exact test is needed
  EXPECT_FALSE(overlaps_at({1, 0}, 0, -1));
  EXPECT_TRUE(overlaps_at({0.5f, 0.5f}, 3, 1));
  EXPECT_FALSE(overlaps_at({0.5f, 0.5f}, 3, 3));  // itself
  EXPECT_FALSE(overlaps_at({1.3f, 1}, 0, -1));
}

// -v is as likely as v: every draw has a mirror image among the draws, and lengths fill the circle.
TEST(Displacement, IsUniformInTheCircleAndOnTheGrid) {
  Stream stream(12345);
  constexpr float radius = 0.16f;
  double x = 0, squares = 0;
  constexpr int draws = 200'000;
  SquarePoint points[points_of_a_group];
  for (int i = 0; i < draws; ++i) {
    if (i % moves_of_a_group == 0)
      find_points(stream, moves_of_a_group, [&](int k, const SquarePoint& point) { points[k] = point; });
    const Position v = points[i % moves_of_a_group].displacement(radius);
    ASSERT_EQ(v.x * 4194304.0f, std::round(v.x * 4194304.0f));
    ASSERT_EQ(v.y * 4194304.0f, std::round(v.y * 4194304.0f));
    ASSERT_LE(std::hypot(double{v.x}, double{v.y}), 0.16 * (1 + 1e-6));
    x += double{v.x} / draws;
    squares += (double{v.x} * v.x + double{v.y} * v.y) / draws;
  }
  // The mean of r^2 is radius^2 / 2; five standard errors each.
  EXPECT_NEAR(x, 0, 5 * 0.08 / std::sqrt(draws));
  EXPECT_NEAR(squares, 0.16 * 0.16 / 2, 5 * 0.16 * 0.16 / std::sqrt(12.0 * draws));
}

// Cells fit boxes of all sides that they can.
TEST(FitCells, HaveAllowedWidths) {
  for (double side = 2; side < 40; side += 0.0137) {
    const auto g = fit_cells(side, 2 * side, 1);
    const bool gap = (side > 2.8284 && side < 4) || (side > 5.6568 && side < 6);
    const bool gap_twice = (2 * side > 2.8284 && 2 * side < 4) || (2 * side > 5.6568 && 2 * side < 6);
    ASSERT_EQ(g.has_value(), !gap && !gap_twice) << side;
    if (!g) continue;
    EXPECT_EQ(g->columns % 2 + g->rows % 2, 0);
    EXPECT_GE(g->width, narrowest_cell);
    EXPECT_LE(g->width, widest_cell);
    EXPECT_LT(std::int64_t{g->width} * g->width, std::int64_t{2} << 44);
    EXPECT_NEAR(g->box_x() / side, 1, 3e-5);
    EXPECT_NEAR(g->box_x() * g->box_y() / (2 * side * side), 1, 2e-7) << side;
  }
}

}  // namespace
}  // namespace tessera::disks
