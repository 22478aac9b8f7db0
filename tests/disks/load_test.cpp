// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <functional>
#include <limits>
#include <tessera/core/error.hpp>
#include <tessera/disks/sequential.hpp>

#include "tests/complaint.hpp"
#include "tests/disks/any_simulation.hpp"
#include "tests/execution_spaces.hpp"
#include "tests/matchers.hpp"

namespace tessera::disks {
namespace {

/// What a checkpoint with right checksums can hold, but no run writes: all of it is refused when it is read.

constexpr double infinity = std::numeric_limits<double>::infinity(),
                 no_number = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t saved_replicas = 2, saved_particles = 100;

Parameters some_run(double tune_acceptance) {
  Parameters p;
  p.particles = saved_particles;
  p.packing_fraction = 0.6;
  p.replicas = saved_replicas;
  p.sweeps = 700;
  p.equilibrate = 500;
  p.sample_every = 20;
  p.tune_acceptance = tune_acceptance;
  p.r_max = 5;
  p.g6 = true;
  p.q_max = 0.6;
  return p;
}

using Change = std::function<void(MemoryArchive&)>;

/// Changes the numbers of an entry.
template <class T>
Change change(const std::string& name, const std::vector<std::size_t>& shape,
              const std::function<void(std::vector<T>&)>& how) {
  return [=](MemoryArchive& archive) {
    std::size_t size = 1;
    for (const std::size_t extent : shape) size *= extent;
    std::vector<T> numbers(size);
    std::as_const(archive).array(name, numbers, shape);
    how(numbers);
    archive.array(name, numbers, shape, "");
  };
}

/// Sets one number of an entry.
template <class T>
Change set(const std::string& name, const std::vector<std::size_t>& shape, std::size_t at, T value) {
  return change<T>(name, shape, [=](std::vector<T>& numbers) { numbers[at] = value; });
}

/// Of five samples, each of which is a block, and of the next block: 250 pairs, as many orders, and S(q) of two wave
/// vectors.
std::vector<Change> changes_of_correlations() {
  const std::vector<std::size_t> shape{saved_replicas, 6, 502};
  std::vector<Change> all;
  for (const std::size_t at : {0, 249, 250 + 60, 500, 501, 502 + 501, 5 * 502, 7 * 502 + 501})
    for (const double value : {-1e9, 1e9, infinity, no_number})
      all.push_back(set<double>("correlations", shape, at, value));
  for (const std::size_t at : {0, 502 + 60})
    for (const double value : {-1.0, 0.25}) all.push_back(set<double>("correlations", shape, at, value));
  for (const double value : {-1e-3, saved_particles + 1.0})
    all.push_back(set<double>("correlations", shape, 501, value));
  return all;
}

/// Of the entries that both methods have.
std::vector<Change> changes_of_both() {
  const std::vector<std::size_t> moves{saved_replicas, 2}, pairs{saved_replicas, PairBins::count};
  std::vector<Change> all{
      set<std::int64_t>("sweeps", {1}, 0, -1),
      set<std::int64_t>("sweeps", {1}, 0, std::numeric_limits<std::int64_t>::max()),
      change<std::uint64_t>("moves", moves, [](auto& numbers) { numbers[1] = numbers[0] + 1; }),
      change<std::uint64_t>("moves", moves, [](auto& numbers) { numbers[0] *= 9; }),
      change<std::uint64_t>("moves", moves, [](auto& numbers) { numbers[2] = numbers[3] = 0; }),
      change<std::uint64_t>("moves_at_tuning", moves, [](auto& numbers) { numbers[2] = ~std::uint64_t{0}; }),
  };
  for (const double radius : {0.0, -0.1, 5.0, infinity, no_number})
    all.push_back(set<double>("radius", {saved_replicas}, 1, radius));
  for (const std::size_t at : {0, 2, 5})
    for (const double value : {infinity, -infinity, no_number})
      all.push_back(set<double>("last_sample", {saved_replicas, 3}, at, value));
  for (const std::size_t at : {1, 5}) all.push_back(set<double>("last_sample", {saved_replicas, 3}, at, 1.001));
  for (const Change& one : changes_of_correlations()) all.push_back(one);
  for (const std::uint64_t value : {std::uint64_t{5 * 3 * saved_particles + 1}, ~std::uint64_t{0}})
    all.push_back(set<std::uint64_t>("pairs", pairs, 7, value));
  return all;
}

template <class Space>
class DisksLoad : public ::testing::Test {};
TYPED_TEST_SUITE(DisksLoad, tessera::testing::ExecutionSpaces, tessera::testing::ExecutionSpaceNames);

TYPED_TEST(DisksLoad, RefusesStatesThatNoRunCanWrite) {
  const Parameters p = some_run(0.4);
  const auto simulation = make_simulation<TypeParam>(p);
  simulation->advance(600);
  const Geometry g = simulation->geometry();
  MemoryArchive written;
  simulation->save(written);
  const std::vector<std::size_t> position{saved_replicas * saved_particles, 2}, origin{saved_replicas, 2};
  const std::vector<std::size_t> count{saved_replicas, static_cast<std::size_t>(g.rows),
                                       static_cast<std::size_t>(g.columns)};
  std::vector<Change> all = changes_of_both();
  for (const float value : {-step, -1.0f, step / 2, g.cell_width(), 1e30f, std::numeric_limits<float>::infinity(),
                            std::numeric_limits<float>::quiet_NaN()})
    for (const std::size_t at : {0u, 5u}) all.push_back(set<float>("position", position, at, value));
  // Two disks of the first cell with as many, at one place.
  std::size_t first = 0;
  const Configuration configuration = simulation->configuration();
  for (std::size_t cell = 0; configuration.counts[cell] < 2; ++cell) first += configuration.counts[cell];
  all.push_back(change<float>("position", position, [=](auto& numbers) {
    numbers[2 * first] = numbers[2 * first + 2];
    numbers[2 * first + 1] = numbers[2 * first + 3];
  }));
  all.push_back(set<std::uint8_t>("count", count, 3, 5));
  all.push_back(set<std::uint8_t>("count", count, 3, 255));
  all.push_back(change<std::uint8_t>("count", count, [](auto& numbers) {
    for (const std::size_t at : {std::size_t{0}, numbers.size() / 2})  // a disk changes from replica to replica
      for (std::size_t i = at; i < at + 10; ++i) {
        if (numbers[i] != 1) continue;
        numbers[i] = at == 0 ? 0 : 2;
        break;
      }
  }));
  for (const std::int64_t value : {std::int64_t{-1}, g.steps_x(), std::numeric_limits<std::int64_t>::min()})
    all.push_back(set<std::int64_t>("origin", origin, 0, value));
  for (std::size_t i = 0; i < all.size(); ++i) {
    MemoryArchive forged = written;
    all[i](forged);
    EXPECT_THROW(make_simulation<TypeParam>(p)->load(forged), InputError) << "change " << i;
  }
  EXPECT_NO_THROW(make_simulation<TypeParam>(p)->load(written));
}

TYPED_TEST(DisksLoad, RefusesAnotherMoveRadiusWithoutTuning) {
  const auto simulation = make_simulation<TypeParam>(some_run(0));
  MemoryArchive archive;
  simulation->save(archive);
  EXPECT_NO_THROW(simulation->load(archive));
  set<double>("radius", {saved_replicas}, 1, 0.15)(archive);
  EXPECT_THROW(simulation->load(archive), InputError);
}

TEST(SequentialDisksLoad, RefusesStatesThatNoRunCanWrite) {
  const Parameters p = some_run(0.4);
  SequentialSimulation simulation(p);
  simulation.advance(600);
  MemoryArchive written;
  simulation.save(written);
  const std::vector<std::size_t> position{saved_replicas, saved_particles, 2};
  std::vector<Change> all = changes_of_both();
  for (const double value : {-0.1, simulation.box()[0] + 0.1, 1e300, infinity, -infinity, no_number})
    for (const std::size_t at : {0u, 201u}) all.push_back(set<double>("position", position, at, value));
  for (const std::size_t disks : {2u, 40u})  // at one place
    all.push_back(change<double>("position", position, [=](auto& numbers) {
      for (std::size_t i = 0; i < 2 * disks; ++i) numbers[i] = numbers[i % 2];
    }));
  all.push_back(change<std::uint64_t>("generator", {saved_replicas, 4}, [](auto& numbers) {
    for (std::size_t i = 4; i < 8; ++i) numbers[i] = 0;
  }));
  all.push_back(change<std::uint64_t>("moves", {saved_replicas, 2}, [](auto& numbers) { ++numbers[0]; }));
  for (std::size_t i = 0; i < all.size(); ++i) {
    MemoryArchive forged = written;
    all[i](forged);
    EXPECT_THROW(SequentialSimulation(p).load(forged), InputError) << "change " << i;
  }
  EXPECT_NO_THROW(SequentialSimulation(p).load(written));
}

TEST(SequentialDisksStart, NamesTheTwoDisksThatOverlap) {
  Parameters p = some_run(0);
  p.replicas = 1;
  std::vector<Point> points = lattice_start(p.particles, box_width(p), box_height(p));
  points[70] = points[20];
  EXPECT_THAT(complaint([&] { SequentialSimulation(p, {points}); }),
              AllOf(HasSubstr("disks 21 at ("), HasSubstr("and 71 at (")));
}

}  // namespace
}  // namespace tessera::disks
