// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <tessera/kmc/space/methods.hpp>
#include <type_traits>
#include <vector>

#include "tests/complaint.hpp"
#include "tests/execution_spaces.hpp"
#include "tests/io/memory_archive.hpp"
#include "tests/kmc/contact_process.hpp"
#include "tests/kmc/drift.hpp"
#include "tests/kmc/emulated_team.hpp"
#include "tests/kmc/space_lanes.hpp"
#include "tests/kmc/space_runs.hpp"
#include "tests/matchers.hpp"

namespace tessera::kmc::space {
namespace {

using ::tessera::io::MemoryArchive;

using testing::box;
using testing::state_of;

/// Tiles on every execution space give the trajectory of the sequential method, also after stops.
template <class M>
void expect_equal_to_sequential(const M& model, Parameters p) {
  SequentialSimulation<M> expected(p, model);
  expected.advance(p.until_time);
  const auto state = state_of(expected);
  EXPECT_GT(expected.work(), 1000);
  testing::for_each_space([&]<class Space>(const Space& space) {
    SCOPED_TRACE(Space::name());
    TileSimulation<Space, M> tiles(space, p, model);
    if (std::isfinite(p.until_time)) {
      tiles.advance(0.3 * p.until_time);
      int calls = 0;
      EXPECT_FALSE(tiles.advance(p.until_time, [&] { return ++calls < 3; }));
    }
    EXPECT_TRUE(tiles.advance(p.until_time));
    EXPECT_TRUE(tiles.finished());
    EXPECT_EQ(state_of(tiles), state);
  });
}

TEST(Space, TilesGiveTheTrajectoryOfTheSequentialMethod) {
  expect_equal_to_sequential(Ising<SimpleCubic>(0.22, 0), box(32, 40, 50, 0.25));
  expect_equal_to_sequential(Ising<BodyCentredCubic>(0.14, 0.2), box(34, 32, 36, 0.15));
  expect_equal_to_sequential(Ising<FaceCentredCubic>(0.09, 0), box(32, 36, 38, 0.15));
  expect_equal_to_sequential(Potts<FaceCentredCubic>(0.8, 255, 0), box(32, 32, 34, 0.002));
  expect_equal_to_sequential(Hopping<SimpleCubic>(0.6, 0.5), box(36, 34, 32, 0.5));
  expect_equal_to_sequential(Hopping<BodyCentredCubic>(0.6, 0.1), box(32, 34, 36, 0.3));
  expect_equal_to_sequential(Hopping<FaceCentredCubic>(0.2, 0.3), box(34, 32, 36, 0.15));
}

TEST(Space, EpochsOfAFewWaitingTimesDoNotChangeTheTrajectory) {
  expect_equal_to_sequential(Ising<SimpleCubic>(0.45, 1), box(32, 32, 34, 30));
}

TEST(Space, ReplicasHaveSeedsOfTheirOwn) {
  Parameters p = box(32, 34, 32, 0.5);
  p.replicas = 2;
  const Ising<SimpleCubic> model(0.2, 0);
  expect_equal_to_sequential(model, p);
  SequentialSimulation<Ising<SimpleCubic>> both(p, model);
  both.advance(0.5);
  Parameters second = p;
  second.replicas = 1;
  ++second.seed;
  SequentialSimulation<Ising<SimpleCubic>> alone(second, model);
  alone.advance(0.5);
  EXPECT_EQ(both.measure().front().values[1], alone.measure().front().values[0]);
}

TEST(Space, RunsEndAfterTheirLastEvent) {
  Parameters p = box(32, 32, 32, HUGE_VAL);
  p.until_events_per_site = 0.1;
  expect_equal_to_sequential(Ising<SimpleCubic>(0.22, 0), p);
  SequentialSimulation<Ising<SimpleCubic>> simulation(p, Ising<SimpleCubic>(0.22, 0));
  simulation.advance(HUGE_VAL);
  EXPECT_EQ(simulation.work(), std::round(0.1 * 32 * 32 * 32));
}

TEST(Space, ParticlesThatCannotMoveEndARun) {
  using M = Hopping<SimpleCubic>;
  for (const double coverage : {0.0, 1.0}) {
    Parameters p = box(32, 32, 32, HUGE_VAL);
    p.until_events_per_site = 1;
    SequentialSimulation<M> endless(p, M(0.5, coverage));
    EXPECT_TRUE(endless.advance(HUGE_VAL));
    EXPECT_TRUE(endless.finished());
    EXPECT_EQ(endless.absorbed(), std::vector<double>{0});
    p.until_time = 1e4;
    SequentialSimulation<M> expected(p, M(0.5, coverage));
    expected.advance(1e4);
    testing::for_each_space([&]<class Space>(const Space& space) {
      TileSimulation<Space, M> tiles(space, p, M(0.5, coverage));
      EXPECT_TRUE(tiles.advance(1e4));
      EXPECT_TRUE(tiles.finished());
      EXPECT_EQ(tiles.time(), 1e4);
      EXPECT_EQ(state_of(tiles), state_of(expected));
    });
  }
}

TEST(Space, SequentialRunsOfEpochsWithoutEventsCanBeStopped) {
  const Parameters p = box(8, 8, 8, 1);
  SequentialSimulation<Ising<SimpleCubic>> stiff(p, Ising<SimpleCubic>(4, 1));
  int calls = 0;
  EXPECT_FALSE(stiff.advance(1, [&] { return ++calls < 100; }));
  EXPECT_GT(stiff.time(), 0);
}

TEST(Space, EachMethodContinuesTheOther) {
  const Parameters p = box(32, 32, 34, 2);
  using M = Hopping<SimpleCubic>;
  const M model(0.6, 0.3);
  SequentialSimulation<M> first(p, model), expected(p, model);
  expected.advance(2);
  first.advance(1);
  MemoryArchive archive;
  first.save(archive);
  testing::for_each_space([&]<class Space>(const Space& space) {
    TileSimulation<Space, M> second(space, p, model);
    second.load(archive);
    second.advance(2);
    EXPECT_EQ(state_of(second), state_of(expected));
  });
}

TEST(Space, ARestartWithOtherRatesDrawsWaitingTimesAnew) {
  Parameters p = box(32, 32, 32, 21);
  using M = Ising<SimpleCubic>;
  SequentialSimulation<M> first(p, M(0.05, 0));
  first.advance(1);
  MemoryArchive archive;
  first.save(archive);
  p.redraw = true;
  SequentialSimulation<M> expected(p, M(0.3, 0));
  expected.load(archive);
  EXPECT_EQ(expected.times(), std::vector<double>{1});
  expected.advance(1.5);
  EXPECT_GT(expected.work(), first.work());
  testing::for_each_space([&]<class Space>(const Space& space) {
    TileSimulation<Space, M> tiles(space, p, M(0.3, 0));
    tiles.load(archive);
    tiles.advance(1.5);
    EXPECT_EQ(state_of(tiles), state_of(expected));
  });
  // The rate of the first moments is that of the states at the new coupling: 32768 sites with energies near those at
  // 0.05.
  const M model(0.3, 0);
  const Box its_box(32, 32, 32, 1);
  const auto& states = archive.values<std::uint8_t>("state");
  double rate = 0;
  for (std::uint32_t site = 0; site < states.size(); ++site)
    rate += model.rate(model.kind(states[site], Around<M, std::vector<std::uint8_t>>(states, its_box, site)));
  const auto check = [&](auto& early, double before) {
    early.advance(1.01);
    const double events = early.work() - before;
    EXPECT_NEAR(events / (0.01 * rate), 1, 0.03 + 4 / std::sqrt(events));
  };
  SequentialSimulation<M> early(p, model);
  early.load(archive);
  check(early, first.work());
  // The n-fold way, with the same states.
  p.redraw = false;
  BklSimulation<M> hot(p, M(0.05, 0));
  hot.advance(1);
  MemoryArchive of_bkl;
  hot.save(of_bkl);
  of_bkl.array("state", states, {1, 32, 32, 32}, "");
  p.redraw = true;
  BklSimulation<M> early_bkl(p, model);
  early_bkl.load(of_bkl);
  EXPECT_EQ(early_bkl.times(), std::vector<double>{1});
  check(early_bkl, hot.work());
}

template <class M, int most_tile, int halo, int margin, int reach>
void expect_lanes_equal_one(const M& model, std::uint32_t length, int same_bits = 0) {
  using Alone = Window<M, most_tile, halo, margin, reach, true>;
  using Many = Window<M, most_tile, halo, margin, reach, false>;
  testing::expect_lanes_equal_one<Alone, Many>(model, Box(32, 34, 36, most_tile), most_tile, length, same_bits);
}

TEST(Space, LanesInAnyOrderDoWhatOneLaneDoes) {
  const auto length = [](const auto& model, double means) {
    using M = std::remove_cvref_t<decltype(model)>;
    return static_cast<std::uint32_t>(means * Clock<M>(model).ticks / largest_rate(model));
  };
  const Ising<SimpleCubic> ising(0.2, 0);
  const Potts<FaceCentredCubic> potts(0.2, 9, 0);
  const Hopping<BodyCentredCubic> hopping(0.4, 0.4);
  const Hopping<SimpleCubic> gas(0.4, 0.4);
  expect_lanes_equal_one<Ising<SimpleCubic>, 12, 4, 3, 3>(ising, length(ising, 0.1));
  expect_lanes_equal_one<Potts<FaceCentredCubic>, 6, 7, 6, 2>(potts, length(potts, 0.1));
  expect_lanes_equal_one<Hopping<BodyCentredCubic>, 6, 7, 6, 4>(hopping, length(hopping, 1));
  expect_lanes_equal_one<Ising<SimpleCubic>, 6, 7, 3, 3>(ising, length(ising, 0.4), 20);
  expect_lanes_equal_one<Hopping<SimpleCubic>, 6, 7, 3, 4>(gas, length(gas, 1), 20);
}

TEST(Space, AStepWithTooManyEventsForTheListsIsGivenUp) {
  using M = Ising<SimpleCubic>;
  const Box its_box(32, 32, 32, 12);
  TileLaunches<Kokkos::DefaultHostExecutionSpace, M> launches({}, M(0.2, 0), its_box, 1, 3, false, its_box.all_tiles());
  launches.cells_.steps(0) = {0, 0, 1, 0};
  launches.start_states();
  launches.draw_times(false);
  launches.cells_.steps(0).length = CellWord<M>::no_event - 1;
  using Many = Window<M, 12, 4, 0, 3, false>;
  std::vector<std::uint64_t> scratch(Many::bytes / 8 + 1), sums(Many::number_of_sums);
  testing::EmulatedTeam::run(64, [&](const auto& team) {
    Many window(reinterpret_cast<char*>(scratch.data()), launches.cells_, its_box, launches.model_,
                {0, {0, 0, 0}, {12, 12, 12}});
    EXPECT_EQ(window.run(team, sums.data()), Many::too_many);
  });
}

TEST(Space, AModelOfOnesOwnRunsByAllMethods) {
  expect_equal_to_sequential(ContactProcess<SimpleCubic>(2), box(32, 34, 36, 1));
  expect_equal_to_sequential(Drift(), box(32, 34, 36, 2));
  // Without infection each cell recovers by itself; then the mean and the pairs decay exponentially.
  const Parameters p = box(32, 32, 32, 1);
  const auto expect_decay = [](auto&& simulation) {
    simulation.advance(0.7);
    for (const Observable& one : simulation.measure()) {
      const double infected = std::exp(-0.7), sites = 32 * 32 * 32;
      const double error = std::sqrt(infected * (1 - infected) / sites);
      if (one.name == "fraction_1") {
        EXPECT_NEAR(one.values[0], infected, 4 * error);
      } else if (one.name == "bonds") {
        EXPECT_NEAR(one.values[0], 3 * infected * infected, 4 * 6 * infected * error);
      }
    }
  };
  using M = ContactProcess<SimpleCubic>;
  expect_decay(SequentialSimulation<M>(p, M(0)));
  expect_decay(BklSimulation<M>(p, M(0)));
}

/// What determines the rest of a run by the n-fold way.
template <class M>
std::vector<std::vector<std::uint64_t>> bkl_state_of(const BklSimulation<M>& simulation) {
  MemoryArchive archive;
  simulation.save(archive);
  const auto words = []<class T>(const std::vector<T>& values) {
    return std::vector<std::uint64_t>(values.begin(), values.end());
  };
  return {words(archive.values<std::uint8_t>("state")), words(archive.values<std::uint32_t>("order")),
          archive.values<std::uint64_t>("generator"), archive.values<std::uint64_t>("epoch"),
          words(archive.values<std::uint32_t>("tick"))};
}

TEST(Space, StopsAndRestartsDoNotChangeTheTrajectoryOfTheNFoldWay) {
  const auto check = [](const auto& model, Parameters p) {
    using M = std::remove_cvref_t<decltype(model)>;
    p.replicas = 2;
    BklSimulation<M> whole(p, model), first(p, model), second(p, model);
    whole.advance(p.until_time);
    EXPECT_TRUE(whole.finished());
    EXPECT_GT(whole.work(), 10000);
    int calls = 0;
    EXPECT_FALSE(first.advance(p.until_time, [&] { return ++calls < 3; }));
    first.advance(0.7 * p.until_time);
    MemoryArchive archive;
    first.save(archive);
    second.load(archive);
    EXPECT_EQ(second.times(), first.times());
    second.advance(p.until_time);
    EXPECT_EQ(bkl_state_of(second), bkl_state_of(whole));
    EXPECT_EQ(second.work(), whole.work());
  };
  check(Ising<BodyCentredCubic>(0.14, 0), box(16, 16, 32, 2));
  check(Potts<FaceCentredCubic>(0.3, 40, 0), box(8, 16, 16, 0.2));
  check(Hopping<SimpleCubic>(0.6, 0.4), box(16, 16, 16, 30));  // more than an epoch
}

TEST(Space, TheNFoldWayEndsAfterTheLastEvent) {
  Parameters p = box(16, 16, 16, HUGE_VAL);
  p.until_events_per_site = 0.5;
  BklSimulation<Ising<SimpleCubic>> simulation(p, Ising<SimpleCubic>(0.1, 0));
  EXPECT_TRUE(simulation.advance(HUGE_VAL));
  EXPECT_TRUE(simulation.finished());
  EXPECT_EQ(simulation.work(), 2048);
  EXPECT_GT(simulation.time(), 0);
  BklSimulation<Hopping<SimpleCubic>> full(p, Hopping<SimpleCubic>(0.1, 1));
  EXPECT_TRUE(full.advance(HUGE_VAL));
  EXPECT_TRUE(full.finished());
  EXPECT_EQ(full.absorbed(), std::vector<double>{0});
  p.until_time = 1e4;
  BklSimulation<Hopping<SimpleCubic>> waiting(p, Hopping<SimpleCubic>(0.1, 1));
  EXPECT_TRUE(waiting.advance(1e4));
  EXPECT_EQ(waiting.time(), 1e4);
}

TEST(Space, FunctionsOfAveragesAreThoseOfTheirPowers) {
  const Parameters p = box(4, 4, 8, 1);
  const auto names = [](const auto& functions) {
    std::vector<std::string> all;
    for (const auto& one : functions) all.push_back(one.name);
    return all;
  };
  SequentialSimulation<Ising<BodyCentredCubic>> ising(p, Ising<BodyCentredCubic>(0.2, 0));
  const auto functions = ising.functions_of_averages();
  EXPECT_EQ(names(functions), (std::vector<std::string>{"binder_cumulant", "susceptibility", "specific_heat"}));
  for (const auto& one : functions) {
    const auto measured = ising.measure();
    for (const std::string& of : one.of) EXPECT_EQ(std::ranges::count(measured, of, &Observable::name), 1) << of;
  }
  const std::array<double, 2> means{0.5, 0.75};
  EXPECT_DOUBLE_EQ(functions[0].value(means), 1 - 0.75 / (3 * 0.25));
  EXPECT_DOUBLE_EQ(functions[1].value(means), 0.2 * 128 * 0.5);
  EXPECT_DOUBLE_EQ(functions[2].value(means), 0.04 * 128 * 0.5);
  SequentialSimulation<Potts<SimpleCubic>> potts(p, Potts<SimpleCubic>(0.2, 5));
  EXPECT_EQ(names(potts.functions_of_averages()), names(functions));
  EXPECT_EQ(potts.functions_of_averages()[1].of, (std::vector<std::string>{"order", "order_2"}));
  EXPECT_TRUE(SequentialSimulation<Hopping<SimpleCubic>>(p, Hopping<SimpleCubic>(0.2)).functions_of_averages().empty());
}

TEST(Space, LatticesHaveNeighboursAtTheSameDistance) {
  const auto check = []<class L>(L, int square) {
    for (int k = 0; k < L::neighbours; ++k)
      for (int z = 10; z < 12; ++z)
        for (int y = 10; y < 12; ++y) {
          const Offset by = L::offset(k, L::parity(10, y, z));
          const auto from = L::position(10, y, z), to = L::position(10 + by.x, y + by.y, z + by.z);
          int distance = 0;
          for (std::size_t i = 0; i < 3; ++i) distance += (to[i] - from[i]) * (to[i] - from[i]);
          EXPECT_EQ(distance, square) << L::name << k;
          const Offset back = L::offset(k ^ 1, L::parity(0, y + by.y, z + by.z));
          EXPECT_EQ((Offset{by.x + back.x, by.y + back.y, by.z + back.z}), (Offset{0, 0, 0})) << L::name << k;
        }
  };
  check(SimpleCubic(), 1);
  check(BodyCentredCubic(), 3);
  check(FaceCentredCubic(), 2);
}

TEST(Space, ImpossibleCheckpointsAreRefused) {
  const Parameters p = box(8, 8, 8, 1);
  using M = Potts<SimpleCubic>;
  SequentialSimulation<M> simulation(p, M(0.5, 200));
  MemoryArchive archive;
  simulation.save(archive);
  SequentialSimulation<M> fewer(p, M(0.5, 3, 0));
  EXPECT_NO_THROW(fewer.load(archive));  // all sites are in state 0
  simulation.advance(0.5);
  MemoryArchive later;
  simulation.save(later);
  EXPECT_THROW(fewer.load(later), InputError);
  for (const double time : {-1.0, HUGE_VAL, std::nan(""), 1e300}) {
    simulation.save(later);
    later.array("time", std::vector<double>{time}, {1}, "");
    EXPECT_THROW(simulation.load(later), InputError) << time;
  }
  BklSimulation<M> bkl(p, M(0.5, 200));
  bkl.advance(0.5);
  MemoryArchive saved;
  bkl.save(saved);
  EXPECT_NO_THROW(BklSimulation<M>(p, M(0.5, 200)).load(saved));
  const auto refused = [&](const char* name, const auto& change) {
    MemoryArchive changed = saved;
    change(changed);
    BklSimulation<M> other(p, M(0.5, 200));
    EXPECT_THAT(complaint([&] { other.load(changed); }), HasSubstr(name));
  };
  refused("generator", [](MemoryArchive& of) { of.values<std::uint64_t>("generator")[0] = 0; });
  for (const double next : {-2.0, HUGE_VAL, std::nan("")})
    refused("generator", [&](MemoryArchive& of) {
      of.values<std::uint64_t>("generator")[1] = Kokkos::bit_cast<std::uint64_t>(next);
    });
  refused("order", [](MemoryArchive& of) { of.values<std::uint32_t>("order")[0] = 512; });
  refused("order", [](MemoryArchive& of) {
    auto& order = of.values<std::uint32_t>("order");
    order[0] = order[1];
  });
}

}  // namespace
}  // namespace tessera::kmc::space
