// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <new>
#include <tessera/disks/any_simulation.hpp>
#include <tessera/disks/memory.hpp>
#include <tessera/io/checkpoint.hpp>

namespace {

/// Bytes that this program holds, and the most that it has held.
std::atomic<std::size_t> held{0}, most{0};

void* take(std::size_t size, std::size_t alignment) {
  alignment = std::max(alignment, 2 * sizeof(std::size_t));
  const std::size_t rounded = (size + 2 * alignment - 1) / alignment * alignment;  // with room before what is given
  auto* const base = static_cast<char*>(std::aligned_alloc(alignment, rounded));
  if (base == nullptr) throw std::bad_alloc();
  auto* const given = base + alignment;
  reinterpret_cast<std::size_t*>(given)[-1] = size;
  reinterpret_cast<std::size_t*>(given)[-2] = alignment;
  const std::size_t now = held += size;
  for (std::size_t before = most; before < now && !most.compare_exchange_weak(before, now);) continue;
  return given;
}

void give_back(void* given) {
  if (given == nullptr) return;
  held -= static_cast<std::size_t*>(given)[-1];
  std::free(static_cast<char*>(given) - static_cast<std::size_t*>(given)[-2]);
}

}  // namespace

void* operator new(std::size_t size) { return take(size, 0); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return take(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* p) noexcept { give_back(p); }
void operator delete(void* p, std::size_t) noexcept { give_back(p); }
void operator delete(void* p, std::align_val_t) noexcept { give_back(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { give_back(p); }

namespace tessera::disks {
namespace {

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
  const std::vector<Case> cases{{"dense", run(100'000, 0.7, 1, Start::lattice, Method::mpmc)},
                                {"dilute", run(10'000, 0.02, 1, Start::lattice, Method::mpmc)},
                                {"many replicas", run(256, 0.7, 300, Start::lattice, Method::mpmc)},
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
