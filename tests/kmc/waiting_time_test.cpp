// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "tests/io/memory_archive.hpp"
#include "tests/kmc/exactness.hpp"

namespace tessera::kmc {
namespace {

using ::tessera::io::MemoryArchive;

TEST(WaitingTimeTree, FindsTheEarliestCellAfterEveryChange) {
  std::mt19937_64 random(1);
  for (const std::uint32_t cells : {1u, 2u, 3u, 8u, 9u, 64u, 65u, 600u}) {
    // Few different times, forever among them, so that ties are frequent.
    const auto draw = [&] { return random() % 8 == 0 ? forever : static_cast<double>(random() % 20); };
    std::vector<double> times(cells);
    for (double& time : times) time = draw();
    WaitingTimeTree tree;
    tree.assign(times, 1);
    for (int change = 0; change < 2000; ++change) {
      const auto earliest = std::min_element(times.begin(), times.end()) - times.begin();  // the first of equal ones
      ASSERT_EQ(tree.earliest(), static_cast<std::uint32_t>(earliest));
      for (std::uint32_t c = 0; c < cells; ++c) ASSERT_EQ(tree.time(c), times[c]);
      const auto cell = static_cast<std::uint32_t>(random() % cells);
      times[cell] = draw();
      tree.change(cell, times[cell]);
    }
  }
}

// Each move is a subtraction from all times, rounded, of times from less than an epoch to more than 2^53 of them.
TEST(WaitingTimeTree, MovesTheOriginAsIfItSubtractedFromAllTimes) {
  std::mt19937_64 random(2);
  for (const std::uint32_t cells : {1u, 5u, 100u})
    for (const double epoch : {0x1p-12, 1.0, 0x1p40})
      for (const int fewest : {-40, 0, 45}) {  // binary digits of times
        const auto draw = [&] {
          if (random() % 9 == 0) return forever;
          const bool nearly_equal = random() % 3 != 0, is_far = random() % 4 == 0;
          const double one = nearly_equal ? 1.0 + static_cast<double>(random() % 4) * 0x1p-51
                                          : std::ldexp(static_cast<double>(random() >> 11), -53);
          return std::ldexp(one, fewest + static_cast<int>(random() % 24) + (is_far ? 40 : 0)) * epoch;
        };
        std::vector<double> times(cells);
        for (double& time : times) time = draw();
        WaitingTimeTree tree;
        tree.assign(times, epoch);
        for (int change = 0; change < 3000; ++change) {
          const auto earliest = std::min_element(times.begin(), times.end()) - times.begin();
          ASSERT_EQ(tree.earliest(), static_cast<std::uint32_t>(earliest));
          const double first = times[static_cast<std::size_t>(earliest)];
          if (std::isfinite(first) && first >= epoch) {
            const double passes = floor_to_multiple(first, epoch);
            tree.move_origin(passes);
            for (double& time : times) time -= passes;
          }
          for (std::uint32_t c = 0; c < cells; ++c) ASSERT_EQ(tree.time(c), times[c]);
          const auto cell = static_cast<std::uint32_t>(random() % 2 == 0 ? random() % cells : tree.earliest());
          times[cell] = draw();
          tree.change(cell, times[cell]);
        }
      }
}

/// Neighbours in the order of Neighbourhood.
constexpr int dx[] = {-1, 1, 0, 0, 1, -1, -1, 1, -2, 2, 0, 0, -2, 2, -2, 2, -1, 1, 1, -1, -2, 2, -2, 2};
constexpr int dy[] = {0, 0, -1, 1, -1, 1, -1, 1, 0, 0, -2, 2, -1, 1, 1, -1, -2, 2, -2, 2, -2, 2, 2, -2};

/// The method as it is defined, with a search through all cells for the smallest waiting time.
template <class M>
struct BruteForce {
  BruteForce(const M& m, int width, int height, std::uint64_t seed) : model(m), nx(width), ny(height) {
    for (std::uint64_t c = 0; c < static_cast<std::uint64_t>(nx) * static_cast<std::uint64_t>(ny); ++c) {
      streams.push_back(stream_start(seed, c));
      states.push_back(start_state(model, seed, c, nx, ny));
    }
    times.resize(states.size());
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) redraw(x, y);
  }

