// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gmock/gmock.h>

#include <tessera/kmc/steps/tile_set.hpp>
#include <vector>

namespace tessera::kmc {
namespace {

using ::testing::UnorderedElementsAreArray;

Geometry block(int own_x, int own_y, int tile, int ghost_x, int ghost_y) {
  const int tiles_x = own_x + 2 * ghost_x, tiles_y = own_y + 2 * ghost_y;
  return {tiles_x * tile, tiles_y * tile, tile, tiles_x, tiles_y, 1, ghost_x, ghost_y, 0, 0, 64 * tile, 64 * tile};
}

std::vector<int> tiles_of(const TileSet& set, const Geometry& g) {
  std::vector<int> tiles;
  for (int i = 0; i < set.size(); ++i) tiles.push_back(set.tile(g, i));
  return tiles;
}

/// Whether a window of a tile with this halo has cells of the ghost ring.
bool reaches_out(const Geometry& g, int tile, int halo) {
  const int x = tile % g.tiles_x * g.tile, y = tile / g.tiles_x * g.tile, ring_x = g.ghost_x * g.tile,
            ring_y = g.ghost_y * g.tile;
  return (ring_x > 0 && (x - halo < ring_x || x + g.tile + halo > g.nx - ring_x)) ||
         (ring_y > 0 && (y - halo < ring_y || y + g.tile + halo > g.ny - ring_y));
}

// Blocks cut in one direction or both, wide and narrower than what their borders' windows reach over.
TEST(TileSets, HaveEachTileWhereItsWindowReaches) {
  for (const int tile : {4, 16})
    for (const int halo : {3, 6, 8})
      for (int own_x = 1; own_x <= 7; ++own_x)
        for (int own_y = 1; own_y <= 7; own_y += 2)
          for (const int ghosts : {1, 2}) {
            for (const auto& g : {block(own_x, own_y, tile, ghosts, 0), block(own_x, own_y, tile, 0, ghosts),
                                  block(own_x, own_y, tile, ghosts, ghosts), block(own_x, own_y, tile, 0, 0)}) {
              SCOPED_TRACE(::testing::Message() << own_x << " x " << own_y << " tiles of " << tile << ", ghosts "
                                                << g.ghost_x << ", " << g.ghost_y << ", halo " << halo);
              std::vector<int> own, inner, border;
              for (int t = 0; t < g.tiles(); ++t) {
                if (!g.owns(t)) continue;
                own.push_back(t);
                (reaches_out(g, t, halo) ? border : inner).push_back(t);
              }
              EXPECT_THAT(tiles_of(TileSet::own(g), g), UnorderedElementsAreArray(own));
              EXPECT_THAT(tiles_of(TileSet::inner(g, halo), g), UnorderedElementsAreArray(inner));
              EXPECT_THAT(tiles_of(TileSet::border(g, halo), g), UnorderedElementsAreArray(border));
            }
          }
}

}  // namespace
}  // namespace tessera::kmc
