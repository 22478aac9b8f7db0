// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/replica_groups.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <tessera/core/error.hpp>
#include <thread>
#include <vector>

#include "tests/io/memory_archive.hpp"
#include "tests/parallel/rank_tests.hpp"
#include "tests/program/counter_process.hpp"

/// Each rank is a group of its own.
namespace tessera::testing {
namespace {

using parallel::RankGroups;
using program::ReplicaGroups;

/// The counter process, which throws RunError in one of its verbs.
class FailingProcess : public CounterProcess {
 public:
  using CounterProcess::CounterProcess;

  bool start(const std::function<bool()>&) override { return pass("start"), true; }
  bool advance(double until, const std::function<bool()>& keep_going) override {
    pass("advance");
    return CounterProcess::advance(until, keep_going);
  }
  std::vector<Observable> measure() override { return pass("measure"), CounterProcess::measure(); }
  std::vector<Field> fields() override { return pass("fields"), CounterProcess::fields(); }
  std::vector<ParticleFrame> particles() override { return pass("particles"), CounterProcess::particles(); }
  void save(io::CheckpointWriter& checkpoint) const override {
    checkpoint.text("begun", "");
    pass("save");
    CounterProcess::save(checkpoint);
  }
  void load(const io::CheckpointReader& checkpoint) override {
    checkpoint.has("begun");
    pass("load");
    CounterProcess::load(checkpoint);
  }

  std::string fails_in;

 private:
  void pass(const std::string& verb) const {
    if (verb == fails_in) throw RunError(verb + " is broken");
  }
};

const CounterProcess::StoppingTime stopping_time{10.0};
int replicas() { return ranks().size() + 1; }
RankGroups groups() { return {ranks(), 1, replicas()}; }

template <class Process = CounterProcess>
std::unique_ptr<Process> own(const RankGroups& of) {
  const parallel::Block mine = of.share();
  return std::make_unique<Process>(7 + static_cast<std::uint64_t>(mine.first), static_cast<int>(mine.size()),
                                   stopping_time);
}

TEST(GroupsOfRanks, FormOneSimulationOfAllReplicas) {
  CounterProcess all(7, replicas(), stopping_time);
  ReplicaGroups some(own(groups()), groups());
  EXPECT_TRUE(some.advance(3, [] { return true; }));
  all.advance(3, [] { return true; });
  EXPECT_EQ(some.times(), all.times());
  EXPECT_EQ(some.work(), all.work());
  EXPECT_FALSE(some.finished());
  const auto values_of = [](SimulationInterface& simulation) {
    std::vector<double> values(2 * static_cast<std::size_t>(replicas()));
    const auto field = simulation.fields().at(0).data;
    const auto bytes = std::as_writable_bytes(std::span(values));
    field(0, bytes.size(), has_all() ? bytes : std::span<std::byte>());
    return values;
  };
  const auto measured = some.measure();
  const auto values = values_of(some);
  if (has_all()) {
    EXPECT_EQ(measured.at(0).values, all.measure().at(0).values);
    EXPECT_EQ(values, values_of(all));
  }

  io::MemoryArchive saved, expected;
  some.save(saved);
  all.save(expected);
  EXPECT_EQ(saved == expected, has_all());
  ReplicaGroups later(own(groups()), groups());
  later.load(saved);
  EXPECT_TRUE(later.advance(10, [] { return true; }));
  all.advance(10, [] { return true; });
  EXPECT_EQ(later.times(), all.times());
  EXPECT_TRUE(later.finished());
}

/// A step to each half of a time; a group can stop at a half, as between a sweep of disks and its sample. Some groups
/// take several steps at once.
class HalfSteps : public CounterProcess {
 public:
  using CounterProcess::CounterProcess;
  bool advance(double until, const std::function<bool()>& keep_going) override {
    while (halves < 2 * until) {
      if (!keep_going()) return false;
      std::this_thread::sleep_for(std::chrono::microseconds(50));
      halves = std::min(halves + at_once, static_cast<int>(2 * std::ceil(until)));
    }
    return true;
  }
  double time() const override { return halves / 2.0; }
  bool has_one_time() const override { return true; }
  int halves = 0, at_once = 1;
};

TEST(GroupsOfRanks, StopAtACommonTimeThatMayBeFractional) {
  for (int steps = 1; steps < 8; ++steps) {
    auto process = own<HalfSteps>(groups());
    HalfSteps& mine = *process;
    mine.at_once = 1 + ranks().rank() % 3;
    ReplicaGroups some(std::move(process), groups());
    int looks = 0;
    EXPECT_FALSE(some.advance(10000, [&] { return ranks().rank() != ranks().size() - 1 || looks++ < steps; }));
    EXPECT_EQ(ranks().min(std::int64_t{mine.halves}), ranks().max(std::int64_t{mine.halves}));
  }
}

void call(ReplicaGroups& simulation, const std::string& verb) {
  io::MemoryArchive memory;
  const auto go_on = [] { return true; };
  if (verb == "start") simulation.start(go_on);
  if (verb == "advance") simulation.advance(1, go_on);
  if (verb == "measure") simulation.measure();
  if (verb == "fields") simulation.fields();
  if (verb == "particles") simulation.particles();
  if (verb == "save") simulation.save(memory);
  if (verb == "load") simulation.load(memory);
}

TEST(AFailure, OfOneGroupEndsAllGroups) {
  for (const std::string verb : {"start", "advance", "measure", "fields", "particles", "save", "load"})
    for (int rank = 0; rank < ranks().size(); ++rank) {
      const RankGroups of = groups();
      auto process = own<FailingProcess>(of);
      if (ranks().rank() == rank) process->fails_in = verb;
      ReplicaGroups simulation(std::move(process), of);
      const std::string name = rank == 0 ? ""
                                         : "rank " + std::to_string(rank) + ", whose replica 0 is replica " +
                                               std::to_string(rank + 1) + ": ";
      try {
        call(simulation, verb);
        ADD_FAILURE() << verb << " at rank " << rank;
      } catch (const RunError& error) {
        EXPECT_EQ(error.what(), name + verb + " is broken");
      }
    }
}

/// Advances, at rank 0 not before the others have arrived.
class LateProcess : public CounterProcess {
 public:
  using CounterProcess::CounterProcess;
  bool advance(double until, const std::function<bool()>& keep_going) override {
    if (has_all())
      for (int other = 1; other < ranks().size(); ++other) ranks().receive(other);
    const bool arrived = CounterProcess::advance(until, keep_going);
    if (!has_all()) ranks().send(0, {});
    return arrived;
  }
};

TEST(GroupsOfRanks, DoNotWaitForEachOtherBetweenMeasurements) {
  ReplicaGroups simulation(own<LateProcess>(groups()), groups());
  EXPECT_TRUE(simulation.advance(5, [] { return true; }));
  EXPECT_EQ(simulation.time(), 5);
}

TEST(GroupsOfRanks, StopIfOneGroupStops) {
  for (int rank = 0; rank < ranks().size(); ++rank) {
    ReplicaGroups simulation(own(groups()), groups());
    int asked = 0;
    EXPECT_FALSE(simulation.advance(1e9, [&] { return ranks().rank() != rank || ++asked < 100; }));
    EXPECT_LT(simulation.time(), 1e9);
  }
}

}  // namespace
}  // namespace tessera::testing
