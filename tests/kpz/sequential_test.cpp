// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <tessera/core/streams.hpp>

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
  for (int i = 0; i < attempts; ++i) {
    const std::uint64_t random = sites.draw();
    const int x = static_cast<int>((random >> 40) % static_cast<unsigned>(p.nx)),
              y = static_cast<int>((random >> 16) % (1 << 24) % static_cast<unsigned>(p.ny));
    const int higher =
        (at(x + 1, y) > at(x, y)) + (at(x - 1, y) > at(x, y)) + (at(x, y + 1) > at(x, y)) + (at(x, y - 1) > at(x, y));
    if (higher != 0 && higher != 4) continue;
    const double probability = higher == 4 ? p.p : p.q;
    if (probability == 0 || (probability < 1 && static_cast<double>(chances.draw() >> 32) * 0x1p-32 >= probability))
      continue;
    at(x, y) += higher == 4 ? 2 : -2;
  }
  return heights;
}

TEST(SequentialOctahedra, EqualAPlainSimulationOnHeightsToTheLastBit) {
  for (Parameters p : with_rates({small_lattice(51)})) {
    SCOPED_TRACE(describe(p));
    const auto simulation = make_sequential(p);
    simulation->advance(7.3);
    const int attempts = static_cast<int>(simulation->attempts());
    EXPECT_EQ(attempts, 59802);  // 7.3 * 64 * 128, rounded up
    EXPECT_EQ(simulation->heights(), plain_heights(p, attempts));
    EXPECT_EQ(simulation->inconsistencies(), 0u);
  }
}

TEST(SequentialOctahedra, StopsAndCheckpointsAndReplicasDoNotShow) {
  Parameters p = small_lattice(61);
  p.p = 0.8;
  p.q = 0.3;
  p.replicas = 3;
  p.waiting_times = {1.5, 4};
  const auto straight = make_sequential(p), first = make_sequential(p), second = make_sequential(p);
  straight->advance(9);
  for (const double t : {0.1, 1.7, 3.3}) first->advance(t);
  MemoryArchive archive;
  first->save(archive);
  second->load(archive);
  second->advance(9);
  EXPECT_EQ(second->words(), straight->words());
  EXPECT_EQ(second->values("height_autocorrelation_1.5"), straight->values("height_autocorrelation_1.5"));
  EXPECT_EQ(second->values("slope_autocorrelation_4"), straight->values("slope_autocorrelation_4"));
  Parameters alone = p;
  alone.replicas = 1;
  alone.seed += 2;
  const auto single = make_sequential(alone);
  single->advance(9);
  EXPECT_EQ(single->values("roughness")[0], straight->values("roughness")[2]);
  const auto all = straight->words();
  EXPECT_EQ(std::vector(all.end() - static_cast<std::ptrdiff_t>(all.size() / 3), all.end()), single->words());
}

}  // namespace
}  // namespace tessera::testing
