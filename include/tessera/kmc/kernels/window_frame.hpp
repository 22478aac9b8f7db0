// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/kmc/state.hpp>

namespace tessera::kmc {

/// The window that a team simulates: a tile with a halo. Cell (x, y) of it is number y * side + x; the central tile
/// begins at (halo, halo). The outermost cells are the fixed boundary: they have a state and nothing else.
struct WindowFrame {
  int halo, tile;
  int side;         ///< tile + 2 halo
  unsigned divide;  ///< for row()
  int* column_x;    ///< site column of a window column [side]
  int* row_site;    ///< first site of a window row, y * nx [side]

  KOKKOS_FORCEINLINE_FUNCTION WindowFrame(const Geometry& g, int halo_width)
      : halo(halo_width),
        tile(g.tile),
        side(g.tile + 2 * halo_width),
        divide((1u << 22) / static_cast<unsigned>(side) + 1) {}

  /// Cells in all rows, and in the rows 1 .. side - 2.
  KOKKOS_FORCEINLINE_FUNCTION int all_cells() const { return side * side; }
  KOKKOS_FORCEINLINE_FUNCTION int inner_cells() const { return side * (side - 2); }

  /// Row of a cell; its column is cell - row * side.
  KOKKOS_FORCEINLINE_FUNCTION int row(int cell) const {
    return static_cast<int>((static_cast<unsigned>(cell) * divide) >> 22);
  }

  /// Whether cell (x, y) is not part of the fixed boundary.
  KOKKOS_FORCEINLINE_FUNCTION bool live(int x, int y) const {
    const auto inner = static_cast<unsigned>(side - 2);
    return static_cast<unsigned>(x - 1) < inner && static_cast<unsigned>(y - 1) < inner;
  }

  /// Whether it belongs to the central tile.
  KOKKOS_FORCEINLINE_FUNCTION bool central(int x, int y) const {
    const auto inside = static_cast<unsigned>(tile);
    return static_cast<unsigned>(x - halo) < inside && static_cast<unsigned>(y - halo) < inside;
  }

  /// The neighbourhood of a cell in its `states`.
  template <int Count, class StateType>
  KOKKOS_FORCEINLINE_FUNCTION Neighbourhood<StateType, Count> neighbourhood(const StateType* states, int cell) const {
    Neighbourhood<StateType, Count> n;
    n.centre = states[cell];
    for (int k = 0; k < Count; ++k) n.around[k] = states[cell + neighbour_dy(k) * side + neighbour_dx(k)];
    return n;
  }

  /// The site of cell (x, y) in the lattice.
  KOKKOS_FORCEINLINE_FUNCTION int site(int x, int y) const { return row_site[y] + column_x[x]; }

  /// Site coordinate and tile of row or column `i` of the window around tile `centre` of `tiles`, periodic. No
  /// division: offsets are a few tiles at most.
  KOKKOS_FORCEINLINE_FUNCTION void place(int i, int centre, int tiles, int& site, int& its_tile) const {
    int inside = i - halo;
    its_tile = centre;
    for (; inside < 0; inside += tile) its_tile = its_tile == 0 ? tiles - 1 : its_tile - 1;
    for (; inside >= tile; inside -= tile) its_tile = its_tile == tiles - 1 ? 0 : its_tile + 1;
    site = its_tile * tile + inside;
  }
};

/// In which order a team of several lanes performs events; a team of one lane always performs them one by one.
enum class EventOrder {
  local,      ///< whatever is earliest in its surroundings
  slices,     ///< the same, but none of one slice of the step before all of the slice before are done
  one_by_one  ///< the sequential order
};

}  // namespace tessera::kmc
