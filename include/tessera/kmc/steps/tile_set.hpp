// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <tessera/kmc/state/state.hpp>

namespace tessera::kmc {

/// The tiles of each replica that a launch advances.
class TileSet {
 public:
  /// All tiles outside the ghost ring.
  static TileSet own(const Geometry& g) { return TileSet(g, 0, false); }
  /// Tiles at the borders of a rank's block: their windows with this halo reach into the ghost ring.
  static TileSet border(const Geometry& g, int halo) { return TileSet(g, halo, true); }
  /// The other tiles of the block.
  static TileSet inner(const Geometry& g, int halo) { return TileSet(g, halo, false); }

  KOKKOS_FORCEINLINE_FUNCTION int size() const {
    return parts_[0].size() + parts_[1].size() + parts_[2].size() + parts_[3].size();
  }
  /// Tile number i < size().
  KOKKOS_FORCEINLINE_FUNCTION int tile(const Geometry& g, int i) const {
    int part = 0;
    for (; part < 3 && i >= parts_[part].size(); ++part) i -= parts_[part].size();
    const Rectangle& r = parts_[part];
    const int row = static_cast<int>(static_cast<unsigned>(i) / static_cast<unsigned>(r.width));
    return (r.y + row) * g.tiles_x + r.x + i - row * r.width;
  }

 private:
  struct Rectangle {
    int x = 0, y = 0, width = 0, height = 0;
    KOKKOS_FORCEINLINE_FUNCTION int size() const { return width * height; }
  };
  TileSet(const Geometry& g, int halo, bool border) {
    const int reach = (halo + g.tile - 1) / g.tile, x = g.ghost_x, y = g.ghost_y, width = g.tiles_x - 2 * x,
              height = g.tiles_y - 2 * y;
    const int left = x > 0 ? std::min(reach, width) : 0, right = x > 0 ? std::min(reach, width - left) : 0;
    const int top = y > 0 ? std::min(reach, height) : 0, bottom = y > 0 ? std::min(reach, height - top) : 0;
    const int inner_width = width - left - right, inner_height = height - top - bottom;
    if (!border) {
      parts_[0] = {x + left, y + top, inner_width, inner_height};
      return;
    }
    parts_[0] = {x, y, width, top};
    parts_[1] = {x, y + top, left, inner_height};
    parts_[2] = {x + left + inner_width, y + top, right, inner_height};
    parts_[3] = {x, y + top + inner_height, width, bottom};
  }

  Rectangle parts_[4];
};

}  // namespace tessera::kmc
