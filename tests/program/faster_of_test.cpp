// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "methods/faster_of.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <ctime>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string>
#include <tessera/kmc/models.hpp>
#include <vector>

#include "tests/io/memory_archive.hpp"

namespace tessera::program {
namespace {

using kmc::Method;
constexpr double forever = std::numeric_limits<double>::infinity();

/// Asks whether to go on before each event, of which there is one in each unit of time; or asks for ever, without any.
class Ticks : public kmc::AnySimulation<kmc::Ising> {
 public:
  explicit Ticks(bool has_events) : has_events_(has_events) { parameters_.until_time = 1e9; }

  bool advance(double until, const std::function<bool()>& keep_going) override {
    for (; time_ < until || !has_events_; time_ += has_events_ ? 1 : 0)
      if (!keep_going()) return false;
    return true;
  }
  std::vector<std::uint64_t> events() const override { return {static_cast<std::uint64_t>(time_)}; }
  std::vector<double> times() const override { return {time_}; }
  std::vector<bool> ended() const override { return {false}; }
  const kmc::Parameters& parameters() const override { return parameters_; }
  const kmc::Ising& model() const override { return model_; }
  History drain_history() override { return {}; }
  std::vector<Observable> measure() override { return {}; }
  std::vector<State> states() const override { return {}; }
  void read_states(std::size_t, std::size_t, std::span<State>) const override {}
  std::vector<std::vector<kmc::ClusterSizes>> cluster_sizes() const override { return {}; }
  void start_from(const std::function<std::vector<State>()>&) override {}
  void save(io::CheckpointWriter& archive) const override { archive.scalar("time", time_); }
  void load(const io::CheckpointReader& archive) override { time_ = archive.scalar<double>("time"); }

 private:
  kmc::Parameters parameters_;
  kmc::Ising model_{0.4};
  bool has_events_;
  double time_ = 0;
};

/// Methods on a clock that each question whether to go on advances, by the wall time of an event of the present method.
struct Race {
  bool advance(double until, double limit = forever) {
    return run.advance(until, [this, limit] {
      tries_bkl = false;
      now += seconds[present];
      spent[present] += seconds[present];
      return now < limit;
    });
  }

