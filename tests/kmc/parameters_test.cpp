// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <tessera/kmc/models.hpp>
#include <tessera/kmc/parameters.hpp>
#include <tessera/kmc/state/concerned.hpp>
#include <tessera/kmc/state/tile_sizes.hpp>
#include <tessera/kmc/steps/step_state.hpp>
#include <utility>
#include <vector>

#include "tests/complaint.hpp"

namespace tessera::kmc {
namespace {

constexpr EventReach of_sos = event_reach<SolidOnSolid>, of_kawasaki = event_reach<Kawasaki>;
constexpr int largest = std::numeric_limits<int>::max(), smallest = std::numeric_limits<int>::min();

/// What validate() says for a host and a GPU about a model; empty: nothing.
std::string said_about(const Parameters& p, const EventReach& reach = of_sos) {
  std::string said;
  for (const int lanes : {1, 32})
    if (said = complaint([&] { validate(p, lanes, reach, false); }); said.empty()) break;
  return said;
}

void expect_refused(const Parameters& p, const std::string& key, const EventReach& reach = of_sos) {
  const std::string said = said_about(p, reach);
  EXPECT_TRUE(said.starts_with("--" + key + " ")) << key << ": '" << said << "'";
}

TEST(Parameters, WholeNumbersOutOfBoundsAreRefusedWhateverTheyAre) {
  for (const int value : {largest, largest - 1, largest - 7, largest / 2, largest / 4, 1 << 20, -1, smallest}) {
    Parameters p;
    p.tile = value;
    expect_refused(p, "tile");
    p = {};
    p.halo = value;
    expect_refused(p, "halo");
    p = {};
    p.repair_halo = value;
    expect_refused(p, "repair-halo");
    p = {};
    p.repair_rounds = value;
    expect_refused(p, "repair-rounds");
    p = {};
    p.replicas = value;
    expect_refused(p, "replicas");
    p = {};
    p.nx = p.ny = value;
    expect_refused(p, "size");
    p.ny = 256;
    if (value != 1 << 20) expect_refused(p, "size");
  }
}

TEST(Parameters, HalosAndTilesThatDoNotFitAreRefused) {
  for (const int halo : {200, 500, 1000}) {
    Parameters p;
    p.halo = halo;
    expect_refused(p, "halo");
  }
  Parameters p;
  p.nx = p.ny = p.tile = 1024;
  expect_refused(p, "tile");
  p = {};
  p.nx = p.ny = 1 << 15;
  p.tile = 2;
  p.replicas = 8;
  expect_refused(p, "tile");  // 2^31 of them
  p.tile = 0;
  EXPECT_EQ(said_about(p), "");
  p.replicas = 2000;
  expect_refused(p, "replicas");
}

TEST(Parameters, SizesThatAreNarrowerThanEventsReachAreRefused) {
  Parameters p;
  p.nx = p.ny = 24;
  p.tile = 3;
  p.halo = 5;
  EXPECT_EQ(said_about(p, of_kawasaki), "");
  p.halo = 4;
  expect_refused(p, "halo", of_kawasaki);
  p.halo = 5;
  p.tile = 2;
  expect_refused(p, "tile", of_kawasaki);
  p = {};
  p.nx = p.ny = 6;
  EXPECT_EQ(said_about(p, of_kawasaki), "");
  p.ny = 5;
  expect_refused(p, "size", of_kawasaki);
}

/// Of models that keep two sums.
constexpr EventReach with_sums(int reads, int reach) {
  return {.reads = reads,
          .reach = reach,
          .positions = 25,
          .bytes = 8,
          .sums = 2,
          .of_events = 1936,
          .keeps_sums = true,
          .least_side = 4};
}

// Whatever stands in the tables of defaults.
TEST(Parameters, SizesByDefaultFit) {
  constexpr std::pair<int, int> lattices[] = {
      {4, 4},     {6, 6},     {20, 40},   {12, 36},     {26, 26},     {64, 64},     {72, 72},       {96, 96},
      {100, 100}, {256, 256}, {300, 600}, {1024, 1024}, {4096, 4096}, {8192, 8192}, {16384, 16384}, {32768, 32768}};
  for (const int lanes : {1, 32})
    for (const auto& [nx, ny] : lattices)
      for (int i = 0; i < 10; ++i) {
        Parameters p;
        const EventReach all[] = {of_sos, event_reach<Hopping>, of_kawasaki, with_sums(3, 4), with_sums(4, 6)};
        EventReach reach = all[i / 2];
        reach.counts = nx % 3 == 1;
        const int n = p.nx = nx;
        p.ny = ny;
        p.step_control = i % 2 == 0 ? StepControl::repair : StepControl::reject;
        p.replicas = lanes == 1 ? 16 : 1;
        p.cores = n % 3 * 16;
        if (n < reach.smallest_side() || n < reach.smallest_tile()) continue;
        EXPECT_EQ(complaint([&] { validate(p, lanes, reach, false); }), "") << n << ", " << lanes << ", " << i;
        const TileSizes sizes = tile_sizes(p, lanes, reach);
        for (const int of_team : {sizes.lanes, sizes.repair_lanes}) {
          EXPECT_LE(of_team, lanes == 1 ? 1 : TeamLayout::most_lanes);
          EXPECT_EQ(of_team % lanes, 0);
        }
        if (sizes.whole()) {
          EXPECT_TRUE(n <= (lanes == 1 ? 256 : (n % 16 == 0 ? 72 : 100))) << n;
          continue;
        }
        EXPECT_GT(sizes.wide_repair_fraction, 0);
        EXPECT_GE(sizes.repair_fraction, sizes.wide_repair_fraction);
        EXPECT_LE(sizes.halo, sizes.wide_halo);
        // A restart may come from a backend with a wide halo.
        if (sizes.halo == sizes.wide_halo) {
          EXPECT_EQ(sizes.repair_fraction, sizes.wide_repair_fraction) << n;
        } else {
          // A step that can be longer has more events: not so many that the halo is no longer wanted.
          const double longer = static_cast<double>(sizes.wide_halo) / sizes.halo;
          EXPECT_LT(longer * longer * sizes.wide_below, sizes.narrow_from) << n;
        }
        EXPECT_EQ(sizes.wide_below == 0, sizes.halo == sizes.wide_halo) << n;
        EXPECT_LE(sizes.wide_halo, sizes.repair_halo);
        EXPECT_LE(sizes.repair_halo, sizes.last_repair_halo);
        EXPECT_TRUE(fits(sizes.tile, sizes.last_repair_halo, lanes, false, reach)) << n;
      }
}

TEST(Parameters, OnGpusLargeTilesOfModelsFromFilesHaveRoomForTheHaloThatIsAskedFor) {
  Parameters p;
  p.nx = p.ny = 4096;
  EventReach reach = with_sums(3, 4);
  EXPECT_EQ(tile_sizes(p, 32, reach).tile, 32);
  reach.counts = true;
  EXPECT_EQ(tile_sizes(p, 32, reach).tile, 64);
  const int widest = widest_halo(64, 32, reach);
  for (const auto halo : {&Parameters::halo, &Parameters::repair_halo})
    for (const int wider : {0, 1}) {
      Parameters asked = p;
      asked.*halo = widest + wider;
      EXPECT_EQ(tile_sizes(asked, 32, reach).tile, wider == 0 ? 64 : 32);
      EXPECT_EQ(complaint([&] { validate(asked, 32, reach, false); }), "");
    }
}

TEST(Parameters, ATileThatIsAskedForHasItsOwnHalos) {
  Parameters p;
  p.nx = p.ny = 256;
  p.tile = 64;
  const TileSizes of_large = tile_sizes(p, 1, of_sos);
  p.nx = p.ny = 1024;
  p.tile = 0;
  const TileSizes by_default = tile_sizes(p, 1, of_sos);
  EXPECT_EQ(by_default.tile, 64);
  EXPECT_EQ(of_large.halo, by_default.halo);
  EXPECT_EQ(of_large.wide_halo, by_default.wide_halo);
  p.tile = 8;
  EXPECT_LT(tile_sizes(p, 1, of_sos).halo, by_default.halo);
}

/// The default tile on a host for so many cores and replicas.
int tile_for(int cores, int nx, int ny, int replicas = 1) {
  Parameters p;
  p.nx = nx;
  p.ny = ny;
  p.replicas = replicas;
  p.cores = cores;
  EXPECT_NO_THROW(validate(p, 1, of_sos, false));
  return tile_sizes(p, 1, of_sos).tile;
}

TEST(Parameters, ACoreAdvancesASmallLatticeAsAWhole) {
  for (const int side : {16, 20, 24, 40, 100, 200, 256}) EXPECT_EQ(tile_for(1, side, side), side);
  for (const int cores : {2, 4, 16, 64}) {
    EXPECT_EQ(tile_for(cores, 20, 20), 20);
    EXPECT_EQ(tile_for(cores, 256, 256, cores), 256);
  }
  EXPECT_EQ(tile_for(16, 100, 100, 8), 50);  // two cores each, and too large for one
  EXPECT_EQ(tile_for(16, 64, 64, 8), 64);
}

// Whatever the machine that runs an input.
TEST(Parameters, TheNumberOfCoresDoesNotDecideWhichLatticesArePossible) {
  for (const int cores : {1, 2, 16, 256})
    for (const auto& [nx, ny] : {std::pair{17, 17}, {74, 74}, {97, 97}, {251, 251}, {34, 68}, {74, 148}}) {
      const int tile = tile_for(cores, nx, ny);
      EXPECT_EQ(nx % tile + ny % tile, 0) << nx;
    }
}

TEST(Parameters, EachCoreHasATile) {
  for (const int cores : {2, 4, 16, 64})
    for (const int side : {100, 120, 128, 200, 256, 500, 512, 1000, 4096}) {
      const int tile = tile_for(cores, side, 2 * side);
      EXPECT_GE(side / tile * (2 * side / tile), cores) << side;
      EXPECT_GE(tile, 10) << side;
    }
  EXPECT_EQ(tile_for(16, 512, 512), 64);
  EXPECT_EQ(tile_for(16, 128, 128), 32);
  EXPECT_EQ(tile_for(Parameters::any_cores, 20, 20), 4);  // shared by ranks
}

TEST(Parameters, WhereAGpuHasFewTilesTheirTeamsHaveTwiceAsManyLanes) {
  Parameters p;
  p.nx = p.ny = 256;
  p.tile = 16;  // 256 of them
  const int lanes_of_few = tile_sizes(p, 32, of_sos).lanes;
  p.replicas = 4;
  EXPECT_EQ(lanes_of_few, 2 * tile_sizes(p, 32, of_sos).lanes);
}

// The states of such a model are not in the scratch memory of a team of several lanes, whatever their size.
TEST(Parameters, TheHalosOfAModelThatKeepsSumsMayBeWide) {
  EventReach reach{.reads = 4, .reach = 6, .positions = 169, .bytes = 8};
  const int widest = widest_halo(32, 32, reach);
  reach.keeps_sums = true;
  EXPECT_GE(widest_halo(32, 32, reach), 2 * widest);
  EXPECT_TRUE(fits_whole(100, 32, reach));
}

TEST(Parameters, FactorsThatWouldLetStepsGrowOrShrinkWithoutEndAreRefused) {
  constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const auto expect_all_refused = [](double Parameters::*member, const char* name, const std::vector<double>& factors) {
    for (const double factor : factors) {
      Parameters p;
      p.*member = factor;
      expect_refused(p, name);
    }
  };
  expect_all_refused(&Parameters::grow_first, "grow-first", {0.0});  // of the others 0 is the default
  expect_all_refused(&Parameters::shrink, "shrink", {0.0});
  const std::vector<double> no_growth{-1.0, 1.0, 1e6, infinity, nan},
      no_decrease{-1.0, 1e-300, 1 - 1e-15, 1.0, 2.0, infinity, nan};
  expect_all_refused(&Parameters::grow_first, "grow-first", no_growth);
  expect_all_refused(&Parameters::grow, "grow", no_growth);
  expect_all_refused(&Parameters::shrink, "shrink", no_decrease);
  expect_all_refused(&Parameters::relax, "relax", no_decrease);
}

TEST(TileSizes, FewTilesOnAGpuHaveMoreStepsWithoutRepairsUnlessTheUserChoosesTheFactors) {
  Parameters p;
  const auto rules = [&](int n, int lanes) {
    p.nx = p.ny = n;
    const TileSizes sizes = tile_sizes(p, lanes, of_sos);
    return StepRules(p, sizes, n / sizes.tile * (n / sizes.tile), 1);
  };
  // ln(grow) of a step without, and -ln(relax) of one with repairs, are equal on average
  const auto part_with_repairs = [](const StepRules& r) { return 1 / (1 - std::log(r.relax) / std::log(r.grow)); };
  for (const int n : {128, 256, 512}) EXPECT_NEAR(part_with_repairs(rules(n, 32)), 0.08, 0.01) << n;
  for (const int n : {1024, 4096}) EXPECT_NEAR(part_with_repairs(rules(n, 32)), 0.37, 0.01) << n;
  EXPECT_NEAR(part_with_repairs(rules(256, 1)), 0.37, 0.01);
  p.grow = 1.2;
  EXPECT_EQ(rules(256, 32).grow, 1.2);
  EXPECT_EQ(rules(256, 32).relax, 0.8);
}

TEST(Parameters, OfAModelAreRefusedOutOfTheirBounds) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const ModelParameter& parameter : Models::parameters()) {
    ModelChoice choice;
    for (const double value :
         {std::nextafter(parameter.least, -infinity), std::nextafter(parameter.most, infinity), std::nan("")}) {
      choice[parameter.name] = value;
      EXPECT_THAT(complaint([&] { choice.check(); }), ::testing::StartsWith(std::string("--") + parameter.name));
    }
    for (const double value : {parameter.least, parameter.most}) {
      choice[parameter.name] = value;
      EXPECT_NO_THROW(choice.check());
    }
  }
}

TEST(Parameters, ThatArePlausibleAreTaken) {
  EXPECT_EQ(said_about({}), "");
  Parameters p;
  p.halo = 13;
  p.tile = 16;
  p.repair_halo = 13;
  p.grow_first = 100;
  p.grow = 4;
  p.shrink = 0.97;
  EXPECT_EQ(said_about(p), "");
}

}  // namespace
}  // namespace tessera::kmc