  std::size_t cell(int x, int y) const {
    return static_cast<std::size_t>((y + ny) % ny) * static_cast<std::size_t>(nx) +
           static_cast<std::size_t>((x + nx) % nx);
  }
  NeighbourhoodOf<M> around(int x, int y) const {
    if constexpr (ChangesListed<M>) {
      return {states.data(), x, y, nx, ny, nx};
    } else {
      NeighbourhoodOf<M> n{states[cell(x, y)], {}};
      for (int k = 0; k < M::neighbours; ++k) n.around[k] = states[cell(x + dx[k], y + dy[k])];
      return n;
    }
  }
  void redraw(int x, int y) {
    Stream stream(streams[cell(x, y)]);
    const double exponential = exponential_variate(stream.draw());
    const double next = time + exponential * mean_waiting_time(model, around(x, y));
    times[cell(x, y)] = std::max(next, std::nextafter(time, forever));
    streams[cell(x, y)] = stream.state();
  }
  /// Before the first event after the end of an epoch, times become relative to the start of its epoch.
  void enter_epoch() {
    const double passed = std::floor(*std::min_element(times.begin(), times.end()) / epoch) * epoch;
    for (double& each : times) each -= passed;
    origin += passed;
  }
  void event() {
    enter_epoch();
    const auto c = std::min_element(times.begin(), times.end()) - times.begin();
    const int x = static_cast<int>(c) % nx, y = static_cast<int>(c) / nx;
    time = times[cell(x, y)];
    Stream stream(streams[cell(x, y)]);
    if constexpr (!ChangesOneCell<M>) {
      const auto happens = model.event(around(x, y), stream);
      streams[cell(x, y)] = stream.state();
      // The cell itself, and all whose neighbourhood holds a cell that changes.
      std::set<std::pair<int, int>> concerned{{x, y}};
      const auto change = [&](int at_x, int at_y, typename M::State state) {
        states[cell(at_x, at_y)] = state;
        concerned.insert({(at_x + nx) % nx, (at_y + ny) % ny});
        for (int k = 0; k < M::neighbours; ++k) concerned.insert({(at_x + dx[k] + nx) % nx, (at_y + dy[k] + ny) % ny});
      };
      if constexpr (ChangesListed<M>) {
        for (int i = 0; i < happens.changed; ++i) {
          const auto& [at, difference] = happens.changes[i];
          change(x + at.dx, y + at.dy, static_cast<typename M::State>(states[cell(x + at.dx, y + at.dy)] + difference));
        }
      } else {
        if (happens.changes_centre) change(x, y, happens.centre);
        if (happens.changes_beside) change(x + dx[happens.direction], y + dy[happens.direction], happens.beside);
      }
      for (const auto& [at_x, at_y] : concerned) redraw(at_x, at_y);
    } else {
      states[cell(x, y)] = model.next(around(x, y), stream);
      streams[cell(x, y)] = stream.state();
      redraw(x, y);
      for (int k = 0; k < M::neighbours; ++k) redraw((x + dx[k] + nx) % nx, (y + dy[k] + ny) % ny);
    }
  }

  M model;
  int nx, ny;
  double time = 0, origin = 0, epoch = std::ldexp(1.0, std::ilogb(1 / model.largest_rate()) + 33);
  std::vector<typename M::State> states;
  std::vector<double> times;
  std::vector<std::uint64_t> streams;
};

Parameters sequential_lattice(int nx, int ny, std::uint64_t seed) {
  Parameters p;
  p.method = Method::waiting_time;
  p.nx = nx;
  p.ny = ny;
  p.seed = seed;
  return p;
}

template <class M>
void expect_equal(const WaitingTimeSimulation<M>& a, const WaitingTimeSimulation<M>& b) {
  EXPECT_EQ(a.times(), b.times());
  EXPECT_EQ(a.events(), b.events());
  EXPECT_EQ(a.states(), b.states());
  EXPECT_EQ(a.waiting_times(), b.waiting_times());
  EXPECT_EQ(a.streams(), b.streams());
}

template <class M>
void follow(const M& model, int nx, int ny, int events) {
  SCOPED_TRACE(std::to_string(nx) + " x " + std::to_string(ny));
  BruteForce<M> expected(model, nx, ny, 11);
  Parameters p = sequential_lattice(nx, ny, 11);
  p.until_events_per_site = static_cast<double>(events) / (nx * ny);
  WaitingTimeSimulation<M> simulation(p, model);
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(events);) {
    ASSERT_FALSE(simulation.finished());
    expected.event();
    simulation.advance(std::nextafter(expected.origin + expected.time, forever));
    while (++i < simulation.events()[0]) expected.event();  // more at the same time
  }
  EXPECT_TRUE(simulation.finished());
  EXPECT_EQ(simulation.time(), expected.origin + expected.time);
  EXPECT_EQ(simulation.events()[0], static_cast<std::uint64_t>(events));
  EXPECT_EQ(simulation.states(), expected.states);
  EXPECT_EQ(simulation.waiting_times(), expected.times);
  EXPECT_EQ(simulation.streams(), expected.streams);
}