  double seconds[3], spent[3] = {0, 0, 0}, now = 0;  // by Method
  bool has_events[3] = {true, true, true};
  std::size_t present = 0;
  std::vector<std::string> told = {};
  FasterOf<kmc::Ising> run{std::make_unique<Ticks>(true),
                           [this](Method method) {
                             tries_bkl = method == Method::bkl;
                             if (!tries_bkl) present = static_cast<std::size_t>(method);
                             return std::make_unique<Ticks>(has_events[static_cast<std::size_t>(method)]);
                           },
                           [this](const std::string& text) { told.push_back(text); },
                           [this] { return now += tries_bkl ? bkl_seconds : 0; }};
  double bkl_seconds = 1e-3;  // of an event
  bool tries_bkl = false;
};
constexpr std::size_t tile = static_cast<std::size_t>(Method::tile),
                      waiting = static_cast<std::size_t>(Method::waiting_time);

/// Of tiles and of waiting times, whose wall seconds of an event are these.
std::unique_ptr<Race> race(double of_tile, double of_waiting) {
  auto its = std::unique_ptr<Race>(new Race{{0, 0, 0}});
  its->seconds[tile] = of_tile;
  its->seconds[waiting] = of_waiting;
  return its;
}

TEST(FasterOf, RunsByTheFasterMethodAndFollowsChanges) {
  const auto its = race(1e-3, 1e-5);
  EXPECT_FALSE(its->advance(1e8, 5));
  EXPECT_EQ(its->present, waiting);
  EXPECT_LT(its->spent[tile], 0.11);
  its->seconds[waiting] = 1e-2;  // now it is the slower one
  EXPECT_FALSE(its->advance(1e8, 20));
  EXPECT_EQ(its->present, tile);
  EXPECT_GT(its->spent[tile], 12);
  EXPECT_TRUE(its->advance(1e6));
  EXPECT_EQ(its->run.time(), 1e6);
  EXPECT_EQ(its->run.work(), 1e6);
}

TEST(FasterOf, KeepsTilesIfTheyAreFaster) {
  const auto its = race(1e-4, 1e-3);
  EXPECT_FALSE(its->advance(1e8, 30));
  EXPECT_EQ(its->present, tile);
  EXPECT_GE(its->spent[waiting], 0.099);
  EXPECT_LT(its->spent[waiting], 1);
}

TEST(FasterOf, ATrialWithoutEventsEnds) {
  const auto its = race(1e-3, 1e-3);
  its->has_events[waiting] = false;
  EXPECT_TRUE(its->advance(2000));
  EXPECT_EQ(its->present, tile);
  EXPECT_GE(its->spent[waiting], 0.099);
  EXPECT_LT(its->spent[waiting], 0.2);
}

TEST(FasterOf, AStopEndsATrialWithoutEvents) {
  const auto its = race(1e-3, 1e-3);
  its->has_events[waiting] = false;
  EXPECT_FALSE(its->advance(2000, 0.15));
  EXPECT_EQ(its->present, waiting);
  EXPECT_LT(its->now, 0.16);
}

TEST(FasterOf, ManyShortAdvancesAreATrialToo) {
  const auto its = race(1e-3, 1e-5);
  for (int i = 1; i <= 400; ++i) EXPECT_TRUE(its->advance(i));
  EXPECT_EQ(its->present, waiting);
}

TEST(FasterOf, TellsOnceThatBklIsFaster) {
  const auto fast = race(1e-3, 1e-3);
  fast->bkl_seconds = 1e-6;  // 1e9 events to time 1e9: 1000 s instead of 1e6 s
  EXPECT_FALSE(fast->advance(1e8, 100));
  ASSERT_EQ(fast->told.size(), 1u);
  EXPECT_THAT(fast->told[0], ::testing::HasSubstr("--method bkl"));
  EXPECT_THAT(fast->told[0], ::testing::HasSubstr("about 16 min 40 s instead of"));
  const auto slow = race(1e-5, 1e-5);
  slow->bkl_seconds = 1e-5;
  EXPECT_FALSE(slow->advance(1e8, 10));
  EXPECT_THAT(slow->told, ::testing::IsEmpty());
}

using Host = Kokkos::DefaultHostExecutionSpace;

template <kmc::Model M>
std::unique_ptr<FasterOf<M>> both_of(const kmc::Parameters& p, const M& model, std::vector<Method>& made,
                                     const std::function<double()>& clock) {
  const auto make = [=, &made](Method method) -> std::unique_ptr<kmc::AnySimulation<M>> {
    made.push_back(method);
    if (method == Method::waiting_time) return kmc::make_waiting_time(p, model);
    return kmc::make_tile_method<Host>(p, model);
  };
  return std::make_unique<FasterOf<M>>(kmc::make_tile_method<Host>(p, model), make,
                                       std::function<void(const std::string&)>(), clock);
}

template <kmc::Model M>
io::MemoryArchive state_of(const kmc::AnySimulation<M>& simulation) {
  io::MemoryArchive archive;
  simulation.save(archive);
  return archive;
}

/// On a clock on which the method on trial is always the faster one, so that the run changes it again and again.
template <kmc::Model M>
void expect_bits_of_each_method(const M& model, double until) {
  kmc::Parameters p;
  p.nx = p.ny = 32;
  p.until_time = until;
  std::vector<Method> made;
  double now = 0, step = 0.03;
  const auto clock = [&] { return now += step *= 0.999; };
  constexpr int stops = 1200;
  const auto first = both_of(p, model, made, clock);
  for (int i = 1; i <= stops / 2; ++i) first->advance(until * i / stops, [] { return true; });
  const std::size_t before = made.size();
  const auto restarted = both_of(p, model, made, clock);
  restarted->load(state_of(*first));
  step = 0.03;
  for (int i = stops / 2; i <= stops; ++i) restarted->advance(until * i / stops, [] { return true; });
  EXPECT_GE(before, 1u);
  EXPECT_GE(made.size(), before + 2);
  EXPECT_GE(std::ranges::count(made, Method::tile), 1);
  EXPECT_TRUE(restarted->finished());
  const io::MemoryArchive found = state_of(*restarted);
  const auto by_waiting_times = kmc::make_waiting_time(p, model);
  const auto by_tiles = kmc::make_tile_method<Host>(p, model);
  for (auto* one : std::initializer_list<kmc::AnySimulation<M>*>{by_waiting_times.get(), by_tiles.get()}) {
    one->advance(until);
    EXPECT_GT(one->work(), 2000);
    const io::MemoryArchive alone = state_of(*one);
    for (const char* name : {"time", "origin", "waiting_time", "absorbed_at"})
      EXPECT_EQ(found.template values<double>(name), alone.template values<double>(name)) << name;
    for (const char* name : {"stream", "events"})
      EXPECT_EQ(found.template values<std::uint64_t>(name), alone.template values<std::uint64_t>(name)) << name;
    EXPECT_EQ(restarted->states(), one->states());
  }
}

TEST(FasterOf, ChangesOfTheMethodDoNotChangeTheTrajectory) {
  expect_bits_of_each_method(kmc::SolidOnSolid(1), 100);
  expect_bits_of_each_method(kmc::Ising(4), 2e7);
}

// Where each event needs a boundary of the clock, the tile method passes over the lattice for each.
TEST(FasterOf, RunsAStiffModelByWaitingTimes) {
  kmc::Parameters p;
  p.nx = p.ny = 128;
  std::vector<Method> made;
  const auto seconds = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  const auto both = both_of(p, kmc::Ising(8), made, seconds);
  const double begin = seconds();
  both->advance(forever, [&] { return seconds() < begin + 1; });
  ASSERT_FALSE(made.empty());
  EXPECT_EQ(made.back(), Method::waiting_time);
  EXPECT_LE(made.size(), 3u);
}

}  // namespace
}  // namespace tessera::program
