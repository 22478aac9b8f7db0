// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/lanes.hpp>
#include <tessera/kmc/state.hpp>
#include <tessera/kmc/tile_sizes.hpp>

namespace tessera::kmc {

/// The window that a team simulates: a tile with a halo, side tile + 2 halo, in team scratch. The outermost cells are
/// the fixed boundary; the cells inside them are live. Live cells are numbered y * side + x in live coordinates, whose
/// origin is one cell inside the window; the central tile begins at (margin, margin) there.
template <class StateType>
struct Window {
  static constexpr int group = 16;  ///< live cells that share a minimum

  int full;         ///< side of the window
  int side;         ///< side of its live part, full - 2
  int live;         ///< live cells, side^2
  int groups;       ///< live cells / group, rounded up
  int margin;       ///< first row and column of the central tile in live coordinates, halo - 1
  unsigned divide;  ///< ceil(2^22 / side): cell / side = (cell * divide) >> 22 for the sizes that fit into scratch

  double* times;           ///< tau of the live cells [groups * group]
  std::uint64_t* streams;  ///< g of the live cells; 0: not read yet
  double* group_times;     ///< smallest tau of each group
  std::uint32_t* keys;     ///< order of the live cells in 32 bits [groups * group]
  std::uint32_t* group_keys;
  int* column_x;      ///< site column of a window column [full]
  int* column_tile;   ///< its tile column
  int* row_site;      ///< first site of a window row, y * nx
  int* row_tile;      ///< first tile of its tile row
  StateType* states;  ///< x of the whole window [full * full]

  /// Carves the arrays out of `scratch`, window_bytes() that the team shares, aligned to 16, and fills the coordinates
  /// for tile (tile_x, tile_y).
  template <class Team>
  KOKKOS_FUNCTION Window(const Team& team, char* scratch, const Geometry& g, int halo, int tile_x, int tile_y) {
    full = g.tile + 2 * halo;
    side = full - 2;
    live = side * side;
    groups = (live + group - 1) / group;
    margin = halo - 1;
    divide = (1u << 22) / static_cast<unsigned>(side) + 1;
    const auto carve = [&scratch](auto*& array, int count) {
      array = reinterpret_cast<std::remove_reference_t<decltype(array)>>(scratch);
      scratch += static_cast<std::size_t>(count) * sizeof(*array);
    };
    carve(times, groups * group);
    carve(streams, groups * group);
    carve(keys, groups * group);
    carve(group_times, groups);
    carve(group_keys, groups);
    carve(column_x, full);
    carve(column_tile, full);
    carve(row_site, full);
    carve(row_tile, full);
    carve(states, full * full);
    for (int i = team.team_rank(); i < full; i += team.team_size()) {
      const int x = wrap(tile_x * g.tile + i - halo, g.nx);
      const int y = wrap(tile_y * g.tile + i - halo, g.ny);
      column_x[i] = x;
      column_tile[i] = x / g.tile;
      row_site[i] = y * g.nx;
      row_tile[i] = y / g.tile * g.tiles_x;
    }
  }

  /// Row and column of a live cell.
  KOKKOS_FORCEINLINE_FUNCTION int row(int cell) const {
    return static_cast<int>((static_cast<unsigned>(cell) * divide) >> 22);
  }
  KOKKOS_FORCEINLINE_FUNCTION int column(int cell, int its_row) const { return cell - its_row * side; }

  /// Where the state of live cell (x, y) stands in `states`.
  KOKKOS_FORCEINLINE_FUNCTION int at(int x, int y) const { return (y + 1) * full + x + 1; }

  /// The neighbourhood of live cell (x, y).
  template <int Count>
  KOKKOS_FORCEINLINE_FUNCTION Neighbourhood<StateType, Count> neighbourhood(int x, int y) const {
    const int centre = at(x, y);
    Neighbourhood<StateType, Count> n;
    n.centre = states[centre];
#pragma GCC unroll 8
    for (int k = 0; k < Count; ++k) n.around[k] = states[centre + neighbour_dy(k) * full + neighbour_dx(k)];
    return n;
  }

  /// Whether live cell (x, y) belongs to the central tile.
  KOKKOS_FORCEINLINE_FUNCTION bool central(int x, int y, int tile) const {
    return static_cast<unsigned>(x - margin) < static_cast<unsigned>(tile) &&
           static_cast<unsigned>(y - margin) < static_cast<unsigned>(tile);
  }

  /// Calls visit(x, y, index) for this lane's share of the cells of a square: x, y = 0 .. width - 1, index = y * width
  /// + x.
  template <class Team, class Visit>
  KOKKOS_FORCEINLINE_FUNCTION static void visit_square(const Team& team, int width, const Visit& visit) {
    const int lanes = team.team_size();
    if (lanes == 1) {
      for (int y = 0; y < width; ++y)
        for (int x = 0; x < width; ++x) visit(x, y, y * width + x);
    } else {
      int y = team.team_rank() / width, x = team.team_rank() % width;
      for (int index = team.team_rank(); index < width * width; index += lanes) {
        visit(x, y, index);
        for (x += lanes; x >= width; x -= width) ++y;
      }
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static int wrap(int x, int n) {
    x %= n;
    return x < 0 ? x + n : x;
  }
};

}  // namespace tessera::kmc
