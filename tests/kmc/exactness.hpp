// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <tessera/core/kokkos_ext/lanes.hpp>
#include <tessera/kmc/any_simulation.hpp>
#include <vector>

#include "tests/io/memory_archive.hpp"
#include "tests/kmc/sequential_instances.hpp"

/// What the tests of exactness share: the tile method, in all its ways, is held against the sequential waiting-time
/// method, to the last bit.
namespace tessera::kmc {

inline constexpr double forever = std::numeric_limits<double>::infinity();

/// All that decides how a trajectory goes on.
template <Model M>
struct Snapshot {
  std::vector<double> times;
  std::vector<std::uint64_t> events;
  std::vector<typename M::State> states;
  std::vector<double> waiting_times;
  std::vector<std::uint64_t> streams;

  bool operator==(const Snapshot&) const = default;
};

template <Model M, class Method>
Snapshot<M> snapshot(const Method& simulation) {
  return {simulation.times(), simulation.events(), simulation.states(), simulation.waiting_times(),
          simulation.streams()};
}

/// The number of cells in which two snapshots differ in any way.
template <Model M>
std::size_t cells_that_differ(const Snapshot<M>& a, const Snapshot<M>& b) {
  std::size_t count = 0;
  for (std::size_t c = 0; c < a.states.size(); ++c)
    count += a.states[c] != b.states[c] || a.waiting_times[c] != b.waiting_times[c] || a.streams[c] != b.streams[c];
  return count;
}

template <Model M>
void expect_equal(const Snapshot<M>& a, const Snapshot<M>& expected) {
  EXPECT_EQ(a.times, expected.times);
  EXPECT_EQ(a.events, expected.events);
  ASSERT_EQ(a.states.size(), expected.states.size());
  EXPECT_EQ(cells_that_differ(a, expected), 0u) << "of " << a.states.size() << " cells";
}

/// The orders in which a team goes about the events of a tile; nothing of it may show in the trajectory.
inline constexpr EventOrder orders[] = {EventOrder::local, EventOrder::in_parts, EventOrder::one_by_one};

/// Of some orders those that differ on a space: a team of one lane has but one.
template <class Space>
std::vector<EventOrder> distinct(std::vector<EventOrder> some = {std::begin(orders), std::end(orders)}) {
  if (lanes_per_tile<Space> == 1) some.resize(1);
  return some;
}

/// By default of more than one tile, on CPUs with many cores or few.
inline Parameters lattice(int nx, int ny, std::uint64_t seed = 1) {
  Parameters p;
  p.cores = Parameters::any_cores;
  p.nx = nx;
  p.ny = ny;
  p.seed = seed;
  return p;
}

inline Parameters tiled(Parameters p, int tile, int halo, StepControl control = StepControl::repair) {
  p.tile = tile;
  p.halo = halo;
  p.step_control = control;
  return p;
}

/// Stops right after event number `events` of each replica.
inline Parameters up_to_event(Parameters p, std::uint64_t events) {
  p.until_events_per_site = static_cast<double>(events) / (double(p.nx) * p.ny);
  return p;
}

inline std::string describe(const Parameters& p, EventOrder order) {
  return std::to_string(p.nx) + " x " + std::to_string(p.ny) + ", tile " + std::to_string(p.tile) + ", halo " +
         std::to_string(p.halo) + (p.step_control == StepControl::repair ? ", repair" : ", reject") + ", rounds " +
         std::to_string(p.repair_rounds) + ", order " + std::to_string(static_cast<int>(order));
}

template <class Space, Model M>
std::unique_ptr<AnyTileMethod<M>> tile_method(const Parameters& p, const M& model,
                                              EventOrder order = EventOrder::local) {
  auto simulation = make_tile_method<Space>(p, model);
  simulation->set_first_order(order);
  return simulation;
}

/// Where the sequential method is at time `until`, or after the last wanted event.
template <Model M>
Snapshot<M> sequential(const Parameters& p, const M& model, double until = forever) {
  WaitingTimeSimulation<M> simulation(p, model);
  simulation.advance(until);
  return snapshot<M>(simulation);
}

/// What the step control of some runs has done, added up.
struct Work {
  std::uint64_t events = 0, accepted = 0, rejected = 0, repaired = 0, runs = 0;

  template <class Simulation>
  void add(const Simulation& simulation) {
    ++runs;
    for (const StepState& s : simulation.step_states()) {
      events += s.events;
      accepted += s.accepted;
      rejected += s.rejected;
      repaired += s.repaired;
    }
  }
};

/// Runs the tile method to its last wanted event, with four stops on the way, and compares it there.
template <class Space, Model M>
void expect_trajectory(const Parameters& p, const M& model, EventOrder order, const Snapshot<M>& expected, Work& work) {
  SCOPED_TRACE(std::string(Space::name()) + ", " + describe(p, order));
  auto simulation = tile_method<Space>(p, model, order);
  for (int stop = 1; stop < 5; ++stop) simulation->advance(expected.times[0] * stop / 5);
  simulation->advance(forever);
  EXPECT_TRUE(simulation->finished());
  expect_equal(snapshot<M>(*simulation), expected);
  work.add(*simulation);
}

}  // namespace tessera::kmc
