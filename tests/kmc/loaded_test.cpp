// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <tessera/core/error.hpp>
#include <tessera/kmc/models.hpp>
#include <tessera/kmc/sequential/bkl.hpp>
#include <tessera/kmc/sequential/waiting_time.hpp>
#include <tessera/kmc/steps/saved_steps.hpp>

#include "tests/complaint.hpp"
#include "tests/execution_spaces.hpp"
#include "tests/io/memory_archive.hpp"
#include "tests/kmc/exactness.hpp"
#include "tests/kmc/own_models.hpp"
#include "tests/matchers.hpp"

/// A checkpoint that no run can have written is refused, however right its form.
namespace tessera::kmc {
namespace {

using ::tessera::io::MemoryArchive;
using Forge = std::function<void(MemoryArchive&)>;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// A change of one value, for each of these.
template <class T>
std::vector<Forge> changes(const std::string& entry, std::size_t place, const std::vector<T>& values) {
  std::vector<Forge> all;
  for (const T value : values)
    all.push_back([=](MemoryArchive& archive) { archive.values<T>(entry).at(place) = value; });
  return all;
}

Parameters two_replicas() {
  Parameters p = tiled(lattice(24, 16, 3), 8, 3);
  p.replicas = 2;
  return p;
}

/// Expects all these changes of an archive, which itself is taken, to be refused with a line about `entry`.
template <class Load>
void expect_refused(const MemoryArchive& archive, const std::string& entry, const std::vector<Forge>& forges,
                    const Load& load) {
  SCOPED_TRACE(entry);
  EXPECT_NO_THROW(load(archive));
  for (std::size_t i = 0; i < forges.size(); ++i) {
    SCOPED_TRACE("change " + std::to_string(i));
    MemoryArchive forged = archive;
    forges[i](forged);
    EXPECT_THAT(complaint([&] { load(forged); }), AllOf(HasSubstr("'" + entry + "'"), Not(HasSubstr("\n"))));
  }
}

const std::vector<double> no_times{-1, -forever, forever, not_a_number, -1e-300};
const std::vector<std::uint64_t> no_counts{~std::uint64_t{0}, std::uint64_t{1} << 62};

/// What all methods have in common.
template <Model M, class Load>
void expect_common_refusals(const MemoryArchive& archive, const Load& load) {
  expect_refused(archive, "time", changes<double>("time", 1, no_times), load);
  expect_refused(archive, "events", changes<std::uint64_t>("events", 1, no_counts), load);
  std::vector<typename M::State> states{-2, std::numeric_limits<typename M::State>::min(),
                                        std::numeric_limits<typename M::State>::max()};
  expect_refused(archive, "state", changes("state", 0, states), load);
  expect_refused(archive, "state", changes("state", 2 * 24 * 16 - 1, states), load);
}

/// Of the methods with waiting times.
template <class Load>
void expect_refused_cells(MemoryArchive archive, const Load& load) {
  for (const std::size_t cell : {0u, 24u * 16u, 2u * 24u * 16u - 1u}) {
    expect_refused(archive, "waiting_time", changes<double>("waiting_time", cell, no_times), load);
    const double now = archive.values<double>("time")[cell / (24 * 16)];
    expect_refused(archive, "waiting_time", changes<double>("waiting_time", cell, {std::nextafter(now, 0.0), 1e30}),
                   load);
    expect_refused(archive, "stream", changes<std::uint64_t>("stream", cell, {0}), load);
  }
}

template <class Method, Model M>
MemoryArchive archive_of(Method&& simulation, const M&) {
  simulation.advance(2.5);
  MemoryArchive archive;
  simulation.save(archive);
  return archive;
}

template <class Space>
class LoadedOn : public ::testing::Test {};
TYPED_TEST_SUITE(LoadedOn, testing::ParallelSpaces, testing::ExecutionSpaceNames);

template <class Space, Model M>
void expect_tile_method_to_refuse(const M& model) {
  const Parameters p = two_replicas();
  const MemoryArchive archive = archive_of(*tile_method<Space>(p, model), model);
  const auto load = [&](const MemoryArchive& from) { tile_method<Space>(p, model)->load(from); };
  expect_common_refusals<M>(archive, load);
  expect_refused_cells(archive, load);
  expect_refused(archive, "step", changes<double>("step", 1, {-1, -forever, not_a_number}), load);
  for (const char* counts : {"accepted", "rejected", "repaired"})
    expect_refused(archive, counts, changes<std::uint64_t>(counts, 1, no_counts), load);
  for (const char* flag : {"overshot", "finished"})
    expect_refused(archive, flag, changes<std::int32_t>(flag, 1, {-1, 2}), load);
  expect_refused(archive, "ceiling", changes<double>("ceiling", 1, {-1, 0, not_a_number}), load);
}

TYPED_TEST(LoadedOn, TileMethodRefusesWhatNoRunHasWritten) {
  expect_tile_method_to_refuse<TypeParam>(SolidOnSolid(1));
  expect_tile_method_to_refuse<TypeParam>(Ising(0.4, 0));
  expect_tile_method_to_refuse<TypeParam>(Potts(0.4, 0));
}

TYPED_TEST(LoadedOn, WaitingTimesAreInfiniteWhereTheRateIsZeroAndOnlyThere) {
  const Parameters p = tiled(lattice(24, 16, 3), 8, 3);
  const auto tiles = tile_method<TypeParam>(p, Adsorption());
  tiles->advance(1e6);
  MemoryArchive archive;
  tiles->save(archive);
  const auto load = [&](const MemoryArchive& from) { tile_method<TypeParam>(p, Adsorption())->load(from); };
  const auto one_by_one = [&](const MemoryArchive& from) {
    WaitingTimeSimulation<Adsorption>(p, Adsorption()).load(from);
  };
  for (const std::size_t cell : {0u, 100u}) {
    expect_refused(archive, "waiting_time", changes<double>("waiting_time", cell, {2e6, 1e6, not_a_number}), load);
    expect_refused(archive, "waiting_time", changes<double>("waiting_time", cell, {2e6, 1e6, not_a_number}),
                   one_by_one);
  }
}

// No step is so wrong that the run does not find its way.
TYPED_TEST(LoadedOn, AnyStepIsTaken) {
  const Parameters p = two_replicas();
  const SolidOnSolid model(1);
  const MemoryArchive archive = archive_of(*tile_method<TypeParam>(p, model), model);
  for (const double step : {0.0, 5e-324, 1e-30, 1e30, 1e308, forever}) {
    SCOPED_TRACE(step);
    MemoryArchive forged = archive;
    forged.values<double>("step")[1] = step;
    const auto simulation = tile_method<TypeParam>(p, model);
    simulation->load(forged);
    simulation->advance(20);
    expect_equal(snapshot<SolidOnSolid>(*simulation), sequential(p, model, 20));
    EXPECT_LT(simulation->step_states()[1].accepted, 20'000u);
  }
}

TEST(Loaded, WaitingTimeMethodRefusesWhatNoRunHasWritten) {
  const auto check = []<class M>(const M& model) {
    const Parameters p = two_replicas();
    const MemoryArchive archive = archive_of(WaitingTimeSimulation<M>(p, model), model);
    const auto load = [&](const MemoryArchive& from) { WaitingTimeSimulation<M>(p, model).load(from); };
    expect_common_refusals<M>(archive, load);
    expect_refused_cells(archive, load);
  };
  check(SolidOnSolid(1));
  check(Ising(0.4, 0));
  check(Potts(0.4, 0));
}

TEST(Loaded, BklMethodRefusesWhatNoRunHasWritten) {
  const auto check = []<class M>(const M& model) {
    const Parameters p = two_replicas();
    MemoryArchive archive = archive_of(BklSimulation<M>(p, model), model);
    const auto load = [&](const MemoryArchive& from) { BklSimulation<M>(p, model).load(from); };
    expect_common_refusals<M>(archive, load);
    const std::size_t second = 3, cells = archive.values<std::uint32_t>("order").size() / 2;  // of the second replica
    expect_refused(archive, "generator", changes<std::uint64_t>("generator", second, {0}), load);
    std::vector<std::uint64_t> next_events;
    for (const double time : no_times) next_events.push_back(Kokkos::bit_cast<std::uint64_t>(time));
    next_events.push_back(Kokkos::bit_cast<std::uint64_t>(2.4));
    next_events.push_back(Kokkos::bit_cast<std::uint64_t>(1e6));
    expect_refused(archive, "generator", changes("generator", second + 1, next_events), load);
    expect_refused(archive, "generator", changes<std::uint64_t>("generator", second + 2, {cells, 1ull << 32}), load);
    const auto twice = archive.values<std::uint32_t>("order")[cells + 1];
    const auto beyond = static_cast<std::uint32_t>(cells);
    expect_refused(archive, "order", changes<std::uint32_t>("order", cells, {twice, beyond}), load);
    const auto exchanged = [=](MemoryArchive& forged) {
      auto& order = forged.template values<std::uint32_t>("order");
      std::swap(order[cells], order[2 * cells - 1]);
    };
    expect_refused(archive, "order", {exchanged}, load);
  };
  check(SolidOnSolid(1));
  check(Ising(0.4, 0));
  check(Potts(0.4, 0));
}

/// Keeps the units of what is saved.
struct UnitsOf : io::CheckpointWriter {
  std::map<std::string, std::string> units;

  void write(const std::string& name, io::ElementType, const io::Content&, std::size_t, const std::vector<std::size_t>&,
             const std::string& unit) override {
    units[name] = unit;
  }
};

TEST(SavedSteps, TimesHaveTheUnitOfTheModel) {
  UnitsOf saved;
  save_steps(saved, {StepState{}}, "weeks", 7);
  for (const std::string time : {"step", "ceiling"}) EXPECT_EQ(saved.units.at(time), "weeks") << time;
  EXPECT_EQ(std::ranges::count(saved.units, "weeks", [](const auto& entry) { return entry.second; }), 2);
}

}  // namespace
}  // namespace tessera::kmc
