// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <tessera/kmc/models.hpp>
#include <tessera/kmc/sequential/bkl.hpp>
#include <tessera/kmc/state/clock.hpp>
#include <vector>

#include "tests/complaint.hpp"
#include "tests/execution_spaces.hpp"
#include "tests/io/memory_archive.hpp"
#include "tests/kmc/exactness.hpp"
#include "tests/kmc/own_models.hpp"

// Times beyond the first epoch of the clock, and rates that change with time.
namespace tessera::kmc {
namespace {

using io::MemoryArchive;

template <class Method>
double origin_of(const Method& method, std::size_t replica = 0) {
  MemoryArchive archive;
  method.save(archive);
  return archive.values<double>("origin")[replica];
}

/// By tiles with both step controls, and as a single tile.
std::vector<Parameters> by_all_controls(const Parameters& p) {
  return {tiled(p, 16, 4), tiled(p, 8, 3, StepControl::reject), tiled(p, 32, 0)};
}

/// Lattices whose layers spread 4e6 times as fast as the first atoms of a layer come, which takes nine epochs.
Parameters layers() {
  Parameters p = lattice(32, 32, 4);
  p.replicas = 2;
  return p;
}
const SolidOnSolid slow_layers(4);

template <class Space>
class Clock : public ::testing::Test {};
TYPED_TEST_SUITE(Clock, testing::ParallelSpaces, testing::ExecutionSpaceNames);

TEST(RateWindow, HasEpochsThatResolveTheFastestEvents) {
  for (const double coupling : {0.0, 0.44, 4.0, 20.0}) {
    const RateWindow<Ising> window(Ising{coupling});
    const double mean = 1 / portable_exp(4 * coupling), last = std::nextafter(window.epoch, 0);
    EXPECT_LE(window.epoch - last, 0x1p-20 * mean);
    EXPECT_GT(window.epoch - last, 0x1p-22 * mean);
    int exponent = 0;
    EXPECT_EQ(std::frexp(window.epoch, &exponent), 0.5);
  }
  EXPECT_EQ(RateWindow<Octahedron>(Octahedron(0, 0)).epoch, forever);
  EXPECT_THAT(complaint([] { RateWindow<Octahedron>(Octahedron(1e308, 0), 1e6); }), ::testing::HasSubstr("finite"));
}

TYPED_TEST(Clock, EpochsAreTheSameInAllMethods) {
  Parameters p = layers();
  p.until_events_per_site = 8;
  const Snapshot<SolidOnSolid> expected = sequential(p, slow_layers);
  Work work;
  for (const Parameters& way : by_all_controls(p))
    for (const EventOrder order : distinct<TypeParam>())
      expect_trajectory<TypeParam>(way, slow_layers, order, expected, work);
  const auto simulation = tile_method<TypeParam>(by_all_controls(p)[0], slow_layers);
  simulation->advance(forever);
  EXPECT_GT(origin_of(*simulation), 50 * RateWindow<SolidOnSolid>(slow_layers).epoch);
}

TYPED_TEST(Clock, QuenchedSpinsComeToRestAfterMoreEpochsThanAnyCounterHolds) {
  Parameters p = lattice(16, 16, 2);
  p.until_events_per_site = 12;
  for (const double coupling : {6.0, 16.0}) {
    const Ising model(coupling, 0);
    const Snapshot<Ising> expected = sequential(p, model);
    for (const Parameters& way : {tiled(p, 8, 4), tiled(p, 16, 0)}) {
      Work work;
      expect_trajectory<TypeParam>(way, model, EventOrder::local, expected, work);
    }
  }
}

TYPED_TEST(Clock, TimesAtStopsAreExactHoweverLate) {
  const Ising model(0.3, 0.3);
  Parameters p = tiled(lattice(24, 24, 2), 8, 4);
  p.replicas = 2;
  MemoryArchive start;
  WaitingTimeSimulation<Ising>(p, model).save(start);
  const double epoch = RateWindow<Ising>(model).epoch, late = std::floor(1e12 / epoch) * epoch;
  start.values<double>("origin") = {late, 0x1p60};
  const auto tiles = tile_method<TypeParam>(p, model);
  WaitingTimeSimulation<Ising> expected(p, model);
  tiles->load(start);
  expected.load(start);
  EXPECT_EQ(tiles->times(), (std::vector<double>{late, 0x1p60}));
  for (int i = 1; i <= 20; ++i) {
    const double stop = late + i * 0.1;
    tiles->advance(stop);
    expected.advance(stop);
    EXPECT_EQ(tiles->times()[0], stop);
    expect_equal(snapshot<Ising>(*tiles), snapshot<Ising>(expected));
  }
  EXPECT_GT(tiles->events()[0], 24u * 24u / 2);
  EXPECT_EQ(tiles->events()[1], 0u);
}

// A stop in a quiet time changes nothing but the time, however far away the next event is.
TYPED_TEST(Clock, DoesNotDependOnStopsInterruptionsAndRestartsByAnyMethod) {
  const Parameters p = by_all_controls(layers())[0];
  const Snapshot<SolidOnSolid> expected = sequential(p, slow_layers, 4e5);
  for (const bool ends_by_tiles : {false, true}) {
    std::unique_ptr<AnyTileMethod<SolidOnSolid>> tiles = tile_method<TypeParam>(p, slow_layers);
    WaitingTimeSimulation<SolidOnSolid> one_by_one(p, slow_layers);
    for (int i = 1; i <= 60; ++i) {
      MemoryArchive archive;
      const double stop = 4e5 * (i / 60.0);
      if (i % 2 == (ends_by_tiles ? 1 : 0)) {
        one_by_one.advance(stop);
        one_by_one.save(archive);
        tiles = tile_method<TypeParam>(p, slow_layers);
        tiles->load(archive);
      } else {
        int calls = 0;
        for (bool done = false; !done && calls < 3; ++calls) done = tiles->advance(stop, [] { return false; });
        tiles->advance(stop);
        tiles->save(archive);
        one_by_one.load(archive);
      }
      ASSERT_EQ(tiles->times(), std::vector<double>(2, stop));
    }
    expect_equal(snapshot<SolidOnSolid>(*tiles), expected);
    expect_equal(snapshot<SolidOnSolid>(one_by_one), expected);
  }
  EXPECT_GT(expected.events[0], 0u);
}

TEST(Clock, OfBklResolvesEventsOfTheWholeLatticeAtAnyTime) {
  Parameters p = lattice(8, 8, 3);
  p.method = Method::bkl;
  const SolidOnSolid model(0);
  BklSimulation<SolidOnSolid> bkl(p, model);
  MemoryArchive start;
  bkl.save(start);
  start.values<double>("origin")[0] = 0x1p70;
  bkl.load(start);
  p.until_events_per_site = 1000;
  BklSimulation<SolidOnSolid> early(p, model), late(p, model);
  late.load(start);
  early.advance(forever);
  late.advance(forever);
  EXPECT_EQ(late.states(), early.states());
  EXPECT_EQ(late.events()[0], 64'000u);
}

/// Spins quenched to K = 16: all are alike, or there are two stripes, which would change after a time of exp(32).
TEST(Clock, QuenchedSpinsReachTheSameGroundStatesAsByBkl) {
  const Ising model(16, 0);
  int stripes[2] = {0, 0};
  Parameters p = lattice(8, 8, 11);
  p.replicas = 200;
  const auto count = [&](auto& simulation, int which) {
    simulation.advance(1e6);
    for (const auto& one : simulation.measure())
      if (one.name == "energy")
        for (const double energy : one.values) {
          EXPECT_TRUE(energy == -2 || energy == -1.5) << energy;
          stripes[which] += energy > -2;
        }
  };
  WaitingTimeSimulation<Ising> waiting(p, model);
  count(waiting, 0);
  p.method = Method::bkl;
  BklSimulation<Ising> bkl(p, model);
  count(bkl, 1);
  // About a third are stripes; a difference of 5 standard deviations has a probability of 6e-7.
  EXPECT_GT(stripes[0], 20);
  EXPECT_LT(std::abs(stripes[0] - stripes[1]), 5 * std::sqrt(200 * 2 * 0.34 * 0.66));
}

TEST(Clock, RefusesOriginsThatNoRunHasWritten) {
  const Parameters p = layers();
  MemoryArchive archive;
  WaitingTimeSimulation<SolidOnSolid>(p, slow_layers).save(archive);
  for (const double origin : {-1.0, forever, std::nan("")}) {
    archive.values<double>("origin")[1] = origin;
    EXPECT_THAT(complaint([&] { WaitingTimeSimulation<SolidOnSolid>(p, slow_layers).load(archive); }),
                ::testing::HasSubstr("'origin'"));
  }
}

// ---- Rates that change with time

/// A window without desorption, one without any event, a very fast one that needs a clock of 1e-18, and slow ones.
constexpr double fast_end = 1.3 + 1e-11;
const Programmed::Windows windows{{{0.3, 1, 2},
                                   {0.5, 1.2, 0},
                                   {0.75, 0, 0},
                                   {1.3, 0.5, 1e-3},
                                   {fast_end, 1e12, 2e12},
                                   {1.9, 1e-3, 1e-3},
                                   {forever, 0.6, 0.2}}};

Parameters programmed(double until = forever) {
  Parameters p = lattice(32, 32, 21);
  p.replicas = 2;
  p.until_time = until;
  return p;
}

TYPED_TEST(Clock, RatesThatChangeGiveTheSameTrajectoryInAllMethods) {
  const Programmed model(windows);
  for (const Parameters& p : by_all_controls(programmed(3)))
    for (const EventOrder order : distinct<TypeParam>()) {
      SCOPED_TRACE(describe(p, order));
      const auto tiles = tile_method<TypeParam>(p, model, order);
      WaitingTimeSimulation<Programmed> expected(p, model);
      for (const double stop : {0.1, 0.3, std::nextafter(0.3, 1), 0.4, 0.6, 0.75, 1.29, fast_end, 2.5, 3.0}) {
        tiles->advance(stop);
        expected.advance(stop);
        EXPECT_EQ(tiles->times(), std::vector<double>(2, stop));
        expect_equal(snapshot<Programmed>(*tiles), snapshot<Programmed>(expected));
      }
      EXPECT_TRUE(tiles->finished());
      const auto at_once = tile_method<TypeParam>(p, model, order);
      at_once->advance(3);
      expect_equal(snapshot<Programmed>(*at_once), snapshot<Programmed>(expected));
    }
  Work work;
  for (const std::uint64_t events : {500u, 1500u, 20'000u}) {
    const Parameters p = up_to_event(programmed(), events);
    for (const Parameters& way : by_all_controls(p))
      expect_trajectory<TypeParam>(way, model, EventOrder::local, sequential(p, model), work);
  }
}

template <class T>
void take_second_half(MemoryArchive& to, const MemoryArchive& from, const std::string& name) {
  const auto& values = from.values<T>(name);
  const auto half = static_cast<std::ptrdiff_t>(values.size() / 2);
  std::copy(values.begin() + half, values.end(), to.values<T>(name).begin() + half);
}

TYPED_TEST(Clock, RatesThatChangeMayBeContinuedAtAnyTimeByAnyMethod) {
  const Programmed model(windows);
  const Parameters p = by_all_controls(programmed())[0];
  const std::vector<double> stops{0.3, 0.7, 1.3 + 5e-12, 2.4};
  std::vector<MemoryArchive> archives;
  for (const double stop : stops) {
    WaitingTimeSimulation<Programmed> one_by_one(p, model);
    if (!archives.empty()) one_by_one.load(archives.back());
    one_by_one.advance(stop);
    one_by_one.save(archives.emplace_back());
  }
  const Snapshot<Programmed> expected = sequential(p, model, 2.6);
  for (std::size_t i = 0; i < stops.size(); ++i) {
    SCOPED_TRACE(stops[i]);
    const auto tiles = tile_method<TypeParam>(p, model);
    tiles->load(archives[i]);
    EXPECT_EQ(tiles->times(), std::vector<double>(2, stops[i]));
    tiles->advance(2.6);
    expect_equal(snapshot<Programmed>(*tiles), expected);
    MemoryArchive mixed = archives[i];  // the second replica is ahead, in another window
    for (const char* name : {"time", "origin", "absorbed_at", "waiting_time"})
      take_second_half<double>(mixed, archives.back(), name);
    for (const char* name : {"events", "stream"}) take_second_half<std::uint64_t>(mixed, archives.back(), name);
    take_second_half<std::int64_t>(mixed, archives.back(), "window");
    take_second_half<std::int8_t>(mixed, archives.back(), "state");
    const auto together = tile_method<TypeParam>(p, model);
    together->load(mixed);
    together->advance(2.6);
    expect_equal(snapshot<Programmed>(*together), expected);
    auto& window = archives[i].values<std::int64_t>("window")[0];
    window = window == 5 ? 3 : 5;
    EXPECT_THAT(complaint([&] { tile_method<TypeParam>(p, model)->load(archives[i]); }),
                ::testing::HasSubstr("'window'"));
  }
}

/// Coverage of sites without interaction at a time.
double coverage_at(double time) {
  double coverage = 0.5, begin = 0;
  for (const auto& [end, adsorption, desorption] : windows) {
    const double sum = adsorption + desorption, limit = sum > 0 ? adsorption / sum : coverage;
    coverage = limit + (coverage - limit) * std::exp(-sum * (std::min(end, time) - begin));
    if (time <= end) break;
    begin = end;
  }
  return coverage;
}

// Within 5 standard deviations, each with a probability of 6e-7 beyond; with the rates of a window in the next one the
// coverage is wrong by 20.
TYPED_TEST(Clock, IndependentSitesFollowTheirRateEquation) {
  Parameters p = lattice(128, 128, 8);
  const Programmed model(windows, 0);
  std::vector<std::unique_ptr<AnySimulation<Programmed>>> methods;
  methods.push_back(tile_method<TypeParam>(p, model));
  methods.push_back(std::make_unique<WaitingTimeSimulation<Programmed>>(p, model));
  p.method = Method::bkl;
  methods.push_back(std::make_unique<BklSimulation<Programmed>>(p, model));
  for (const double time : {0.3, 0.4, 0.5, 0.75, 1.1, 1.3, 1.3 + 1e-12, 1.9, 2.5})
    for (const auto& method : methods) {
      method->advance(time);
      const double expected = coverage_at(time), found = method->measure()[0].values[0];
      EXPECT_NEAR(found, expected, 5 * std::sqrt(expected * (1 - expected) / 16384)) << time;
    }
}

// Times at which rates are 0 do not end a run; those of the last window do, at its begin or at the last event.
TYPED_TEST(Clock, ARunEndsWhereNoLaterWindowHasEvents) {
  const Programmed model(Programmed::Windows{{{0.5, 1, 1}, {1, 0, 0}, {2, 3, 0}, {forever, 0, 0}}});
  const Programmed fills(Programmed::Windows{{{0.5, 0, 0}, {forever, 1, 0}}});
  for (Parameters p : by_all_controls(programmed())) {
    p.until_events_per_site = 1e6;
    SCOPED_TRACE(describe(p, EventOrder::local));
    const auto expect_end = [&](const Programmed& of) {
      const auto tiles = tile_method<TypeParam>(p, of);
      WaitingTimeSimulation<Programmed> expected(p, of);
      tiles->advance(forever);
      expected.advance(forever);
      EXPECT_TRUE(tiles->finished());
      EXPECT_TRUE(expected.finished());
      EXPECT_EQ(tiles->absorbed(), expected.absorbed());
      expect_equal(snapshot<Programmed>(*tiles), snapshot<Programmed>(expected));
      return tiles->absorbed();
    };
    EXPECT_EQ(expect_end(model), std::vector<double>(2, 2));
    const std::vector<double> full = expect_end(fills);
    EXPECT_GT(full[0], 2);
    EXPECT_NE(full[0], full[1]);
  }
}

}  // namespace
}  // namespace tessera::kmc
