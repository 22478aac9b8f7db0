// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <tessera/kmc/model.hpp>
#include <tessera/kmc/state/state.hpp>

namespace tessera::kmc {

/// The array at this place of a team's scratch memory, in bytes from its begin.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T* array_at(char* scratch, int place) {
  return reinterpret_cast<T*>(scratch + place);
}

/// The window that a team simulates: a tile with a halo. Cell (x, y) is number y * stride + x; the central tile begins
/// at (halo, halo). The outermost cells, as far as rates depend on states, are the fixed boundary, with a state but
/// without events. Alternatively the window is the whole periodic lattice as one tile, without halo or boundary.
struct WindowFrame {
  int halo, tile;
  int side;       ///< tile + 2 halo
  int stride;     ///< distance of rows
  int* column_x;  ///< site column of each window column [side]
  int* row_site;  ///< first site of each window row, y * nx [side]
  const Geometry& lattice;

  KOKKOS_FORCEINLINE_FUNCTION WindowFrame(const Geometry& g, int halo_width, int width)
      : halo(halo_width), tile(g.tile), side(g.tile + 2 * halo_width), stride(width), lattice(g) {}

  /// Whether cell (x, y) lies inside the fixed boundary of this width.
  template <int boundary>
  KOKKOS_FORCEINLINE_FUNCTION bool live(int x, int y) const {
    const auto inner = static_cast<unsigned>(side - 2 * boundary);
    return static_cast<unsigned>(x - boundary) < inner && static_cast<unsigned>(y - boundary) < inner;
  }

  /// Whether cell (x, y) belongs to the central tile.
  KOKKOS_FORCEINLINE_FUNCTION bool central(int x, int y) const {
    const auto inside = static_cast<unsigned>(tile);
    return static_cast<unsigned>(x - halo) < inside && static_cast<unsigned>(y - halo) < inside;
  }

  /// Site of cell (x, y) in this Geometry.
  KOKKOS_FORCEINLINE_FUNCTION int site(int x, int y) const { return row_site[y] + column_x[x]; }

  /// Number of the site in the whole lattice, on which all ranks agree.
  KOKKOS_FORCEINLINE_FUNCTION int site_in_whole(int x, int y) const { return lattice.in_whole(site(x, y)); }

  /// The neighbourhood of live cell (x, y) in `states`.
  template <bool whole, class M>
  KOKKOS_FORCEINLINE_FUNCTION NeighbourhoodOf<M> neighbourhood(const typename M::State* states, int x, int y) const {
    if constexpr (ReadsSurroundings<M>)
      return {states, x, y, whole ? side : 0, whole ? side : 0, stride};
    else
      return neighbourhood_of<M::neighbours>(states[y * stride + x],
                                             [&](int dx, int dy) { return states[cell_at<whole>(x + dx, y + dy)]; });
  }

  /// Number of cell (x, y), which may lie outside a whole lattice.
  template <bool whole>
  KOKKOS_FORCEINLINE_FUNCTION int cell_at(int x, int y) const {
    return whole ? wrapped(y, side) * stride + wrapped(x, side) : y * stride + x;
  }

  /// Fills column_x and row_site for a tile. The lanes of the team share the work.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void set_tile(const Team& team, const Geometry& g, int tile_number) const {
    const int tile_y = static_cast<int>(static_cast<unsigned>(tile_number) / static_cast<unsigned>(g.tiles_x)),
              tile_x = tile_number - tile_y * g.tiles_x;
    for (int i = team.team_rank(); i < side; i += team.team_size()) {
      column_x[i] = periodic(tile_x * tile + i - halo, g.nx);
      row_site[i] = periodic(tile_y * tile + i - halo, g.ny) * g.nx;
    }
  }

 private:
  /// The site at position i of a periodic direction. A halo may be wider than the lattice.
  KOKKOS_FORCEINLINE_FUNCTION static int periodic(int i, int length) {
    if (static_cast<unsigned>(i) < static_cast<unsigned>(length)) return i;
    i %= length;
    return i < 0 ? i + length : i;
  }
};

/// In place of the position of the cell of a rejected event, which affects this cell only.
inline constexpr int rejected_event = -2;

/// Order in which a team of several lanes performs events. A team of one lane performs them one by one.
enum class EventOrder {
  local,      ///< any event that is the earliest in its surroundings
  in_parts,   ///< the same, but all events up to a late one precede the later ones
  one_by_one  ///< one event after another, in the order of time
};

}  // namespace tessera::kmc
