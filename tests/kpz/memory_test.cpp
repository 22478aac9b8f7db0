// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <tessera/kpz/memory.hpp>

#include "tests/kpz/any_simulation.hpp"
#include "tests/kpz/schemes.hpp"
#include "tests/view_bytes.hpp"

namespace tessera::testing {
namespace {

/// At the last waiting time, from which on the surfaces of all are stored.
template <class Make>
void expect_as_foretold(const kpz::Parameters& p, const Make& make) {
  const auto with = kpz::memory_needed(p), without = kpz::memory_needed(p, false);
  const std::size_t surface = make()->words().size() * sizeof(std::uint32_t);
  expect_bytes_of_views(without.device, [&] {
    auto simulation = make();
    if (!p.waiting_times.empty()) simulation->advance(p.waiting_times.back());
    return simulation;
  });
  EXPECT_GE(without.host, surface);
  const std::size_t heights = static_cast<std::size_t>(kpz::lattice_of(p).sites() * p.replicas) * sizeof(std::int32_t);
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
      expect_as_foretold(p, [&] { return make_simulation<OneThread>(p); });
    }
  }
}

TEST(KpzMemory, IsPredictedForTheSequentialMethod) {
  kpz::Parameters p = small_lattice();
  p.method = kpz::Method::sequential;
  expect_as_foretold(p, [&] { return make_sequential(p); });
  p.replicas = 5;
  p.waiting_times = {1, 2, 3};
  expect_as_foretold(p, [&] { return make_sequential(p); });
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
