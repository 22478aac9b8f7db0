// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tessera/kmc/kernels/checksums.hpp>

#include "tests/execution_spaces.hpp"
#include "tests/kmc/check_rate.hpp"
#include "tests/kmc/own_models.hpp"

namespace tessera::kmc {
namespace {

TEST(EventHash, DistinguishesSitesTimesAndStates) {
  std::set<std::uint64_t> hashes;
  for (std::int64_t site = 0; site < 50; ++site)
    for (int time = 0; time < 50; ++time)
      for (std::int64_t state = -10; state < 10; ++state) hashes.insert(event_hash(site, 1 + time * 0x1p-52, state));
  EXPECT_EQ(hashes.size(), 50u * 50 * 20);
}

TEST(Sides, AreOpposite) {
  for (int k = 0; k < 24; ++k) {
    EXPECT_EQ(neighbour_dx<24>(opposite(k)), -neighbour_dx<24>(k));
    EXPECT_EQ(neighbour_dy<24>(opposite(k)), -neighbour_dy<24>(k));
    EXPECT_EQ((Offset{neighbour_dx<24>(k), neighbour_dy<24>(k)}), neighbour_offsets[k]);
    if (k < 8) {
      EXPECT_EQ((Offset{neighbour_dx(k), neighbour_dy(k)}), neighbour_offsets[k]);
    }
  }
}

/// The consistency check is what makes the tile method exact: each part of it, and the whole.
template <class Space>
class ConsistencyCheck : public ::testing::Test {};
TYPED_TEST_SUITE(ConsistencyCheck, testing::ParallelSpaces, testing::ExecutionSpaceNames);

/// Cells that are wrong after 2e4 events with a check of the sides in `side_mask` alone.
template <class Space, Model M>
std::size_t wrong_cells(const M& model, StepControl control, unsigned side_mask, int tile = 8) {
  const Parameters p =
      tiled(up_to_event(lattice(64, 64, 77), 20'000), tile, std::max(3, event_reach<M>.narrowest_halo()), control);
  // The same at each call for a type of model, whatever the tiles.
  static const double end = sequential(p, model).times[0];
  static const Snapshot<M> expected = sequential(p, model, end);
  const auto simulation = tile_method<Space>(p, model);
  simulation->check_only(side_mask);
  // Without a check no step is rejected, and steps would become as long as the run.
  for (int stop = 1; stop <= 40; ++stop) simulation->advance(end * stop / 40);
  return cells_that_differ(snapshot<M>(*simulation), expected);
}

TYPED_TEST(ConsistencyCheck, AcceptsErrorsIfDisabled) {
  for (const StepControl control : {StepControl::repair, StepControl::reject}) {
    EXPECT_EQ(wrong_cells<TypeParam>(SolidOnSolid(1), control, all_sides), 0u);
    EXPECT_GT(wrong_cells<TypeParam>(SolidOnSolid(1), control, 0), 1000u);
    EXPECT_EQ(wrong_cells<TypeParam>(RandomPairs(), control, all_sides), 0u);
    EXPECT_GT(wrong_cells<TypeParam>(RandomPairs(), control, 0), 1000u);
  }
}

TYPED_TEST(ConsistencyCheck, NeedsEverySide) {
  for (int side = 0; side < 4; ++side)
    EXPECT_GT(wrong_cells<TypeParam>(SolidOnSolid(1), StepControl::reject, 1u << side), 0u) << side;
  for (int side = 0; side < 4; ++side)
    EXPECT_GT(wrong_cells<TypeParam>(Species(), StepControl::repair, 1u << side), 0u) << side;
  for (int side = 0; side < 8; ++side)
    EXPECT_GT(wrong_cells<TypeParam>(RandomPairs(), StepControl::repair, all_sides & ~(1u << side), 4), 0u) << side;
}

TYPED_TEST(ConsistencyCheck, PublishedOneLetsWrongStepsThroughAndTheWholeOneNone) {
  const CheckedSteps whole = take_steps<TypeParam>(as_published(128), SolidOnSolid(2), all_sides, 20, 150);
  EXPECT_EQ(whole.wrong, 0u);
  EXPECT_GT(whole.rejected, 2u);
  const CheckedSteps published = take_steps<TypeParam>(as_published(128), SolidOnSolid(2), published_sides, 20, 150);
  EXPECT_GT(published.wrong, 0u);
  EXPECT_GT(published.rejected, 0u);
}

}  // namespace
}  // namespace tessera::kmc
