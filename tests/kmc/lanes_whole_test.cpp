// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <cstddef>
#include <numeric>
#include <string>
#include <tessera/kmc/impl/initial_state.hpp>
#include <tessera/kmc/kernels/advance_replica.hpp>
#include <tessera/kmc/models.hpp>
#include <vector>

#include "tests/kmc/exactness.hpp"
#include "tests/kmc/lanes.hpp"
#include "tests/kmc/own_models.hpp"

/// What a team of many lanes makes of a lattice of one window is the trajectory of the sequential method.
namespace tessera::kmc {
namespace {

template <class Lanes>
class ManyLanesOnOneWindow : public ManyLanes<Lanes> {};
TYPED_TEST_SUITE(ManyLanesOnOneWindow, NumbersOfWhole, NumberNames);

struct KeepNoRecord {
  KOKKOS_FUNCTION void operator()(int, const StepRecord&) const {}
};

/// A replica of one window, run to `stop` or to its wanted number of events by a team of so many lanes; its step
/// control begins with `step`.
template <int Lanes, Model M>
StepState run_whole(const Parameters& p, const M& model, const TeamWay& way, double step, double stop,
                    Snapshot<M>& result) {
  State<Kokkos::HostSpace, M> state(Geometry{p.nx, p.ny, p.nx, 1, 1, 1});
  const auto cells = static_cast<std::size_t>(state.geometry.sites());
  state.streams.seed(Host(), p.seed, 0, cells);
  start_states(Host(), state, model, p.seed);
  start_times(Host(), state, model);
  TileSizes sizes;
  sizes.tile = p.nx;
  const StepRules rules(p, sizes, 1, events_goal(p));
  const AdvanceReplica<EmulatedLanes<Lanes>, M> work{state, model, rules, way.order};
  const ScratchBytes bytes(p.nx, 0, Lanes);
  std::vector<std::max_align_t> scratch((bytes.level0 + bytes.level1) / sizeof(std::max_align_t) + 4);
  auto* const first = reinterpret_cast<char*>(scratch.data());
  StepState done;
  done.step = step;
  done.stop = stop;
  done.ceiling = forever;
  rules.aim(done);
  const StepState begin = done;
  std::vector<std::uint64_t> counted(groups<M> + 1);
  EmulatedTeam<Lanes>::run(
      [&](const EmulatedTeam<Lanes>& team) {
        StepState its = begin;
        work.run(team, {first, first + (bytes.level0 + 15) / 16 * 16}, 0, 1 << 20, its, counted.data(), KeepNoRecord());
        if (team.team_rank() == 0) done = its;
      },
      way.on_threads);
  // Every event of the models that count groups belongs to one.
  EXPECT_EQ(std::accumulate(counted.begin(), counted.end(), std::uint64_t{0}), groups<M> > 0 ? done.events : 0);
  result = {{done.time},
            {done.events},
            {state.states.data(), state.states.data() + cells},
            {state.times.data(), state.times.data() + cells},
            {state.streams.states().data(), state.streams.states().data() + cells}};
  return done;
}

template <int Lanes, Model M>
StepState expect_whole(Parameters p, const M& model, const TeamWay& way, double step, double stop = forever) {
  SCOPED_TRACE(std::to_string(Lanes) + " lanes, side " + std::to_string(p.nx) + ", order " +
               std::to_string(static_cast<int>(way.order)));
  Snapshot<M> result;
  const StepState done = run_whole<Lanes>(p, model, way, step, stop, result);
  expect_equal(result, sequential(p, model, stop));
  return done;
}

TYPED_TEST(ManyLanesOnOneWindow, AdvanceAWholeLatticeAsTheSequentialMethodDoes) {
  constexpr int lanes = TypeParam::value;
  for (const EventOrder order : TestFixture::orders()) {
    const TeamWay way{order};
    EXPECT_GT(expect_whole<lanes>(lattice(12, 12), SolidOnSolid(1), way, 0.1, 8).events, 50u);
    EXPECT_GT(expect_whole<lanes>(lattice(24, 24, 7), SolidOnSolid(0), way, 0.1, 1).events, 300u);
    EXPECT_GT(expect_whole<lanes>(up_to_event(lattice(16, 16, 3), 301), testing::Species(), way, 0.2).events, 300u);
    EXPECT_GT(expect_whole<lanes>(up_to_event(lattice(16, 16, 5), 301), Hopping(0.5, 1), way, 0.2).events, 300u);
    EXPECT_GT(expect_whole<lanes>(lattice(12, 12), Epitaxy(1, 20, 1), way, 0.1, 2).events, 300u);
    EXPECT_GT(expect_whole<lanes>(lattice(20, 20), Octahedron(1), way, 0.1, 4).events, 100u);
  }
  const StepState done = expect_whole<lanes>(up_to_event(lattice(40, 40), 2500), SolidOnSolid(2), {}, 4);
  EXPECT_EQ(done.events, 2500u);
}

// With steps that are far too long: what is out of order has to be seen, and never kept.
TYPED_TEST(ManyLanesOnOneWindow, RejectStepsOfAWholeLatticeThatAreOutOfOrder) {
  constexpr int lanes = TypeParam::value;
  std::uint64_t rejected = 0;
  for (int seed = 1; seed <= 4; ++seed) {
    rejected += expect_whole<lanes>(lattice(24, 24, seed), SolidOnSolid(1), {}, 8, 8).rejected;
    rejected += expect_whole<lanes>(lattice(24, 24, seed), testing::Species(), {}, 2, 2).rejected;
    expect_whole<lanes>(lattice(24, 24, seed), Hopping(0.5, 1), {}, 4, 4);
  }
  EXPECT_GE(rejected, 4u);
}

TEST(OneLane, AdvancesAWholeLatticeAsTheSequentialMethodDoes) {
  EXPECT_GT(expect_whole<1>(lattice(13, 13), SolidOnSolid(1), {}, 0.1, 8).events, 50u);
  EXPECT_GT(expect_whole<1>(lattice(7, 7), testing::Species(), {}, 0.1, 4).events, 100u);
  EXPECT_GT(expect_whole<1>(lattice(7, 7), Hopping(0.5, 1), {}, 0.1, 4).events, 20u);
  EXPECT_GT(expect_whole<1>(up_to_event(lattice(64, 64), 3001), SolidOnSolid(2), {}, 4).events, 3000u);
}

}  // namespace
}  // namespace tessera::kmc
