// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <tessera/core/kokkos_ext/lanes.hpp>
#include <tessera/kmc/memory.hpp>
#include <tessera/kmc/models.hpp>

#include "tests/execution_spaces.hpp"
#include "tests/held_memory.hpp"
#include "tests/kmc/exactness.hpp"
#include "tests/kmc/own_models.hpp"
#include "tests/view_bytes.hpp"

namespace tessera::kmc {
namespace {

/// What is said beforehand of the memory of a run is what its simulation has allocated.
template <class Space>
class MemoryOn : public ::testing::Test {};
TYPED_TEST_SUITE(MemoryOn, testing::ParallelSpaces, testing::ExecutionSpaceNames);

Parameters replicated(Parameters p, int replicas) {
  p.replicas = replicas;
  return p;
}

template <class Space, Model M>
void expect_tile_method_bytes(const Parameters& p, const M& model) {
  SCOPED_TRACE(describe(p, {}));
  testing::expect_bytes_of_views(tile_method_bytes<M>(p, lanes_per_tile<Space>),
                                 [&] { return make_tile_method<Space>(p, model); });
}

TYPED_TEST(MemoryOn, OfTheTileMethodIsKnownBeforehand) {
  expect_tile_method_bytes<TypeParam>(lattice(256, 512), SolidOnSolid(1));
  expect_tile_method_bytes<TypeParam>(replicated(tiled(lattice(48, 24), 8, 8, StepControl::reject), 5), Ising(0.4));
  expect_tile_method_bytes<TypeParam>(tiled(lattice(48, 48), 16, 4), Potts(1));
  expect_tile_method_bytes<TypeParam>(replicated(tiled(lattice(48, 60), 12, 3), 2), Species());
  expect_tile_method_bytes<TypeParam>(tiled(lattice(80, 120), 40, 2), Species());
}

template <class Simulation, Model M>
void expect_sequential_bytes(Parameters p, Method method, const M& model) {
  p.method = method;
  const std::size_t before = testing::held;
  const Simulation simulation(p, model);
  const auto expected = static_cast<double>(sequential_bytes<M>(p));
  EXPECT_NEAR(static_cast<double>(testing::held - before), expected, 2500 * p.replicas) << expected;
}

TEST(Memory, OfTheSequentialMethodsIsKnownBeforehand) {
  for (const Parameters& p : {lattice(256, 132), replicated(lattice(64, 70), 4)}) {
    expect_sequential_bytes<BklSimulation<Ising>>(p, Method::bkl, Ising(0.4));
    expect_sequential_bytes<BklSimulation<SolidOnSolid>>(p, Method::bkl, SolidOnSolid(1));
    expect_sequential_bytes<BklSimulation<Potts>>(p, Method::bkl, Potts(0.4));
    expect_sequential_bytes<WaitingTimeSimulation<Ising>>(p, Method::waiting_time, Ising(0.4));
    expect_sequential_bytes<WaitingTimeSimulation<SolidOnSolid>>(p, Method::waiting_time, SolidOnSolid(1));
  }
}

TEST(Memory, IsThatOfTheStateAndOneFieldOnTheHost) {
  Parameters p = lattice(4096, 4096);
  const std::size_t cells = std::size_t{4096} * 4096, state = tile_method_bytes<SolidOnSolid>(p, 32);
  EXPECT_GT(state, 40 * cells);
  EXPECT_EQ(memory_needed<SolidOnSolid>(p, 32).device, state);
  EXPECT_NEAR(double(memory_needed<SolidOnSolid>(p, 32).host), 8.0 * double(cells), 1e3);
  EXPECT_EQ(memory_needed<SolidOnSolid>(p, 1).device, 0u);
  EXPECT_NEAR(double(memory_needed<SolidOnSolid>(p, 1).host), double(tile_method_bytes<SolidOnSolid>(p, 1) + 8 * cells),
              1e3);
  EXPECT_LT(memory_needed<Ising>(p, 32).device, state);
  for (const Method method : {Method::bkl, Method::waiting_time}) {
    p.method = method;
    p.replicas = 1;
    const std::size_t one = memory_needed<Ising>(p, 1).host;
    p.replicas = 65536;  // more than any machine has
    EXPECT_EQ(memory_needed<Ising>(p, 1).host, 65536 * one);
    EXPECT_EQ(memory_needed<Ising>(p, 32).device, 0u);
  }
}

}  // namespace
}  // namespace tessera::kmc
