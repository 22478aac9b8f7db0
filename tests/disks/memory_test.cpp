// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <array>
#include <tessera/disks/any_simulation.hpp>
#include <tessera/disks/memory.hpp>
#include <tessera/io/checkpoint.hpp>

#include "tests/held_memory.hpp"

namespace tessera::disks {
namespace {

using testing::held, testing::most;

Parameters run(std::int64_t particles, double packing_fraction, int replicas, Start start, Method method) {
  Parameters p;
  p.particles = particles;
  p.packing_fraction = packing_fraction;
  p.replicas = replicas;
  p.start = start;
  p.method = method;
  p.sweeps = 20;
  p.sample_every = 10;
  return p;
}

void use(AnySimulation& simulation, const Parameters& p) {
  const auto on = [] { return true; };
  simulation.start(on);
  simulation.advance(static_cast<double>(p.sweeps), on);
  EXPECT_FALSE(simulation.pair_distribution().empty());
  {
    const auto frame = simulation.points();
    const std::vector<std::array<double, 3>> row(frame[0].size());  // as a replica is written
  }
  io::CheckpointWriter nowhere;
  simulation.save(nowhere);
}

struct Case {
  const char* name;
  Parameters p;
};

// On the host, where device memory is that of the host: a little more than is taken, as nothing is on its way between
// the two.
TEST(DisksMemory, IsThePredictedMemory) {
  Parameters structure_factor = run(20'000, 0.7, 1, Start::lattice, Method::mpmc);
  structure_factor.q_max = 5;
  const std::vector<Case> cases{{"dense", run(100'000, 0.7, 1, Start::lattice, Method::mpmc)},
                                {"dilute", run(10'000, 0.02, 1, Start::lattice, Method::mpmc)},
                                {"many replicas", run(256, 0.7, 300, Start::lattice, Method::mpmc)},
                                {"structure factor", structure_factor},
                                {"random", run(10'000, 0.5, 1, Start::random, Method::mpmc)},
                                {"random, dilute", run(10'000, 0.02, 1, Start::random, Method::mpmc)},
                                {"random replicas", run(1000, 0.5, 10, Start::random, Method::mpmc)},
                                {"sequential", run(50'000, 0.7, 1, Start::lattice, Method::sequential)},
                                {"sequential, dilute", run(10'000, 0.05, 1, Start::lattice, Method::sequential)},
                                {"sequential replicas", run(1000, 0.6, 20, Start::random, Method::sequential)}};
  for (const auto& [name, p] : cases) {
    const std::vector<std::vector<Point>> later;
    const std::size_t before = held;
    most = before;
    if (p.method == Method::sequential) {
      use(*make_sequential(p, later), p);
    } else {
      use(*make_simulation<Kokkos::DefaultHostExecutionSpace>(p, later), p);
    }
    const auto taken = static_cast<double>(most - before);
    const MemoryNeeded needed = memory_needed(p);
    const double ratio = static_cast<double>(needed.host + needed.device) / taken;
    EXPECT_TRUE(ratio > 0.95 && ratio < 1.25)
        << name << ": " << ratio << ", host " << needed.host << ", device " << needed.device << ", taken " << taken;
  }
}

}  // namespace
}  // namespace tessera::disks
