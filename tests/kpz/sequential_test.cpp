// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <tessera/core/streams.hpp>
#include <tessera/kpz/sequential.hpp>
#include <vector>

#include "tests/kpz/any_simulation.hpp"
#include "tests/kpz/plain_scheme.hpp"
#include "tests/kpz/schemes.hpp"

namespace tessera::testing {
namespace {

using kpz::Parameters;

/// Random-sequential dynamics on plain heights.
std::vector<int> plain_heights(const Parameters& p, int attempts) {
  std::vector<int> heights;
  for (int i = 0; i < p.nx * p.ny; ++i) heights.push_back((i % p.nx + i / p.nx) % 2);
  const auto at = [&](int x, int y) -> int& {
    return heights[static_cast<std::size_t>((y + p.ny) % p.ny * p.nx + (x + p.nx) % p.nx)];
  };
  Stream sites(stream_start(p.seed, 0)), chances(stream_start(p.seed, 1));
  const std::uint64_t all = static_cast<std::uint64_t>(p.nx) * static_cast<std::uint64_t>(p.ny);
  std::uint64_t random = 0, chance = 0;
  for (int i = 0; i < attempts; ++i) {
    // The upper half of a draw is for the first of two attempts, the lower half for the other one.
    random = i % 2 == 0 ? sites.draw() : random << 32;
    chance = i % 2 == 0 ? chances.draw() : chance << 32;
    const std::uint64_t site = (random >> 32) * all >> 32;
    const int x = static_cast<int>(site % static_cast<std::uint64_t>(p.nx)),
              y = static_cast<int>(site / static_cast<std::uint64_t>(p.nx));
    const int higher =
        (at(x + 1, y) > at(x, y)) + (at(x - 1, y) > at(x, y)) + (at(x, y + 1) > at(x, y)) + (at(x, y - 1) > at(x, y));
    if (higher != 0 && higher != 4) continue;
    if (static_cast<double>(chance >> 32) * 0x1p-32 < (higher == 4 ? p.p : p.q)) at(x, y) += higher == 4 ? 2 : -2;
  }
  return heights;
}

/// However often they are asked for, stopped and continued.
TEST(AttemptNumbers, AreTheUpperBitsOfDrawsOrHalves) {
  for (const int bits : {4, 20, 32, 33, 36}) {
    Stream stream(stream_start(71, 0));
    std::vector<std::uint64_t> expected;
    while (expected.size() < 200) {
      const std::uint64_t random = stream.draw();
      expected.push_back(random >> (64 - bits));
      if (bits <= 32) expected.push_back((random & 0xffffffff) >> (32 - bits));
    }
    std::vector<std::uint64_t> numbers;
    std::uint64_t state = stream_start(71, 0);
    for (const int count : {1, 2, 3, 1, 1, 4, 5, 7}) {
      kpz::AttemptNumbers part(bits, state, numbers.size());
      for (int calls = 0; calls < 3; ++calls) {
        numbers.resize(numbers.size() + static_cast<std::size_t>(count));
        part.next(numbers.data() + numbers.size() - count, count);
        state = part.state();
      }
    }
    expected.resize(numbers.size());
    EXPECT_EQ(numbers, expected) << bits;
  }
}

TEST(SequentialOctahedra, EqualThePlainSimulationOnHeights) {
  for (Parameters p : with_rates({small_lattice(51)})) {
    SCOPED_TRACE(describe(p));
    const auto simulation = make_sequential(p);
    simulation->advance(7.3001);
    const int attempts = static_cast<int>(simulation->work());
    EXPECT_EQ(attempts, 59803);  // 7.3001 * 64 * 128, rounded up
    EXPECT_EQ(simulation->heights(), plain_heights(p, attempts));
    expect_surfaces(*simulation);
  }
}

TEST(SequentialOctahedra, DoNotDependOnStopsCheckpointsAndReplicas) {
  Parameters p = small_lattice(61);
  p.p = 0.8;
  p.q = 0.3;
  p.replicas = 3;
  p.waiting_times = {1.5, 4};
  const auto straight = make_sequential(p), first = make_sequential(p), second = make_sequential(p);
  straight->advance(9);
  // After odd and even numbers of attempts: 820, 823, 13928, 27035.
  for (const double t : {0.1, 0.1004, 1.7001, 3.3001}) first->advance(t);
  EXPECT_EQ(first->work(), 3 * 27035);
  MemoryArchive archive;
  first->save(archive);
  second->load(archive);
  second->advance(9);
  EXPECT_EQ(second->words(), straight->words());
  EXPECT_EQ(values_of(*second, "height_autocorrelation_1.5"), values_of(*straight, "height_autocorrelation_1.5"));
  EXPECT_EQ(values_of(*second, "slope_autocorrelation_4"), values_of(*straight, "slope_autocorrelation_4"));
  Parameters alone = p;
  alone.replicas = 1;
  alone.seed += 2;
  const auto single = make_sequential(alone);
  single->advance(9);
  EXPECT_EQ(values_of(*single, "roughness")[0], values_of(*straight, "roughness")[2]);
  const auto all = straight->words();
  EXPECT_EQ(std::vector(all.end() - static_cast<std::ptrdiff_t>(all.size() / 3), all.end()), single->words());
}

}  // namespace
}  // namespace tessera::testing
