// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <tessera/kpz/memory.hpp>

#include "tests/kpz/any_simulation.hpp"
#include "tests/kpz/schemes.hpp"

namespace tessera::testing {
namespace {

/// To a tenth.
void expect_as_foretold(const kpz::Parameters& p, const AnySimulation& simulation) {
  const auto real = static_cast<double>(simulation.bytes());
  const auto with = kpz::memory_needed(p), without = kpz::memory_needed(p, false);
  EXPECT_NEAR(static_cast<double>(without.device), real, 0.1 * real);
  EXPECT_GE(without.host, simulation.words().size() * sizeof(std::uint32_t));
  const std::size_t heights = simulation.heights().size() * sizeof(std::int32_t);
  EXPECT_EQ(with.device, without.device + heights);
  EXPECT_GE(with.host, without.host + 2 * heights);
}

TEST(KpzMemory, IsPredicted) {
  for (kpz::Parameters p : with_cells(all_schemes(small_lattice()))) {
    for (const int replicas : {1, 3}) {
      p.replicas = replicas;
      p.waiting_times.resize(static_cast<std::size_t>(2 * (replicas - 1)));
      for (std::size_t k = 0; k < p.waiting_times.size(); ++k) p.waiting_times[k] = static_cast<double>(k);
      SCOPED_TRACE(describe(p));
      expect_as_foretold(p, *make_simulation<OneThread>(p));
    }
  }
}

TEST(KpzMemory, IsPredictedForTheSequentialMethod) {
  kpz::Parameters p = small_lattice();
  p.method = kpz::Method::sequential;
  expect_as_foretold(p, *make_sequential(p));
  p.replicas = 5;
  p.waiting_times = {1, 2, 3};
  expect_as_foretold(p, *make_sequential(p));
}

TEST(KpzMemory, OfTheLargestLatticeDoesNotOverflow) {
  kpz::Parameters p;
  p.nx = p.ny = kpz::largest_side;
  p.replicas = 65536;
  const double sites = static_cast<double>(p.nx) * p.ny * p.replicas;
  EXPECT_GT(static_cast<double>(kpz::memory_needed(p).device), 0.125 * sites);
  EXPECT_LT(static_cast<double>(kpz::memory_needed(p).device), 0.16 * sites);
  EXPECT_LT(static_cast<double>(kpz::memory_needed(p).host), 0.16 * sites);
}

}  // namespace
}  // namespace tessera::testing
