// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tests/kmc/exactness.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <tessera/core/kokkos_ext/lanes.hpp>
#include <tessera/kmc/models.hpp>

#include "tests/execution_spaces.hpp"
#include "tests/kmc/own_models.hpp"

namespace tessera::kmc {
namespace {

template <class Space>
class TileMethod : public ::testing::Test {};
TYPED_TEST_SUITE(TileMethod, testing::ParallelSpaces, testing::ExecutionSpaceNames);

constexpr std::uint64_t many_events = 100'000;

/// 1e5 events on 96 x 160 sites, with both step controls and every order.
template <class Space, Model M>
void expect_sequential_trajectory(const M& model) {
  const Parameters p = up_to_event(lattice(96, 160, 17), many_events);
  const Snapshot<M> expected = sequential(p, model);
  ASSERT_EQ(expected.events[0], many_events);
  Work repairing, rejecting;
  for (const EventOrder order : distinct<Space>({orders[0], orders[1]}))
    expect_trajectory<Space>(tiled(p, 16, std::max(4, event_reach<M>.narrowest_halo())), model, order, expected,
                             repairing);
  for (const EventOrder order : distinct<Space>({orders[1], orders[2]}))
    expect_trajectory<Space>(tiled(p, 16, std::max(8, event_reach<M>.narrowest_halo()), StepControl::reject), model,
                             order, expected, rejecting);
  EXPECT_EQ(repairing.events + rejecting.events, (repairing.runs + rejecting.runs) * many_events);
  EXPECT_GT(repairing.repaired, 0u);
  EXPECT_GT(rejecting.rejected, 0u);
  EXPECT_EQ(rejecting.repaired, 0u);
}

TYPED_TEST(TileMethod, EqualsSequentialTrajectoryToTheLastBit) {
  for (const double phi : {-0.5, 1.0, 3.0}) {
    SCOPED_TRACE("phi = " + std::to_string(phi));
    expect_sequential_trajectory<TypeParam>(SolidOnSolid(phi));
  }
}

TYPED_TEST(TileMethod, EqualsSequentialTrajectoryOfTheIsingModel) {
  for (const double coupling : {0.3, 0.6}) {
    SCOPED_TRACE("K = " + std::to_string(coupling));
    expect_sequential_trajectory<TypeParam>(Ising(coupling, 0));
  }
}

TYPED_TEST(TileMethod, EqualsSequentialTrajectoryOfThePottsModel) {
  for (const double coupling : {0.5, 1.5}) {
    SCOPED_TRACE("K = " + std::to_string(coupling));
    expect_sequential_trajectory<TypeParam>(Potts(coupling, 0));
  }
}

TYPED_TEST(TileMethod, EqualsSequentialTrajectoryOfTheLatticeGas) {
  expect_sequential_trajectory<TypeParam>(Hopping(0.5, 1));
  expect_sequential_trajectory<TypeParam>(Hopping(0.2, 0.5, 0.3, 0.8));
}

TYPED_TEST(TileMethod, EqualsSequentialTrajectoryOfKawasakiDynamics) {
  for (const double attraction : {1.0, -1.0}) {
    SCOPED_TRACE("E = " + std::to_string(attraction));
    expect_sequential_trajectory<TypeParam>(Kawasaki(0.5, attraction));
  }
}

TYPED_TEST(TileMethod, EqualsSequentialTrajectoryOfEpitaxy) {
  expect_sequential_trajectory<TypeParam>(Epitaxy(1, 1000, 2));
  expect_sequential_trajectory<TypeParam>(Epitaxy(1, 10, 0.5));
}

TYPED_TEST(TileMethod, EqualsSequentialTrajectoryOfTheOctahedronModel) {
  expect_sequential_trajectory<TypeParam>(Octahedron(1, 0.4));
}

TYPED_TEST(TileMethod, EqualsSequentialTrajectoryOfRandomPairsAndLists) {
  for (const std::uint64_t seed : {1, 2}) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_sequential_trajectory<TypeParam>(RandomPairs(seed));
    expect_sequential_trajectory<TypeParam>(RandomListed(seed));
  }
}

TYPED_TEST(TileMethod, EqualsSequentialTrajectoryWithEightNeighboursAndRandomEvents) {
  expect_sequential_trajectory<TypeParam>(Species());
}

/// Lattices of one, two and several tiles a side: on the small ones a window meets itself.
template <class Space, Model M>
void expect_trajectory_for_every_size(const M& model, Work& work, int& pairs) {
  constexpr int lanes = lanes_per_tile<Space>;
  int turn = 0;
  for (const int tile : {2, 3, 4, 5, 8, 12, 16, 20}) {
    for (const auto& [tiles_x, tiles_y] : {std::pair{1, 1}, std::pair{1, 2}, std::pair{5, 3}}) {
      if (tile * std::min(tiles_x, tiles_y) < event_reach<M>.smallest_side()) continue;
      if (tile < event_reach<M>.smallest_tile()) continue;
      const Parameters p =
          up_to_event(lattice(tile * tiles_x, tile * tiles_y, 5), static_cast<std::uint64_t>(tile * (tiles_x + 40)));
      const Snapshot<M> expected = sequential(p, model);
      for (const int halo : {2, 3, 4, 5, 8}) {
        if (!fits(tile, halo, lanes) || halo < event_reach<M>.narrowest_halo()) continue;
        pairs += tiles_x == 5;
        for (const StepControl control : {StepControl::repair, StepControl::reject}) {
          // GPUs, where launches take long, have one control on the narrow lattices and the other on the wide one.
          if (lanes > 1 && (control == StepControl::repair) != ((tiles_x == 5) == (halo % 2 == 0))) continue;
          expect_trajectory<Space>(tiled(p, tile, halo, control), model, orders[turn++ % std::size(orders)], expected,
                                   work);
        }
      }
    }
  }
}

TYPED_TEST(TileMethod, EqualsSequentialTrajectoryForEveryTileAndHalo) {
  Work work;
  int pairs = 0;
  expect_trajectory_for_every_size<TypeParam>(SolidOnSolid(1), work, pairs);
  expect_trajectory_for_every_size<TypeParam>(Species(), work, pairs);
  EXPECT_GE(pairs, 2 * (lanes_per_tile<TypeParam> == 1 ? 40 : 30));
  EXPECT_GT(work.events, lanes_per_tile<TypeParam> == 1 ? 170'000u : 65'000u);
  EXPECT_GT(work.rejected, lanes_per_tile<TypeParam> == 1 ? 600u : 300u);
  EXPECT_GT(work.repaired, lanes_per_tile<TypeParam> == 1 ? 600u : 300u);
}

TYPED_TEST(TileMethod, EqualsSequentialTrajectoryForEveryTileAndHaloWhereEventsChangePairs) {
  Work work;
  int pairs = 0;
  expect_trajectory_for_every_size<TypeParam>(Hopping(0.5, 1), work, pairs);
  EXPECT_GE(pairs, lanes_per_tile<TypeParam> == 1 ? 27 : 23);
  expect_trajectory_for_every_size<TypeParam>(RandomPairs(3), work, pairs);
  expect_trajectory_for_every_size<TypeParam>(RandomListed(3), work, pairs);
  EXPECT_GT(work.rejected, 100u);
  EXPECT_GT(work.repaired, 100u);
}

TYPED_TEST(TileMethod, EqualsSequentialTrajectoryOnNarrowLattices) {
  const SolidOnSolid model(2);
  Work work;
  struct Size {
    int nx, ny, tile;
  };
  for (const auto& [nx, ny, tile] : {Size{48, 16, 16}, Size{48, 16, 8}, Size{16, 96, 4}, Size{16, 16, 16},
                                     Size{16, 16, 4}, Size{8, 8, 8}, Size{8, 8, 4}, Size{4, 4, 4}, Size{4, 4, 2}}) {
    const Parameters p = up_to_event(lattice(nx, ny, 23), static_cast<std::uint64_t>(std::min(1'000, 4 * nx * ny)));
    const Snapshot<SolidOnSolid> expected = sequential(p, model);
    int turn = 0;
    for (const int halo : {2, 4, 8})
      for (const StepControl control : {StepControl::repair, StepControl::reject})
        expect_trajectory<TypeParam>(tiled(p, tile, halo, control), model, orders[turn++ % std::size(orders)], expected,
                                     work);
  }
  EXPECT_EQ(work.events, 6u * (5 * 1'000 + 2 * 256 + 2 * 64));
}

TYPED_TEST(TileMethod, AdvancesASmallLatticeAsAWholeByDefault) {
  Parameters p;
  p.nx = p.ny = 20;
  EXPECT_TRUE(tile_method<TypeParam>(p, SolidOnSolid(1))->tile_sizes().whole());
  p.cores = Parameters::any_cores;
  EXPECT_EQ(tile_method<TypeParam>(p, SolidOnSolid(1))->tile_sizes().whole(), lanes_per_tile<TypeParam> > 1);
}

/// Lattices that one team advances as a whole. In the scratch memory of a GPU large states have less room.
template <class Space, Model M>
void expect_trajectory_of_one_window(const M& model, Work& work) {
  const bool has_room = fits_whole(64, lanes_per_tile<Space>, event_reach<M>);
  ASSERT_TRUE(has_room || sizeof(typename M::State) > 4);
  const int largest = has_room ? 64 : 48;
  for (const auto& [side, events] : {std::pair{16, 2'000}, std::pair{24, 4'000}, std::pair{largest, 10'000}}) {
    Parameters p = tiled(up_to_event(lattice(side, side, 29), static_cast<std::uint64_t>(events)), side, 0);
    ASSERT_TRUE(tile_sizes(p, lanes_per_tile<Space>, event_reach<M>).whole());
    p.replicas = 3;
    const Snapshot<M> expected = sequential(p, model);
    for (const EventOrder order : distinct<Space>()) expect_trajectory<Space>(p, model, order, expected, work);
  }
}

TYPED_TEST(TileMethod, EqualsSequentialTrajectoryWhereTheTileIsTheLattice) {
  Work work;
  expect_trajectory_of_one_window<TypeParam>(SolidOnSolid(2), work);
  expect_trajectory_of_one_window<TypeParam>(Potts(0.9, 0), work);
  expect_trajectory_of_one_window<TypeParam>(Species(), work);
  expect_trajectory_of_one_window<TypeParam>(Hopping(0.5, 1), work);
  expect_trajectory_of_one_window<TypeParam>(RandomPairs(4), work);
  expect_trajectory_of_one_window<TypeParam>(RandomListed(4), work);
  EXPECT_EQ(work.events, work.runs * 16'000);
  EXPECT_EQ(work.repaired, 0u);
}

}  // namespace
}  // namespace tessera::kmc
