// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <tessera/kmc/models.hpp>
#include <tessera/kmc/steps/tile_steps.hpp>

/// The buffers of a lattice, where they swap.
namespace tessera::kmc {
namespace {

using Host = Kokkos::DefaultHostExecutionSpace;

// The second of two replicas has its present in the second buffer, but for a tile of which both hold it.
TEST(Buffers, ThatHaveSwappedSwapBack) {
  Geometry g{32, 24, 8, 4, 3, 2};
  g.ghost_x = 1;
  const State<Kokkos::HostSpace, SolidOnSolid> state(g, SolidOnSolid(1));
  for (int replica = 0; replica < 2; ++replica)
    for (int site = 0; site < g.sites(); ++site)
      for (const bool second : {false, true}) {
        const std::size_t i = state.index(replica, site) + (second ? state.to_second() : 0);
        state.states(i) = second ? 2 : 1;
        state.times(i) = second ? 2 : 1;
        state.streams(i) = second ? 2 : 1;
      }
  state.swapped(1) = 1;
  constexpr int same_tile = 5;  // in the second row, the first that is not a ghost
  state.same(g.tiles() + same_tile) = 1;
  EXPECT_EQ(state.front(0, 7), state.index(0, 7));
  EXPECT_EQ(state.front(0, 7) + state.to_back(0), state.index(0, 7) + state.to_second());
  EXPECT_EQ(state.front(1, 7), state.index(1, 7) + state.to_second());
  EXPECT_EQ(state.front(1, 7) + state.to_back(1), state.index(1, 7));

  Parameters p;
  p.nx = g.nx;
  p.ny = g.ny;
  TileSizes sizes;
  sizes.tile = g.tile;
  sizes.halo = sizes.wide_halo = 4;
  const TileSteps<Host, SolidOnSolid> steps(Host(), state, SolidOnSolid(1), sizes, StepRules(p, sizes, g.tiles(), 1),
                                            1);
  steps.swap_back();
  Host().fence();
  EXPECT_EQ(state.swapped(0), 0);
  EXPECT_EQ(state.swapped(1), 0);
  for (int replica = 0; replica < 2; ++replica)
    for (int site = 0; site < g.sites(); ++site) {
      const int x = site % g.nx, y = site / g.nx, tile = y / g.tile * g.tiles_x + x / g.tile;
      if (!g.owns(tile)) continue;
      const std::size_t i = state.index(replica, site);
      const int wanted = replica == 1 && tile != same_tile ? 2 : 1;
      EXPECT_EQ(state.states(i), wanted) << replica << ", " << site;
      EXPECT_EQ(state.times(i), wanted) << replica << ", " << site;
      EXPECT_EQ(state.streams(i), static_cast<std::uint64_t>(wanted)) << replica << ", " << site;
    }
}

}  // namespace
}  // namespace tessera::kmc
