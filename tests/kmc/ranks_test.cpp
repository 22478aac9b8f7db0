// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/kmc/memory.hpp>
#include <tessera/kmc/models.hpp>
#include <tessera/kmc/sequential/waiting_time.hpp>
#include <tessera/kmc/simulation.hpp>
#include <vector>

#include "tests/complaint.hpp"
#include "tests/io/memory_archive.hpp"
#include "tests/kmc/exactness.hpp"
#include "tests/kmc/own_models.hpp"
#include "tests/matchers.hpp"
#include "tests/parallel/rank_tests.hpp"
#include "tests/view_bytes.hpp"

// One lattice shared out among ranks. Rank 0 computes what one process makes of it, too, and all that decides the
// trajectory is compared to the last bit; the other ranks know of it what rank 0 knows.
namespace tessera::kmc {
namespace {

using io::MemoryArchive;
using parallel::GridShape;

using Space = Kokkos::DefaultHostExecutionSpace;

template <Model M>
std::unique_ptr<AnyTileMethod<M>> of_one_process(const Parameters& p, const M& model) {
  return make_tile_method<Space>(p, model);
}
template <Model M>
std::unique_ptr<AnyTileMethod<M>> of_all_ranks(const Parameters& p, const M& model,
                                               const std::optional<GridShape>& grid = {}) {
  return make_tile_method<Space>(p, model, ranks(), grid);
}

/// `single`: at rank 0, null at others.
template <Model M>
void expect_same(AnyTileMethod<M>& shared, AnyTileMethod<M>* single, const parallel::Communicator& among = ranks()) {
  // Without those that count steps and repairs after the last event of an absorbed replica, whose number depends on how
  // many are launched together, and thus on the speed of the machine. Steps are chosen by the reports of the whole.
  const bool ended = std::ranges::any_of(shared.absorbed(), [](double time) { return std::isfinite(time); });
  const auto facts = [&](AnyTileMethod<M>& of) {
    std::vector<Observable> all = of.measure();
    if (ended) std::erase_if(all, [](const Observable& o) { return o.is_diagnostic; });
    all.push_back({"times", "", of.times()});
    all.push_back({"absorbed", "", of.absorbed()});
    const auto events = of.events();
    all.push_back({"events", "", {events.begin(), events.end()}});
    all.push_back({"end", "", {of.finished() ? 1.0 : 0}});
    return all;
  };
  const auto some_facts = facts(shared);
  for (const Observable& one : some_facts) expect_agreement(one, among);
  const auto some = snapshot<M>(shared);
  if (single != nullptr) {
    expect_equal(some_facts, facts(*single));
    expect_equal(some, snapshot<M>(*single));
  } else {
    EXPECT_TRUE(some.states.empty());
  }
}

/// Runs to each time and to the wanted event on every grid of ranks, and compares there.
template <Model M>
Work expect_one_process(const Parameters& p, const M& model, const std::vector<double>& stops) {
  const auto single = has_all() ? of_one_process(p, model) : nullptr;
  std::map<std::string, std::unique_ptr<AnyTileMethod<M>>> shared;
  for (const GridShape& grid : grids())
    if (units_of(p, tile_sizes(p, 1, event_reach<M>)).fits(grid))
      shared.try_emplace(on_ranks(grid), of_all_ranks(p, model, grid));
  const auto expect_all_same = [&](double time) {
    if (single && time > 0) single->advance(time);
    for (auto& [grid, simulation] : shared) {
      SCOPED_TRACE(describe(p, EventOrder::local) + ", " + grid + ", time " + std::to_string(time));
      if (time > 0) simulation->advance(time);
      expect_same(*simulation, single.get());
    }
  };
  expect_all_same(0);
  for (const double until : stops) expect_all_same(until);
  Work work;
  for (const auto& [grid, simulation] : shared) work.add(*simulation);
  return work;
}

Parameters shared_lattice(int nx, int ny, int tile, int halo, StepControl control, std::uint64_t seed) {
  Parameters p = tiled(lattice(nx, ny, seed), tile, halo, control);
  p.replicas = 2;
  p.repair_halo = control == StepControl::repair ? std::min(2 * halo, tile) : 0;
  return p;
}

// Five and seven tiles a side: blocks differ in size, and two ranks are each other's neighbours on both sides.
TEST(SharedLattice, IsThatOfOneProcessWithRepair) {
  const Parameters p = shared_lattice(56, 40, 8, 4, StepControl::repair, 1);
  EXPECT_GT(expect_one_process(p, SolidOnSolid(1), {0.5, 2, 2.25, 6}).repaired, 0u);
  EXPECT_GT(expect_one_process(p, Species(), {0.5, 2, 2.25, 6}).repaired, 0u);
  EXPECT_GT(expect_one_process(p, Hopping(0.5, 1, 0.1, 0.1), {0.5, 2, 2.25, 6}).repaired, 0u);
  const Parameters wider = shared_lattice(56, 40, 8, 5, StepControl::repair, 1);
  EXPECT_GT(expect_one_process(wider, Kawasaki(0.5, 1), {0.5, 2, 2.25, 6}).repaired, 0u);
}

TEST(SharedLattice, IsThatOfOneProcessWithReject) {
  const Parameters p = shared_lattice(40, 56, 8, 4, StepControl::reject, 2);
  EXPECT_GT(expect_one_process(p, SolidOnSolid(1), {1, 3}).rejected, 0u);
  EXPECT_GT(expect_one_process(p, Species(), {1, 3}).rejected, 0u);
  EXPECT_GT(expect_one_process(p, Hopping(0.5, 1), {1, 3}).rejected, 0u);
  const Parameters wider = shared_lattice(40, 56, 8, 5, StepControl::reject, 2);
  EXPECT_GT(expect_one_process(wider, Kawasaki(0.5, 1), {1, 3}).rejected, 0u);
}

// A tile a rank, or as few as the ghost ring is wide; small tiles within a wide ring.
TEST(SharedLattice, MayHaveBlocksAsSmallAsTheGhostRing) {
  expect_one_process(shared_lattice(32, 32, 8, 4, StepControl::repair, 3), Species(), {1, 4});
  Parameters p = shared_lattice(48, 48, 4, 3, StepControl::repair, 4);
  p.repair_halo = 11;
  expect_one_process(p, SolidOnSolid(2), {1, 4});
}

TEST(SharedLattice, StopsRightAfterTheWantedEvent) {
  for (const std::uint64_t events : {1u, 17u, 1001u, 5003u}) {
    const Parameters p = up_to_event(shared_lattice(56, 40, 8, 4, StepControl::repair, events), events);
    expect_one_process(p, SolidOnSolid(1), {0.3, forever});
    expect_one_process(p, Species(), {0.3, forever});
  }
}

// The ranks find that nothing is possible any more in lattices of which each has a part.
TEST(SharedLattice, IsAbsorbedAtItsLastEvent) {
  for (const StepControl control : {StepControl::repair, StepControl::reject}) {
    Parameters p = shared_lattice(96, 64, 8, 4, control, 9);
    expect_one_process(p, Adsorption(), {1, 4, 64, forever});
    p.until_events_per_site = 1;
    expect_one_process(p, Adsorption(), {1, 4, 64});
    WaitingTimeSimulation<Adsorption> expected(p, Adsorption());
    const auto shared = of_all_ranks(p, Adsorption());
    expected.advance(forever);
    shared->advance(forever);
    EXPECT_TRUE(shared->finished());
    EXPECT_EQ(shared->times(), expected.times());
    EXPECT_EQ(shared->absorbed(), expected.times());
  }
}

// Which of two neighbours with the same time comes first decides whether the other one comes at all: that of the
// smaller number in the whole lattice, wherever ranks have it.
TEST(SharedLattice, HasEqualTimesInTheOrderOfTheSitesOfTheWhole) {
  const Parameters p = shared_lattice(56, 40, 8, 4, StepControl::repair, 5);
  const auto start = of_one_process(p, SolidOnSolid(1));
  for (const bool in_columns : {false, true}) {
    MemoryArchive archive = saved(*start);
    auto& times = archive.values<double>("waiting_time");
    for (std::size_t c = 0; c < times.size(); ++c) {
      const int x = static_cast<int>(c) % p.nx, y = static_cast<int>(c) / p.nx % p.ny;
      const bool is_early = in_columns ? x % (p.nx - 1) == 0 && y % 5 == 1 : y % (p.ny - 1) == 0 && x % 5 == 1;
      times[c] = is_early ? 0.5 : 1.0 + 0.01 * (in_columns ? y : x);
    }
    for (const GridShape& grid : grids()) {
      SCOPED_TRACE(on_ranks(grid));
      const auto shared = of_all_ranks(p, SolidOnSolid(1), grid), single = of_one_process(p, SolidOnSolid(1));
      for (const auto& simulation : {shared.get(), single.get()}) {
        simulation->load(archive);
        simulation->advance(0.75);
      }
      expect_same(*shared, has_all() ? single.get() : nullptr);
    }
  }
}

// The earliest event of the whole decides how far the clock moves on.
TEST(SharedLattice, PassesEpochsLikeOneProcess) {
  const SolidOnSolid model(4);
  expect_one_process(shared_lattice(56, 40, 8, 4, StepControl::repair, 5), model, {1e3, 1e4, 2e4});
  expect_one_process(up_to_event(shared_lattice(40, 56, 8, 4, StepControl::reject, 5), 2000), model, {1e4, forever});
}

// At the end of a window each cell's rates depend on its neighbours, those of other ranks included.
TEST(SharedLattice, ChangesItsRatesLikeOneProcess) {
  const Programmed model(
      Programmed::Windows{{{0.3, 1, 2}, {0.5, 1.2, 0}, {0.75, 0, 1}, {0.8, 1e2, 1e3}, {forever, 0.6, 0.2}}}, 1);
  expect_one_process(shared_lattice(56, 40, 8, 4, StepControl::repair, 5), model, {0.2, 0.6, 1, 2});
}

/// From any number of ranks on any other one.
TEST(SharedLattice, ContinuesOnAnyNumberOfRanks) {
  const Parameters p = shared_lattice(56, 40, 8, 4, StepControl::repair, 6);
  const auto single = of_one_process(p, Species());
  MemoryArchive archive;
  double time = 0;
  for (const int size : {ranks().size(), 1, ranks().size() / 2 + 1, ranks().size()}) {
    SCOPED_TRACE(size);
    const auto some = ranks().split(ranks().rank() < size ? 0 : 1);
    single->advance(time + 1);
    if (ranks().rank() < size) {
      const auto shared = make_tile_method<Space>(p, Species(), some);
      if (time > 0) shared->load(archive);
      shared->advance(time + 1);
      expect_same(*shared, has_all() ? single.get() : nullptr, some);
      archive = saved(*shared);
    }
    time += 1;
  }
}

/// As the output file does: in parts that begin and end anywhere.
TEST(SharedLattice, IsReadInParts) {
  const Parameters p = shared_lattice(56, 40, 8, 4, StepControl::repair, 9);
  const auto shared = of_all_ranks(p, Species()), single = of_one_process(p, Species());
  shared->advance(1);
  single->advance(1);
  const auto all = single->states();
  for (std::size_t first = 0; first < all.size();) {
    const std::size_t count = std::min(first % 1000 + 37, all.size() - first);
    std::vector<Species::State> part(has_all() ? count : 0);
    shared->read_states(first, count, part);
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(has_all() ? first : 0);
    EXPECT_EQ(part, std::vector(begin, begin + static_cast<std::ptrdiff_t>(part.size())));
    first += count;
  }
}

TEST(SharedLattice, BeginsWithTheStatesThatRankZeroHas) {
  const Parameters p = shared_lattice(56, 40, 8, 4, StepControl::repair, 12);
  const SolidOnSolid model(1);
  WaitingTimeSimulation<SolidOnSolid> sequential(p, model);
  sequential.advance(2);
  const std::vector<SolidOnSolid::State> states = sequential.states();
  sequential.start_from([&] { return states; });
  sequential.advance(1);
  for (const GridShape& grid : grids()) {
    SCOPED_TRACE(on_ranks(grid));
    const auto shared = of_all_ranks(p, model, grid);
    shared->advance(0.5);
    shared->start_from([&] { return states; });
    shared->advance(1);
    EXPECT_EQ(shared->events(), sequential.events());
    const auto some = snapshot<SolidOnSolid>(*shared);  // all ranks
    if (has_all()) expect_equal(some, snapshot<SolidOnSolid>(sequential));
  }
}

TEST(SharedLattice, TakesTheMemoryThatIsKnownBeforehand) {
  for (const auto control : {StepControl::repair, StepControl::reject}) {
    const Parameters p = shared_lattice(56, 40, 8, 4, control, 10);
    for (const GridShape& grid : grids()) {
      const TileSizes sizes = tile_sizes(p, 1, event_reach<SolidOnSolid>);
      const Geometry share = block_of(p, sizes, distribute(p, sizes, ranks(), grid));
      const auto advanced = [&](const auto& model) {
        return [&] {
          auto simulation = of_all_ranks(p, model, grid);
          simulation->advance(0.1);
          return simulation;
        };
      };
      testing::expect_bytes_of_views(memory_needed<Species>(p, share).device, advanced(Species()));
      testing::expect_bytes_of_views(memory_needed<SolidOnSolid>(p, share).device, advanced(SolidOnSolid(1)));
    }
  }
}

/// Where a step is too long for a few tiles alone, ranks without one of them go on longer than the others.
TEST(SharedLattice, RejectsAStepThatIsTooLongForATileLikeOneProcess) {
  Parameters p = shared_lattice(56, 40, 8, 4, StepControl::repair, 11);
  p.replicas = 1;
  MemoryArchive archive;
  StepState at_start{};
  if (has_all()) {
    const auto start = of_one_process(p, SolidOnSolid(0.05));
    start->advance(1);
    archive = saved(*start);
    at_start = start->step_states()[0];
  }
  int rejected_with_repairs = 0, rejected_without = 0;
  std::vector<double> steps{18, 22, 27, 33, 40, 60, 100};  // a window has more room on some backends
  for (int i = 0; i < 8; ++i) steps.push_back(15.76 + 0.03 * i);
  for (const double step : steps) {
    SCOPED_TRACE(step);
    if (has_all()) archive.values<double>("step").assign(1, step);
    const auto after = [&](const std::unique_ptr<AnyTileMethod<SolidOnSolid>>& any) {
      any->load(archive);
      auto& simulation = static_cast<Simulation<Space, SolidOnSolid>&>(*any);
      simulation.aim(forever);
      simulation.steps().step(0);
      return simulation.steps().steps(0);
    };
    const StepState shared = after(of_all_ranks(p, SolidOnSolid(0.05)));
    const StepState single =
        ranks().broadcast(has_all() ? after(of_one_process(p, SolidOnSolid(0.05))) : StepState{});
    EXPECT_EQ(shared.rejected, single.rejected);
    EXPECT_EQ(shared.repaired, single.repaired);
    EXPECT_EQ(shared.step, single.step);
    (single.repaired > ranks().broadcast(at_start.repaired) ? rejected_with_repairs : rejected_without)++;
  }
  EXPECT_GT(rejected_with_repairs, 0);
  EXPECT_GT(rejected_without, 0);
}

TEST(SharedLattice, RefusesACheckpointAtAllRanks) {
  const Parameters p = shared_lattice(56, 40, 8, 4, StepControl::repair, 7);
  const auto single = of_one_process(p, Species());
  single->advance(1);
  MemoryArchive archive = saved(*single);
  archive.values<std::uint64_t>("stream").back() = 0;
  const auto shared = of_all_ranks(p, Species());
  EXPECT_THAT(complaint([&] { shared->load(has_all() ? archive : MemoryArchive()); }),
              AllOf(HasSubstr("'stream'"), HasSubstr(": cell " + std::to_string(2 * 56 * 40 - 1))));
}

TEST(SharedLattice, ThatCannotBeDividedIsRefusedWithPossibleNumbers) {
  if (ranks().size() == 1) return;
  const Parameters p = shared_lattice(8, 8, 8, 4, StepControl::repair, 8);
  EXPECT_THAT(complaint([&] { of_all_ranks(p, Species()); }),
              HasSubstr("use 1 rank, a larger --size or a smaller --tile"));
}

}  // namespace
}  // namespace tessera::kmc
