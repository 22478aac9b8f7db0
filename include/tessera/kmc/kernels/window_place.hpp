// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/kokkos_ext/lanes.hpp>
#include <tessera/kmc/state.hpp>

namespace tessera::kmc {

/// Where the cells of a window lie in the lattice, for a halo no wider than a tile: the window then reaches into the
/// eight tiles around, and a few numbers say it all. Cell (x, y) of the window is number y * side + x.
struct WindowPlace {
  int halo, tile, side;  ///< of the window: side = tile + 2 halo
  int nx, ny;
  int tiles_x, tiles_y;
  int tile_x, tile_y;             ///< of the central tile
  int first_x, first_y;           ///< first site of the central tile
  unsigned divide;                ///< for row()
  unsigned fronts = 0;            ///< bit 3 j + i: front buffer of the tile i - 1 to the east and j - 1 to the north
  std::size_t replica_begin = 0;  ///< of the first buffer
  std::size_t other_buffer = 0;   ///< from the first buffer to the second

  KOKKOS_FORCEINLINE_FUNCTION WindowPlace(const Geometry& g, int tile_number, int halo_width) {
    halo = halo_width;
    tile = g.tile;
    side = tile + 2 * halo;
    nx = g.nx;
    ny = g.ny;
    tiles_x = g.tiles_x;
    tiles_y = g.tiles_y;
    tile_y = tile_number / tiles_x;
    tile_x = tile_number - tile_y * tiles_x;
    first_x = tile_x * tile;
    first_y = tile_y * tile;
    divide = (1u << 22) / static_cast<unsigned>(side) + 1;
  }

  /// Notes which buffers hold the present; all lanes together. present() needs it.
  template <class Team, class StateArrays>
  KOKKOS_FORCEINLINE_FUNCTION void look_for_fronts(const Team& team, const StateArrays& state, int replica) {
    replica_begin = state.index(0, replica, 0);
    other_buffer = state.index(1, 0, 0);
    const std::int64_t tiles = std::int64_t{replica} * state.geometry.tiles();
    std::uint32_t bits = 0;
    for (int n = team.team_rank(); n < 9; n += team.team_size())
      bits |= std::uint32_t{state.front(tiles + beside(n % 3 - 1, n / 3 - 1))} << n;
    fronts = sum_over_lanes(team, bits);
  }

  /// The tile dx to the east and dy to the north of the central one, each -1, 0 or 1, within its replica.
  KOKKOS_FORCEINLINE_FUNCTION int beside(int dx, int dy) const {
    int x = tile_x + dx, y = tile_y + dy;
    x += x < 0 ? tiles_x : (x >= tiles_x ? -tiles_x : 0);
    y += y < 0 ? tiles_y : (y >= tiles_y ? -tiles_y : 0);
    return y * tiles_x + x;
  }

  /// Row of a cell; its column is cell - row * side.
  KOKKOS_FORCEINLINE_FUNCTION int row(int cell) const {
    return static_cast<int>((static_cast<unsigned>(cell) * divide) >> 22);
  }

  /// The band of rows or columns that coordinate `i` is in: 0 before the central tile, 1 in it, 2 behind it.
  KOKKOS_FORCEINLINE_FUNCTION int band(int i) const { return (i >= halo ? 1 : 0) + (i >= halo + tile ? 1 : 0); }
  /// The first row or column behind a band.
  KOKKOS_FORCEINLINE_FUNCTION int end_of_band(int b) const { return b == 0 ? halo : (b == 1 ? halo + tile : side); }

  /// The site of window cell (x, y).
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t site(int x, int y) const {
    int site_x = first_x + x - halo, site_y = first_y + y - halo;
    site_x += site_x < 0 ? nx : (site_x >= nx ? -nx : 0);
    site_y += site_y < 0 ? ny : (site_y >= ny ? -ny : 0);
    return std::int64_t{site_y} * nx + site_x;
  }

  /// A number for each cell that grows with the site from a cell to those near it, also where one of them lies across
  /// the end of the lattice; at most that of the last cell.
  KOKKOS_FORCEINLINE_FUNCTION int by_site(int cell) const {
    const int y = row(cell);
    return by_site(y, ny - first_y + halo, halo - first_y) * side +
           by_site(cell - y * side, nx - first_x + halo, halo - first_x);
  }

  /// Where the present of window cell (x, y) stands in the arrays of the state.
  KOKKOS_FORCEINLINE_FUNCTION std::size_t present(int x, int y) const {
    const bool second = (fronts >> (3 * band(y) + band(x)) & 1u) != 0;
    return replica_begin + (second ? other_buffer : 0) + static_cast<std::size_t>(site(x, y));
  }

  /// The rows (columns) of the window in the order of their sites: first those from `behind` on, which lie behind the
  /// end of the lattice, last those below `before`, which lie before its beginning.
  KOKKOS_FORCEINLINE_FUNCTION int by_site(int i, int behind, int before) const {
    behind = behind < side ? behind : side;
    before = before > 0 ? before : 0;
    return i >= behind ? i - behind : side + i - before - (i >= before ? behind : 0);
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
