// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <tessera/core/kokkos_ext/lanes.hpp>
#include <tessera/kmc/models.hpp>

#include "tests/execution_spaces.hpp"
#include "tests/kmc/exactness.hpp"
#include "tests/kmc/own_models.hpp"

namespace tessera::kmc {
namespace {

/// The same comparison over more events: errors as rare as one in a million of them are found.
template <class Space>
class TileMethodAtLength : public ::testing::Test {};
TYPED_TEST_SUITE(TileMethodAtLength, testing::ParallelSpaces, testing::ExecutionSpaceNames);

template <class Space, Model M>
void expect_sequential_trajectory(const M& model, std::uint64_t events) {
  for (const std::uint64_t seed : {101u, 102u}) {
    const Parameters p = up_to_event(lattice(240, 336, seed), events);
    const Snapshot<M> expected = sequential(p, model);
    Work work;
    for (const EventOrder order : distinct<Space>()) {
      expect_trajectory<Space>(p, model, order, expected, work);  // the space's own tile and halo
      expect_trajectory<Space>(tiled(p, 24, 8), model, order, expected, work);
      expect_trajectory<Space>(tiled(p, 16, 8, StepControl::reject), model, order, expected, work);
    }
    EXPECT_EQ(work.events, work.runs * events);
  }
}

TYPED_TEST(TileMethodAtLength, EqualsSequentialTrajectory) {
  for (const double phi : {0.0, 1.0, 2.0, 3.0}) {
    SCOPED_TRACE("phi = " + std::to_string(phi));
    expect_sequential_trajectory<TypeParam>(SolidOnSolid(phi), 1'500'000);
  }
}

TYPED_TEST(TileMethodAtLength, EqualsSequentialTrajectoryOfTheIsingModel) {
  expect_sequential_trajectory<TypeParam>(Ising(0.44, 0), 3'000'000);
}

TYPED_TEST(TileMethodAtLength, EqualsSequentialTrajectoryWithEightNeighboursAndRandomEvents) {
  expect_sequential_trajectory<TypeParam>(Species(), 3'000'000);
}

}  // namespace
}  // namespace tessera::kmc
