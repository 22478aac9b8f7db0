// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/lanes.hpp>
#include <tessera/kmc/state.hpp>

namespace tessera::kmc {

/// Where the cells of a window lie in the lattice, for a halo no wider than a tile: the window then reaches into the
/// eight tiles around, and a few numbers say it all.
struct WindowPlace {
  int halo, tile, side;  ///< of the window: side = tile + 2 halo
  int nx, ny;
  int first_x, first_y;       ///< first site of the central tile
  unsigned fronts;            ///< bit 3 j + i: front buffer of the tile i - 1 to the east and j - 1 to the north
  std::size_t replica_begin;  ///< of the first buffer
  std::size_t other_buffer;   ///< from the first buffer to the second

  template <class Team, class StateArrays>
  KOKKOS_FUNCTION WindowPlace(const Team& team, const StateArrays& state, int replica, int tile_x, int tile_y,
                              int halo_width) {
    const Geometry& g = state.geometry;
    halo = halo_width;
    tile = g.tile;
    side = tile + 2 * halo;
    nx = g.nx;
    ny = g.ny;
    first_x = tile_x * tile;
    first_y = tile_y * tile;
    replica_begin = state.index(0, replica, 0);
    other_buffer = state.index(1, 0, 0);
    std::uint32_t bits = 0;
    for (int n = team.team_rank(); n < 9; n += team.team_size())
      bits |= std::uint32_t{state.front(std::int64_t{replica} * g.tiles() + neighbour(g, tile_x, tile_y, n))} << n;
    fronts = sum_over_lanes(team, bits);
  }

  /// Tile n = 3 (dy + 1) + dx + 1 of the nine, within its replica.
  KOKKOS_FORCEINLINE_FUNCTION static int neighbour(const Geometry& g, int tile_x, int tile_y, int n) {
    int x = tile_x + n % 3 - 1, y = tile_y + n / 3 - 1;
    x += x < 0 ? g.tiles_x : (x >= g.tiles_x ? -g.tiles_x : 0);
    y += y < 0 ? g.tiles_y : (y >= g.tiles_y ? -g.tiles_y : 0);
    return y * g.tiles_x + x;
  }

  /// The site of window cell (x, y).
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t site(int x, int y) const {
    int site_x = first_x + x - halo, site_y = first_y + y - halo;
    site_x += site_x < 0 ? nx : (site_x >= nx ? -nx : 0);
    site_y += site_y < 0 ? ny : (site_y >= ny ? -ny : 0);
    return std::int64_t{site_y} * nx + site_x;
  }

  /// Where the present of window cell (x, y) stands in the arrays of the state.
  KOKKOS_FORCEINLINE_FUNCTION std::size_t present(int x, int y) const {
    const int column = (x >= halo ? 1 : 0) + (x >= halo + tile ? 1 : 0);
    const int row = (y >= halo ? 1 : 0) + (y >= halo + tile ? 1 : 0);
    const bool second = (fronts >> (3 * row + column) & 1u) != 0;
    return replica_begin + (second ? other_buffer : 0) + static_cast<std::size_t>(site(x, y));
  }

  /// Whether window cell (x, y) is not part of the fixed boundary.
  KOKKOS_FORCEINLINE_FUNCTION bool live(int x, int y) const {
    const auto inner = static_cast<unsigned>(side - 2);
    return static_cast<unsigned>(x - 1) < inner && static_cast<unsigned>(y - 1) < inner;
  }

  /// Whether it belongs to the central tile.
  KOKKOS_FORCEINLINE_FUNCTION bool central(int x, int y) const {
    return static_cast<unsigned>(x - halo) < static_cast<unsigned>(tile) &&
           static_cast<unsigned>(y - halo) < static_cast<unsigned>(tile);
  }
};

}  // namespace tessera::kmc
