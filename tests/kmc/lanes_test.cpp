// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <tessera/kmc/models.hpp>
#include <type_traits>

#include "tests/kmc/lanes.hpp"
#include "tests/kmc/own_models.hpp"
#include "tests/kmc/triangular_ising.hpp"

/// What a team of many lanes makes of a tile is what a team of one makes of it.
namespace tessera::kmc {
namespace {

/// What a test wants to have seen.
struct Seen {
  std::uint64_t events = 0;
  int runs = 0, runs_of_one = 0;
};

/// The steps of many lanes and of one; `apart`: see Lattice::tie(), 0 for the waiting times of the model.
template <Model M>
Seen expect_that_lanes_agree(const M& model, int tile, int halo, const TeamWay& way, double step, int steps,
                             double apart = 0) {
  SCOPED_TRACE(std::to_string(way.lanes) + " lanes, tile " + std::to_string(tile) + ", halo " + std::to_string(halo) +
               ", step " + std::to_string(step) + ", order " + std::to_string(static_cast<int>(way.order)));
  Lattice<M> many(model, tile, halo, way);
  Lattice<M, false> one(model, tile, halo, {});
  if (apart > 0) {
    many.tie(apart);
    one.tie(apart);
  }
  for (int i = 0; i < steps; ++i) {
    EXPECT_EQ(many.advance(step), one.advance(step)) << "step " << i;
    EXPECT_EQ(many.cells(), one.cells()) << "step " << i;
    if (::testing::Test::HasFailure()) break;
  }
  return {many.events, many.runs, one.runs};
}

INSTANTIATE_TEST_SUITE_P(Lanes, ManyLanes, ::testing::Values(32, 64, 128), ::testing::PrintToStringParamName());

TEST_P(ManyLanes, AdvanceATileOneByOneAsOneLaneDoes) {
  const TeamWay one_by_one{GetParam(), EventOrder::one_by_one};
  EXPECT_GT(expect_that_lanes_agree(SolidOnSolid(1), 8, 4, one_by_one, 2.0, 2).events, 50u);
  EXPECT_GT(expect_that_lanes_agree(Species(), 8, 3, one_by_one, 0.3, 1).events, 50u);
  EXPECT_GT(expect_that_lanes_agree(Hopping(0.5, 1), 8, 4, one_by_one, 1.0, 1).events, 50u);
}

TEST_P(ManyLanes, AdvanceATileSeveralAtOnceAsOneLaneDoes) {
  for (const EventOrder order : {EventOrder::local, EventOrder::in_parts}) {
    const TeamWay way{GetParam(), order};
    EXPECT_GT(expect_that_lanes_agree(SolidOnSolid(0), 16, 4, way, 0.2, 2).events, 300u);
    EXPECT_GT(expect_that_lanes_agree(SolidOnSolid(1), 8, 4, way, 2.0, 2).events, 50u);
    EXPECT_GT(expect_that_lanes_agree(Species(), 8, 3, way, 0.3, 2).events, 50u);
    EXPECT_GT(expect_that_lanes_agree(Hopping(0.5, 1), 16, 6, way, 0.3, 2).events, 200u);
    EXPECT_GT(expect_that_lanes_agree(Hopping(0.3, 0.5, 0.4, 0.7), 8, 3, way, 0.5, 2).events, 50u);
    EXPECT_GT(expect_that_lanes_agree(RandomPairs(), 16, 6, way, 0.1, 2).events, 100u);
    EXPECT_GT(expect_that_lanes_agree(RandomListed(1), 16, 10, way, 0.1, 2).events, 100u);
    EXPECT_GT(expect_that_lanes_agree(RandomListed(2), 16, 10, way, 0.1, 2).events, 100u);
    EXPECT_GT(expect_that_lanes_agree(TriangularIsing(0.25), 16, 4, way, 0.3, 2).events, 100u);
  }
}

// The windows reach over both ends of the lattice, where the order of the sites is not that of the window's cells.
TEST_P(ManyLanes, AdvanceEventsWithTheSameTimeInTheOrderOfOneLane) {
  for (const EventOrder order : orders())
    for (const double apart : {0.5, 0x1p-51}) {  // the second apart by less than a key
      const TeamWay way{GetParam(), order};
      EXPECT_GT(expect_that_lanes_agree(SolidOnSolid(1), 8, 4, way, 1.25, 1, apart).events, 50u);
      EXPECT_GT(expect_that_lanes_agree(Species(), 8, 3, way, 1.25, 1, apart).events, 50u);
      EXPECT_GT(expect_that_lanes_agree(Hopping(0.5, 1), 8, 4, way, 1.25, 1, apart).events, 50u);
      EXPECT_GT(expect_that_lanes_agree(RandomPairs(), 8, 6, way, 1.25, 1, apart).events, 50u);
      EXPECT_GT(expect_that_lanes_agree(RandomListed(), 16, 10, way, 1.25, 1, apart).events, 50u);
    }
}

// The keys of two cells are the same, and what is left of their times is not: if the first run has performed their
// events in the wrong order, the second ends a part with this key, and the third performs them in the other order. The
// cells are the tile's own: their order counts whether that in the halo does or not.
TEST_P(ManyLanes, OrderTwoEventsWithTheSameKeyInThreeRuns) {
  constexpr int x = 7, y = 9;
  constexpr std::uint64_t early = std::uint64_t{1} << 51, late = early + (1 << 20);
  constexpr int offsets[][2] = {{1, 0}, {0, 1}, {1, 1}, {2, 0}, {-1, 1}};
  for (const bool halo_counts : {true, false}) {
    int runs = 0;
    for (int i = 0; i < 10; ++i) {
      const auto [dx, dy] = offsets[i / 2];
      const bool first = i % 2 == 0;
      Lattice<SolidOnSolid> many(SolidOnSolid(0), 16, 4, {GetParam(), EventOrder::local, false, halo_counts});
      Lattice<SolidOnSolid, false> one(SolidOnSolid(0), 16, 4, {});
      many.advance(0.0625);
      one.advance(0.0625);
      many.runs = 0;
      const auto tie = [&](auto& lattice) {
        lattice.put(x, y, first ? early : late);
        lattice.put(x + dx, y + dy, first ? late : early);
        return lattice.advance(0.0625);
      };
      EXPECT_EQ(tie(many), tie(one)) << dx << ' ' << dy;
      EXPECT_EQ(many.cells(), one.cells()) << dx << ' ' << dy;
      EXPECT_LE(many.runs, 8) << dx << ' ' << dy;
      runs += many.runs;
    }
    EXPECT_GT(runs, 60) << halo_counts;
  }
}

TEST_P(ManyLanes, GiveUpAStepThatIsTooLongAsOneLaneDoes) {
  for (const EventOrder order : orders()) {
    Lattice<Species> many(Species(), 2, 2, {GetParam(), order});
    Lattice<Species, false> one(Species(), 2, 2, {});
    many.advance(1e5);
    one.advance(1e5);
    EXPECT_EQ(many.too_long, 6);
    EXPECT_EQ(one.too_long, 6);
  }
}

// Lanes may differ in what they have read: then one of them decides for all. A step that has been skipped is not
// accepted.
TEST_P(ManyLanes, SkipATileTogether) {
  const SolidOnSolid model(1);
  Lattice<SolidOnSolid, false> one(model, 8, 3, {});
  const auto skipped = one.cells(), reports_of_skipped = one.run_tiles(1, [](int) { return true; });
  one.accept();
  EXPECT_EQ(one.cells(), skipped);
  const auto reports_of_advanced = one.advance(1), advanced = one.cells();
  ASSERT_NE(skipped, advanced);
  const auto cells_after = [&](const std::function<bool(int)>& skip) {
    Lattice<SolidOnSolid> many(model, 8, 3, {GetParam()});
    const auto reports = many.run_tiles(1, skip);
    const bool is_advanced = reports == reports_of_advanced;
    EXPECT_TRUE(is_advanced || reports == reports_of_skipped);
    if (is_advanced) many.accept();
    EXPECT_EQ(many.cells(), is_advanced ? advanced : skipped);
    return many.cells();
  };
  EXPECT_EQ(cells_after([](int) { return true; }), skipped);
  EXPECT_EQ(cells_after([](int) { return false; }), advanced);
  for (int turn = 0; turn < 3; ++turn) {
    const auto cells = cells_after([&](int rank) { return rank % 3 == turn; });
    EXPECT_TRUE(cells == skipped || cells == advanced) << turn;
  }
}

// The tiles without events among them are copied to the other buffer once, and stand there until they have some.
TEST_P(ManyLanes, AdvanceStepsOfFewEventsAsOneLaneDoes) {
  EXPECT_GT(expect_that_lanes_agree(SolidOnSolid(0), 5, 3, {GetParam()}, 0.005, 20).events, 5u);
  EXPECT_GT(expect_that_lanes_agree(SolidOnSolid(1), 8, 2, {GetParam()}, 0.05, 20).events, 5u);
}

TEST_P(ManyLanes, AdvanceWindowsOfManySizesAsOneLaneDoes) {
  EXPECT_GT(expect_that_lanes_agree(SolidOnSolid(2), 16, 4, {GetParam()}, 12.0, 4).events, 50u);
  EXPECT_GT(expect_that_lanes_agree(SolidOnSolid(1), 8, 8, {GetParam()}, 2.0, 3).events, 50u);
  EXPECT_GT(expect_that_lanes_agree(SolidOnSolid(0), 5, 3, {GetParam()}, 0.5, 3).events, 50u);
  EXPECT_GT(expect_that_lanes_agree(Species(), 7, 2, {GetParam()}, 0.1, 3).events, 50u);
  EXPECT_GT(expect_that_lanes_agree(Hopping(0.5, 0), 7, 3, {GetParam()}, 0.3, 3).events, 50u);
  EXPECT_GT(expect_that_lanes_agree(Hopping(0.5, 2), 5, 8, {GetParam()}, 2.0, 3).events, 50u);
}

// Eight warps take long on a host: a little of what teams of fewer are tried with.
TEST(MostLanes, AdvanceATileAsOneLaneDoes) {
  constexpr int lanes = TeamLayout::most_lanes;
  EXPECT_GT(expect_that_lanes_agree(SolidOnSolid(0), 16, 4, {lanes, EventOrder::in_parts}, 0.2, 1).events, 100u);
  EXPECT_GT(expect_that_lanes_agree(RandomPairs(), 32, 8, {lanes}, 0.1, 1).events, 300u);
}

TEST(LanesOnThreads, AdvanceATileAsOneLaneDoes) {
  const TeamWay way{32, EventOrder::local, true};
  EXPECT_GT(expect_that_lanes_agree(SolidOnSolid(1), 8, 3, way, 1.0, 2).events, 20u);
}

/// Steps so long that chains of events overtake others in many tiles. In the first, from time 0 on, many times look
/// alike.
TEST_P(ManyLanes, AgreeWhereManyRedrawsAreOutOfOrder) {
  Seen seen;
  const auto add = [&](const Seen& more) {
    seen.events += more.events;
    seen.runs += more.runs;
    seen.runs_of_one += more.runs_of_one;
  };
  add(expect_that_lanes_agree(SolidOnSolid(1), 16, 6, {GetParam()}, 3.0, 2));
  add(expect_that_lanes_agree(SolidOnSolid(2), 16, 6, {GetParam()}, 60.0, 2));
  add(expect_that_lanes_agree(Species(), 16, 6, {GetParam()}, 1.0, 2));
  add(expect_that_lanes_agree(Hopping(0.5, 1), 16, 6, {GetParam()}, 2.0, 2));
  add(expect_that_lanes_agree(RandomPairs(), 16, 8, {GetParam()}, 0.3, 2));
  EXPECT_GT(seen.events, 1000u);
  EXPECT_GT(seen.runs, 5 * seen.runs_of_one / 4);
}

// Cells that fire in one round affect no cell in common, also where events reach three cells: otherwise most of these
// steps would have to be repeated.
TEST_P(ManyLanes, RarelyRepeatAStepWhereEventsReachFar) {
  const Seen seen = expect_that_lanes_agree(RandomPairs(), 16, 6, {GetParam()}, 0.1, 4);
  EXPECT_GT(seen.events, 500u);
  EXPECT_LT(seen.runs, 4 * seen.runs_of_one / 3);
}

// The order of events in the halo may be left to the comparison of tiles: a tile then has seen something else happen in
// the ring around it, or is as it should be.
TEST_P(ManyLanes, AgreeWhereTheRingDoesWhateverTheOrderInTheHalo) {
  int runs = 0, runs_if_halo_counts = 0, agree = 0;
  const auto add = [&](const auto& model, double step, std::uint64_t seed) {
    using M = std::remove_cvref_t<decltype(model)>;
    Lattice<M> many(model, 16, 6, {GetParam(), EventOrder::local, false, false}, seed),
        strict(model, 16, 6, {GetParam()}, seed);
    Lattice<M, false> one(model, 16, 6, {}, seed);
    const auto advanced = many.advance(step), expected = one.advance(step);
    EXPECT_EQ(strict.advance(step), expected);
    runs += many.runs;
    runs_if_halo_counts += strict.runs;
    constexpr std::ptrdiff_t ring = sides<M>, own_end = 2 * sides<M>;
    const std::ptrdiff_t length = own_end + 4 + groups_of(model);
    ASSERT_EQ(advanced.size(), expected.size());
    ASSERT_EQ(advanced.size(), static_cast<std::size_t>(6 * length));
    for (int tile = 0; tile < 6; ++tile) {
      const auto its = advanced.begin() + tile * length, wanted = expected.begin() + tile * length;
      if (!std::equal(its + ring, its + own_end, wanted + ring)) continue;
      ++agree;
      EXPECT_TRUE(std::equal(its, its + length, wanted)) << "tile " << tile << ", seed " << seed;
      EXPECT_EQ(many.cells_of(tile), one.cells_of(tile)) << "tile " << tile << ", seed " << seed;
    }
  };
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    add(SolidOnSolid(1), 3.0, seed);
    add(Species(), 1.0, seed);
    add(Hopping(0.5, 1), 1.5, seed);
  }
  EXPECT_LT(runs, runs_if_halo_counts);
  EXPECT_GT(agree, 12);
}

}  // namespace
}  // namespace tessera::kmc
