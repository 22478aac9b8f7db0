// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <tessera/kmc/space/listed_window.hpp>
#include <utility>
#include <vector>

#include "processes/compile.hpp"
#include "processes/space_model.hpp"
#include "simulations/kmc_space.hpp"
#include "tests/execution_spaces.hpp"
#include "tests/io/memory_archive.hpp"
#include "tests/kmc/space_lanes.hpp"
#include "tests/kmc/space_runs.hpp"

/// Models from files in three dimensions by tiles.
namespace tessera::processes {
namespace {

using io::MemoryArchive;
using kmc::Parameters;
using testing::box;

/// Vacancies V in a crystal of atoms A, and of B with a part `of_b` of the sites, unless it is 0; a vacancy exchanges
/// places with a neighbour in direction `by`, faster with B.
std::string crystal(const std::string& cell, const std::string& by, double vacancies, double of_b = 0,
                    const std::string& energy = "") {
  const std::vector<std::string> atoms = of_b > 0 ? std::vector<std::string>{"A", "B"} : std::vector<std::string>{"A"};
  std::string text =
      "[Meta]\nmodel_dimension = 3\ntime_unit = 1/k_0\n[SpeciesList]\ndefault_species = A\n[Species V]\n[Parameter "
      "T]\nvalue = 1000\n[Lattice]\ncell_size = " +
      cell + "\n[Layer l]\nsite s = (0, 0, 0)\n[Initial]\nV@s = probability " + std::to_string(vacancies) + "\n";
  if (of_b > 0) text += "B@s = probability " + std::to_string(of_b) + "\n";
  for (const std::string& atom : atoms) text += "[Species " + atom + "]\n";
  for (const std::string& atom : atoms)
    text += "[Process jump_" + atom + "]\nrate_constant = " + (atom == "A" ? "1" : "3") +
            "\norientations = 48\nconditions = V@s + " + atom + "@s." + by + "\nactions = " + atom + "@s + V@s." + by +
            "\n" + (energy.empty() ? "" : "energy = 0.05 + 0.5*dE\n");
  if (!energy.empty())
    text += "[Cluster n]\norientations = 48\nsites = A@s + B@s." + by + "\nenergy = " + energy + "\n";
  return text;
}
const std::string sc = "1 1 1", fcc = "0.5 0.5 0  0 0.5 0.5  0.5 0 0.5",
                  bcc = "0.5 -0.5 0.5  0.5 0.5 -0.5  -0.5 0.5 0.5";

Tables tables_of(const std::string& text, const Parameters& p) {
  return compile(read_model(text, "m.ini"), {}, {}, 0.1, 0, {p.nx, p.ny, p.nz}).tables;
}

/// With the events of the processes.
auto state_of(const SimulationInterface& simulation) {
  return testing::state_of(simulation, {"last_event", "counted_events"});
}

/// Where tracked particles are and have been, and the sums of their displacements.
auto displacements_of(const SimulationInterface& simulation, const std::vector<std::string>& track) {
  MemoryArchive archive;
  simulation.save(archive);
  std::vector<std::pair<std::vector<std::int32_t>, std::vector<double>>> all;
  for (const std::string& species : track)
    all.emplace_back(archive.values<std::int32_t>("tracked_" + species),
                     archive.values<double>("tracked_sums_" + species));
  return all;
}

/// Tiles on every execution space give the trajectory of the sequential method, also after stops and from its
/// checkpoint. `track`: names of species.
void expect_equal_to_sequential(const std::string& text, Parameters p, double least_events = 1000,
                                const std::vector<std::string>& track = {}) {
  const Tables tables = tables_of(text, p);
  p.tracked = tracked_species(tables, track);
  p.method = kmc::Method::waiting_time;
  const auto expected = kmc::space::make_sequential(tables, p);
  expected->advance(0.3 * p.until_time);
  expected->measure();
  MemoryArchive archive;
  expected->save(archive);
  expected->advance(p.until_time);
  expected->measure();
  const auto state = state_of(*expected);
  const auto displacements = displacements_of(*expected, track);
  EXPECT_GT(expected->work(), least_events);
  p.method = kmc::Method::tile;
  testing::for_each_space([&]<class Space>(const Space&) {
    SCOPED_TRACE(Space::name());
    for (const bool loads : {false, true}) {
      const auto tiles = kmc::space::make_tiles<Space>(tables, p);
      if (loads) {
        tiles->load(archive);
      } else {
        tiles->advance(0.3 * p.until_time);
        tiles->measure();
      }
      int calls = 0;
      EXPECT_FALSE(tiles->advance(p.until_time, [&] { return ++calls < 3; }));
      EXPECT_TRUE(tiles->advance(p.until_time));
      EXPECT_TRUE(tiles->finished());
      EXPECT_EQ(state_of(*tiles), state);
      EXPECT_EQ(tiles->measure()[0].values, expected->measure()[0].values);
      EXPECT_EQ(displacements_of(*tiles, track), displacements);
    }
  });
}

TEST(ModelsInSpaceByTiles, GiveTheTrajectoryOfTheSequentialMethod) {
  expect_equal_to_sequential(crystal(fcc, "(1, 0, 0)", 0.01), box(32, 34, 36, 0.5), 1000, {"V", "A"});
  expect_equal_to_sequential(crystal(sc, "(1, 0, 0)", 0.1, 0.3), box(32, 40, 50, 0.25));
  expect_equal_to_sequential(crystal(bcc, "(1, 0, 0)", 0.02, 0.1, "0.06"), box(34, 32, 32, 1), 1000, {"B"});
  // The sides of windows are 64, 48 and 56 sites.
  expect_equal_to_sequential(crystal(fcc, "(1, 0, 0)", 0.002), box(80, 66, 68, 1));
  expect_equal_to_sequential(crystal(sc, "(1, 0, 0)", 0.002, 0.3), box(50, 48, 52, 2), 500);
  expect_equal_to_sequential(crystal(sc, "(1, 0, 0)", 0.003), box(58, 56, 60, 2), 500);
  Parameters two = box(32, 32, 32, 1);
  two.replicas = 2;
  expect_equal_to_sequential(crystal(fcc, "(1, 0, 0)", 0.002, 0.3), two, 500);
}

TEST(ModelsInSpaceByTiles, EndAfterTheirLastEvent) {
  Parameters p = box(32, 32, 32, HUGE_VAL);
  p.until_events_per_site = 0.1;
  const Tables tables = tables_of(crystal(sc, "(1, 0, 0)", 0.01), p);
  p.method = kmc::Method::waiting_time;
  const auto expected = kmc::space::make_sequential(tables, p);
  expected->advance(HUGE_VAL);
  p.method = kmc::Method::tile;
  testing::for_each_space([&]<class Space>(const Space&) {
    const auto tiles = kmc::space::make_tiles<Space>(tables, p);
    tiles->advance(HUGE_VAL);
    EXPECT_EQ(tiles->work(), std::round(0.1 * 32 * 32 * 32));
    EXPECT_EQ(state_of(*tiles), state_of(*expected));
  });
}

TEST(ModelsInSpaceByTiles, EndWhereNoEventIsPossible) {
  const std::string decay =
      crystal(sc, "(1, 0, 0)", 0.02) + "[Process decay]\nrate_constant = 20\nconditions = V@s\nactions = A@s\n";
  for (const double until : {HUGE_VAL, 1e9}) {
    Parameters p = box(32, 32, 32, until);
    p.until_events_per_site = 1e9;
    const Tables tables = tables_of(decay, p);
    p.method = kmc::Method::waiting_time;
    const auto expected = kmc::space::make_sequential(tables, p);
    EXPECT_TRUE(expected->advance(until));
    p.method = kmc::Method::tile;
    testing::for_each_space([&]<class Space>(const Space&) {
      const auto tiles = kmc::space::make_tiles<Space>(tables, p);
      EXPECT_TRUE(tiles->advance(until));
      EXPECT_TRUE(tiles->finished());
      EXPECT_EQ(tiles->absorbed(), expected->absorbed());
      EXPECT_EQ(tiles->times(), expected->times());
    });
  }
}

TEST(ModelsInSpaceByTiles, LanesInAnyOrderDoWhatOneLaneDoes) {
  using kmc::space::ListedWindow;
  const auto check = [&]<int halo, int margin>(std::integral_constant<int, halo>, std::integral_constant<int, margin>,
                                               int side, const std::string& text, double means, int same_bits) {
    const int tile = margin > 0 ? side / 2 - 8 : side - 2 * halo;
    const kmc::space::Box its_box(side, side + 2, side + 4, tile);
    const SpaceModel model(tables_of(text, box(side, side + 2, side + 4, 1)), side, (side + 2) * (side + 4));
    const auto length =
        static_cast<std::uint32_t>(means * kmc::space::Clock<SpaceModel>(model).ticks / model.largest_rate());
    testing::expect_lanes_equal_one<ListedWindow<SpaceModel, halo, margin, true>,
                                    ListedWindow<SpaceModel, halo, margin, false>>(model, its_box, tile, length,
                                                                                   same_bits, side);
  };
  const std::integral_constant<int, 8> halo;
  const std::integral_constant<int, 12> wide;
  const std::integral_constant<int, 0> none;
  const std::integral_constant<int, 3> margin;
  check(halo, none, 32, crystal(fcc, "(1, 0, 0)", 0.02), 2, 0);
  check(halo, none, 32, crystal(sc, "(1, 0, 0)", 0.3, 0.3), 0.05, 0);
  check(halo, none, 48, crystal(sc, "(1, 0, 0)", 0.003, 0.3), 2, 0);
  check(wide, margin, 32, crystal(sc, "(1, 0, 0)", 0.015), 10, 0);
  check(wide, margin, 32, crystal(sc, "(1, 0, 0)", 0.015), 10, 18);
  check(wide, margin, 64, crystal(sc, "(1, 0, 0)", 0.002), 3, 0);
  check(wide, margin, 64, crystal(sc, "(1, 0, 0)", 0.002), 3, 18);
}

}  // namespace
}  // namespace tessera::processes
