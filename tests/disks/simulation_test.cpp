// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <cmath>
#include <tessera/core/error.hpp>
#include <tessera/disks/observables/host_samples.hpp>
#include <tessera/disks/sequential.hpp>
#include <tessera/disks/state/lattice_start.hpp>

#include "tests/disks/any_simulation.hpp"
#include "tests/execution_spaces.hpp"

namespace tessera::disks {
namespace {

template <class Space>
class DisksSimulation : public ::testing::Test {};
TYPED_TEST_SUITE(DisksSimulation, tessera::testing::ExecutionSpaces, tessera::testing::ExecutionSpaceNames);

/// 3 replicas of 200 disks, with a move radius that is tuned, and samples.
Parameters small_run() {
  Parameters p;
  p.particles = 200;
  p.packing_fraction = 0.69;
  p.replicas = 3;
  p.seed = 5;
  p.sweeps = 800;
  p.equilibrate = 500;
  p.tune_acceptance = 0.5;
  p.sample_every = 7;
  return p;
}

/// Everything that a run has at its end.
struct Outcome {
  Configuration configuration;
  std::vector<std::vector<double>> values, errors;

  bool operator==(const Outcome&) const = default;
};

/// NaN, which equals nothing, as a number.
std::vector<double> comparable(std::vector<double> values) {
  for (double& value : values) value = std::isnan(value) ? -1e300 : value;
  return values;
}

Outcome outcome(AnyParallelSimulation& simulation) {
  Outcome o{simulation.configuration(), {}, {}};
  for (const Observable& observable : simulation.measure()) {
    o.values.push_back(comparable(observable.values));
    o.errors.push_back(comparable(observable.errors));
  }
  return o;
}

template <class Space>
Outcome whole_run(const Parameters& p) {
  const auto simulation = make_simulation<Space>(p);
  simulation->advance(p.sweeps);
  EXPECT_TRUE(simulation->finished());
  return outcome(*simulation);
}

TEST(DisksSimulationOnSpaces, HasTheSameBitsOnAllBackends) {
  std::vector<Outcome> outcomes;
  testing::for_each_space([&]<class Space>(const Space&) { outcomes.push_back(whole_run<Space>(small_run())); });
  for (const Outcome& one : outcomes) EXPECT_EQ(one, outcomes.front());
  EXPECT_EQ(outcomes.front().values[3], std::vector<double>(3, 42));  // (800 - 500) / 7 samples
}

TEST(DisksSimulationOnSpaces, ContinuesTheCheckpointOfAnotherBackend) {
  const Parameters p = small_run();
  Outcome expected;
  testing::for_each_space([&]<class Space>(const Space&) { expected = whole_run<Space>(p); });
  MemoryArchive archive;
  bool begun = false;
  Outcome last;
  int leg = 0;
  for (int round = 0; round < 4; ++round)
    testing::for_each_space([&]<class Space>(const Space&) {
      const auto simulation = make_simulation<Space>(p);
      if (begun) simulation->load(archive);
      begun = true;
      simulation->advance(leg < 7 ? 97.0 * ++leg : p.sweeps);
      archive = {};
      simulation->save(archive);
      last = outcome(*simulation);
    });
  const auto simulation = make_simulation<Kokkos::DefaultHostExecutionSpace>(p);
  simulation->load(archive);
  simulation->advance(p.sweeps);
  EXPECT_EQ(outcome(*simulation), expected);
}

TYPED_TEST(DisksSimulation, DoesNotDependOnInterruptions) {
  const Parameters p = small_run();
  const Outcome expected = whole_run<TypeParam>(p);
  const auto simulation = make_simulation<TypeParam>(p);
  for (int asked = 0; !simulation->finished();) {
    simulation->advance(p.sweeps, [&] { return ++asked % 2 == 1; });
    simulation->measure();
    ASSERT_LT(asked, 10'000);
  }
  EXPECT_EQ(outcome(*simulation), expected);
}

TYPED_TEST(DisksSimulation, ReplicaEqualsTheSingleRunWithItsSeed) {
  const Outcome all = whole_run<TypeParam>(small_run());
  for (int r = 0; r < 3; ++r) {
    Parameters p = small_run();
    p.seed += static_cast<std::uint64_t>(r);
    p.replicas = 1;
    const Outcome single = whole_run<TypeParam>(p);
    for (std::size_t k = 0; k < single.values.size(); ++k) {
      EXPECT_EQ(single.values[k][0], all.values[k][static_cast<std::size_t>(r)]);
    }
    EXPECT_TRUE(std::equal(
        single.configuration.counts.begin(), single.configuration.counts.end(),
        all.configuration.counts.begin() + r * static_cast<std::ptrdiff_t>(single.configuration.counts.size())));
  }
}

/// Accepted over tried after the first half of a run of 4000 sweeps, and the radii at that time and at the end.
template <class Simulation>
void expect_tuned(Simulation& simulation, const std::function<std::vector<MoveCount>()>& moves) {
  simulation.advance(2000);
  const std::vector<MoveCount> before = moves();
  const std::vector<double> radii = disks::find(simulation.measure(), "move_radius").values;
  simulation.advance(4000);
  const std::vector<MoveCount> after = moves();
  for (std::size_t r = 0; r < radii.size(); ++r) {
    const auto tried = static_cast<double>(after[r].tried - before[r].tried);
    const auto accepted = static_cast<double>(after[r].accepted - before[r].accepted);
    EXPECT_NEAR(accepted / tried, 0.55, 0.02);
    EXPECT_LT(radii[r], 0.14);
  }
  EXPECT_EQ(disks::find(simulation.measure(), "move_radius").values, radii);
}

// Without tuning 0.32 of the moves are accepted.
TYPED_TEST(DisksSimulation, TunesTheMoveRadiusOnlyDuringEquilibration) {
  Parameters p = small_run();
  p.tune_acceptance = 0.55;
  p.equilibrate = 2000;
  p.sweeps = 4000;
  const auto simulation = make_simulation<TypeParam>(p);
  expect_tuned(*simulation, [&] {
    std::vector<MoveCount> moves;
    const Configuration c = simulation->configuration();
    for (std::size_t i = 0; i < c.moves.size(); i += 2) moves.push_back({c.moves[i], c.moves[i + 1]});
    return moves;
  });
}

TEST(SequentialSimulation, TunesTheMoveRadiusOnlyDuringEquilibration) {
  Parameters p = small_run();
  p.tune_acceptance = 0.55;
  p.equilibrate = 2000;
  p.sweeps = 4000;
  SequentialSimulation simulation(p);
  expect_tuned(simulation, [&] { return simulation.moves(); });
}

TYPED_TEST(DisksSimulation, SampleEqualsPlainSumsOverPairs) {
  for (const auto& [particles, packing_fraction, aspect, fit] : {std::tuple{400, 0.7, 1.0, PressureFit::automatic},
                                                                 {400, 0.7, 1.0, PressureFit::paper},
                                                                 {2, 0.3, 1.0, PressureFit::automatic},
                                                                 {3, 0.5, 1.0, PressureFit::automatic},
                                                                 {3, 0.5, 1.0, PressureFit::paper},
                                                                 {300, 0.4, 3.0, PressureFit::automatic}}) {
    Parameters p;
    p.pressure_fit = fit;
    p.particles = particles;
    p.packing_fraction = packing_fraction;
    p.aspect = aspect;
    p.replicas = 2;
    const auto simulation = make_simulation<TypeParam>(p);
    simulation->advance(100);
    const auto samples = simulation->sample();
    const Geometry g = simulation->geometry();
    for (std::size_t r = 0; r < 2; ++r) {
      const Sample expected = sample_points(simulation->points()[r], {g.box_x(), g.box_y()}, PairBins{fit});
      EXPECT_EQ(samples[r].pairs, expected.pairs);
      EXPECT_EQ(samples[r].disks, expected.disks);
      EXPECT_NEAR(samples[r].psi6_re, expected.psi6_re, 1e-9);
      EXPECT_NEAR(samples[r].psi6_im, expected.psi6_im, 1e-9);
    }
    if (particles == 400) {
      EXPECT_GT(samples[0].pairs[0] + samples[0].pairs[1], 0u);
    }
  }
}

TYPED_TEST(DisksSimulation, PerfectLatticeHasFullOrder) {
  Parameters p;
  p.particles = 72;
  p.packing_fraction = 0.7;
  p.aspect = 9 / (8 * std::sqrt(3) / 2);
  const auto simulation = make_simulation<TypeParam>(p);
  const auto sample = simulation->sample()[0];
  EXPECT_NEAR(std::hypot(sample.psi6_re, sample.psi6_im), 1, 1e-5);
}

TYPED_TEST(DisksSimulation, MakesNoInitialConfigurationIfStopped) {
  Parameters p = small_run();
  p.packing_fraction = 0.88;
  p.start = Start::random;
  const auto simulation = make_simulation<TypeParam>(p, {});
  EXPECT_FALSE(simulation->start([] { return false; }));
  p.start = Start::lattice;
  p.packing_fraction = 0.7;
  EXPECT_TRUE(make_simulation<TypeParam>(p, {})->start([] { return false; }));
}

TEST(SequentialSimulation, MakesNoInitialConfigurationIfStopped) {
  Parameters p = small_run();
  p.packing_fraction = 0.88;
  p.start = Start::random;
  EXPECT_FALSE(SequentialSimulation(p, {}).start([] { return false; }));
}

TYPED_TEST(DisksSimulation, RefusesAnInitialConfigurationWithOverlaps) {
  Parameters p = small_run();
  p.replicas = 1;
  auto points = lattice_start(p.particles, box_width(p), box_height(p));
  points[7] = points[8];
  EXPECT_THROW(make_simulation<TypeParam>(p, {points}), InputError);
  p.particles = 5;
  p.packing_fraction = 0.45;  // 2.95 diameters wide: between two cells and four
  EXPECT_THROW(make_simulation<TypeParam>(p), InputError);
}

TEST(SequentialSimulation, RestartsToTheLastBitAndMakesNoOverlap) {
  Parameters p = small_run();
  p.start = Start::random;
  SequentialSimulation whole(p), first(p), second(p);
  whole.advance(p.sweeps);
  first.advance(101);
  MemoryArchive archive;
  first.save(archive);
  second.load(archive);
  second.advance(p.sweeps);
  EXPECT_EQ(whole.points(), second.points());
  EXPECT_EQ(whole.measure()[0].values, second.measure()[0].values);
  EXPECT_GT(whole.measure()[0].values[0], 5);
  for (const auto& points : whole.points()) {
    EXPECT_EQ(points.size(), 200u);
    double closest = 10;
    for_each_pair(points, whole.box(), 1.5, [&](std::uint32_t, std::uint32_t, double dx, double dy) {
      closest = std::min(closest, std::hypot(dx, dy));
    });
    EXPECT_GE(closest, 1 - 1e-15);
    EXPECT_LT(closest, 1.01);
  }
}

}  // namespace
}  // namespace tessera::disks