TEST(WaitingTimeSimulation, EqualsSearchThroughAllCellsToTheLastBit) {
  for (const double phi : {0.0, 1.0, 3.0}) {
    follow(SolidOnSolid(phi), 2, 2, 500);
    follow(SolidOnSolid(phi), 2, 5, 2000);
    follow(SolidOnSolid(phi), 7, 3, 2000);
    follow(SolidOnSolid(phi), 24, 16, 10000);
  }
  follow(Ising(0.5, 0.2), 9, 12, 5000);
  follow(Potts(0.7, 0.2), 12, 9, 5000);
  follow(Species(), 2, 3, 1000);
  follow(Species(), 10, 7, 5000);
  follow(Hopping(0.5, 1), 4, 4, 2000);
  follow(Hopping(0.4, 0.5, 0.3, 0.7), 11, 6, 5000);
  follow(Epitaxy(1, 20, 0.5), 9, 12, 5000);
  follow(Octahedron(1, 0.3), 10, 8, 5000);
  follow(Kawasaki(0.4, 1), 6, 7, 2000);
  follow(RandomPairs(1), 6, 6, 2000);
  follow(RandomPairs(2), 11, 8, 5000);
}

TEST(WaitingTimeSimulation, InterruptionObservationAndRestartChangeNothing) {
  Parameters p = sequential_lattice(12, 10, 3);
  p.replicas = 3;
  const SolidOnSolid model(1);
  WaitingTimeSimulation<SolidOnSolid> straight(p, model), often(p, model);
  straight.advance(2000);
  for (int i = 1; i < 5; ++i) {
    often.advance(i * 50.0 + 0.3);
    EXPECT_EQ(often.times(), std::vector<double>(3, i * 50.0 + 0.3));
    often.measure();
  }
  // Each refusal to go on comes 1e4 events later: in one of the replicas, with the others before and after.
  int refusals = 0;
  while (often.time() < 2000) {
    MemoryArchive archive;
    often.save(archive);
    WaitingTimeSimulation<SolidOnSolid> restarted(p, model);
    restarted.load(archive);
    expect_equal(restarted, often);
    restarted.advance(2000, [&] { return false; });
    ++refusals;
    often = restarted;
  }
  EXPECT_GE(straight.events()[0], 20000u);
  EXPECT_GE(refusals, 2);
  expect_equal(often, straight);
}

TEST(WaitingTimeSimulation, AsksWhetherToGoOnAndStopsAtAnEvent) {
  const Parameters p = sequential_lattice(32, 32, 5);
  const SolidOnSolid model(0);
  WaitingTimeSimulation<SolidOnSolid> straight(p, model), interrupted(p, model);
  straight.advance(300);
  int asked = 0;
  interrupted.advance(300, [&] { return ++asked < 2; });
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(interrupted.events()[0], 2000u);
  EXPECT_LT(interrupted.time(), 300);
  interrupted.advance(300);
  expect_equal(interrupted, straight);
}

TEST(WaitingTimeSimulation, StopsEachReplicaRightAfterItsLastEvent) {
  Parameters p = sequential_lattice(8, 6, 40);
  p.replicas = 3;
  p.until_events_per_site = 5.01;  // 240.48, rounded to 240
  const SolidOnSolid model(1);
  WaitingTimeSimulation<SolidOnSolid> simulation(p, model);
  while (!simulation.finished()) simulation.advance(simulation.time() + 0.1);
  simulation.advance(1e6);  // changes nothing any more
  const std::vector<double> times = simulation.times();
  const std::vector<std::int32_t> states = simulation.states();
  EXPECT_EQ(simulation.time(), *std::min_element(times.begin(), times.end()));
  for (std::size_t r = 0; r < 3; ++r) {
    BruteForce<SolidOnSolid> expected(model, 8, 6, 40 + r);
    for (int i = 0; i < 240; ++i) expected.event();
    EXPECT_EQ(simulation.events()[r], 240u);
    EXPECT_EQ(times[r], expected.time);
    EXPECT_TRUE(std::equal(expected.states.begin(), expected.states.end(),
                           states.begin() + static_cast<std::ptrdiff_t>(48 * r)));
  }
}

TEST(WaitingTimeSimulation, EndsWhereNoEventIsPossible) {
  Parameters p = sequential_lattice(16, 16, 1);
  WaitingTimeSimulation<Adsorption> simulation(p, Adsorption());
  simulation.advance(forever);
  EXPECT_TRUE(simulation.finished());
  EXPECT_TRUE(std::isfinite(simulation.time()));
  const auto states = simulation.states();
  EXPECT_EQ(simulation.events()[0], static_cast<std::uint64_t>(std::count(states.begin(), states.end(), 1)));
  for (const double time : simulation.waiting_times()) EXPECT_EQ(time, forever);
  p.until_time = 1e6;
  WaitingTimeSimulation<Adsorption> with_a_time_to_reach(p, Adsorption());
  with_a_time_to_reach.advance(1e5);
  EXPECT_FALSE(with_a_time_to_reach.finished());
  with_a_time_to_reach.advance(1e6);
  EXPECT_TRUE(with_a_time_to_reach.finished());
  EXPECT_EQ(with_a_time_to_reach.time(), 1e6);
}

}  // namespace
}  // namespace tessera::kmc
