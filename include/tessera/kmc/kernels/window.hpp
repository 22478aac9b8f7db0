// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/kokkos_ext/lanes.hpp>
#include <tessera/kmc/state.hpp>
#include <tessera/kmc/tile_sizes.hpp>

namespace tessera::kmc {

/// The window that a team simulates: a tile with a halo, in team scratch. Cell (x, y) of the window is number y *
/// stride + x; the central tile begins at (halo, halo). The outermost cells are the fixed boundary: they have a state
/// and nothing else, so that `times`, `streams` and `touched` exist for the rows 1 .. side - 2 alone.
template <class StateType>
struct Window {
  int halo;
  int side;         ///< tile + 2 halo
  int stride;       ///< from one row to the next
  int cells;        ///< in the rows 1 .. side - 2, made up to groups of 16
  int block_rows;   ///< height of a block; its width is 4
  int blocks_x;     ///< blocks in a row of blocks
  int blocks;       ///< blocks in the window
  unsigned divide;  ///< for row()

  double* times;              ///< tau
  std::uint64_t* streams;     ///< g; 0: not read yet
  std::uint32_t* keys;        ///< the order of the waiting times in 32 bits (LocalMinima)
  std::uint16_t* touched;     ///< when an event has last redrawn the cell (LocalMinima)
  std::uint32_t* block_keys;  ///< smallest key of each block, with a border of one block (LocalMinima)
  std::uint32_t* firing;      ///< keys of the events under way (LocalMinima)
  double* group_times;        ///< smallest tau of each group (GroupedMinimum), in the room of the keys
  int* column_x;              ///< site column of a window column [side]
  int* row_site;              ///< first site of a window row, y * nx [side]
  int* column_tile;           ///< tile column of a window column [side]
  int* row_tile;              ///< first tile of a window row's row of tiles [side]
  StateType* states;          ///< x of all cells of the window
  char* heap;                 ///< room behind the window, for a team of one lane (LazyHeap)

  /// Carves the arrays out of `scratch`, team_bytes() that the team shares, aligned to 16, and fills the coordinates
  /// for tile (tile_x, tile_y).
  template <class Team>
  KOKKOS_FUNCTION Window(const Team& team, char* scratch, const Geometry& g, int halo_width, int tile_x, int tile_y) {
    halo = halo_width;
    const WindowLayout layout(g.tile, halo);
    side = layout.side;
    stride = layout.stride;
    cells = layout.cells;
    block_rows = layout.block_rows;
    blocks_x = layout.blocks_x;
    blocks = layout.blocks_x * layout.blocks_y;
    heap = end_of_window(scratch, g.tile, halo);
    divide = (1u << 22) / static_cast<unsigned>(stride) + 1;
    const auto carve = [&scratch](auto*& array, int count, int skipped = 0) {
      array = reinterpret_cast<std::remove_reference_t<decltype(array)>>(scratch) - skipped;
      scratch += static_cast<std::size_t>(count) * sizeof(*array);
    };
    carve(times, cells, stride);
    carve(streams, cells, stride);
    carve(keys, layout.keys());
    group_times = reinterpret_cast<double*>(keys);
    carve(touched, cells, stride);
    carve(block_keys, layout.bordered_blocks());
    carve(firing, WindowLayout::most_firing);
    carve(column_x, side);
    carve(row_site, side);
    carve(column_tile, side);
    carve(row_tile, side);
    carve(states, side * stride);
    for (int i = team.team_rank(); i < side; i += team.team_size()) {
      place(i, g.tile, tile_x, g.tiles_x, column_x[i], column_tile[i]);
      place(i, g.tile, tile_y, g.tiles_y, row_site[i], row_tile[i]);
      row_site[i] *= g.nx;
      row_tile[i] *= g.tiles_x;
    }
  }

  /// Row of a cell; its column is cell - row * stride.
  KOKKOS_FORCEINLINE_FUNCTION int row(int cell) const {
    return static_cast<int>((static_cast<unsigned>(cell) * divide) >> 22);
  }

  /// Whether cell (x, y) is not part of the fixed boundary.
  KOKKOS_FORCEINLINE_FUNCTION bool live(int x, int y) const {
    const auto inner = static_cast<unsigned>(side - 2);
    return static_cast<unsigned>(x - 1) < inner && static_cast<unsigned>(y - 1) < inner;
  }

  /// The site of cell (x, y) in the lattice.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t site(int x, int y) const { return std::int64_t{row_site[y]} + column_x[x]; }

  /// The site of a cell.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t site(int cell) const {
    const int y = row(cell);
    return site(cell - y * stride, y);
  }

  /// The neighbourhood of a live cell.
  template <int Count>
  KOKKOS_FORCEINLINE_FUNCTION Neighbourhood<StateType, Count> neighbourhood(int cell) const {
    Neighbourhood<StateType, Count> n;
    n.centre = states[cell];
    for (int k = 0; k < Count; ++k) n.around[k] = states[cell + neighbour_dy(k) * stride + neighbour_dx(k)];
    return n;
  }

 private:
  /// The first multiple of 16 bytes behind the window that begins at `scratch`.
  KOKKOS_FORCEINLINE_FUNCTION static char* end_of_window(char* scratch, int tile, int halo_width) {
    return scratch + (window_bytes(tile, halo_width) + 15) / 16 * 16;
  }

  /// Site coordinate and tile of row or column `i` of the window around tile `centre` of `tiles`, periodic. No
  /// division: offsets are a few tiles at most.
  KOKKOS_FORCEINLINE_FUNCTION void place(int i, int tile_side, int centre, int tiles, int& site, int& tile) const {
    int inside = i - halo;
    tile = centre;
    for (; inside < 0; inside += tile_side) tile = tile == 0 ? tiles - 1 : tile - 1;
    for (; inside >= tile_side; inside -= tile_side) tile = tile == tiles - 1 ? 0 : tile + 1;
    site = tile * tile_side + inside;
  }
};

/// Calls run(cell, index, count) for all cells in the columns and rows first .. side - 1 - first of a window, row by
/// row, for as many as stand side by side in the arrays of `state`: the present of the cells cell .. cell + count - 1
/// is at index .. index + count - 1. For a team of one lane.
template <class WindowType, class StateArrays, class Run>
KOKKOS_FORCEINLINE_FUNCTION void visit_runs(const WindowType& w, const StateArrays& state, int replica, int first,
                                            const Run& run) {
  const std::int64_t tiles = std::int64_t{replica} * state.geometry.tiles();
  const std::size_t other_buffer = state.index(1, 0, 0);
  const std::size_t replica_begin = state.index(0, replica, 0);
  const int tile = state.geometry.tile, last = w.side - first;
  for (int y = first; y < last; ++y)
    for (int x = first; x < last;) {
      const int rest = (w.column_tile[x] + 1) * tile - w.column_x[x];
      const int count = rest < last - x ? rest : last - x;
      const std::size_t buffer = state.front(tiles + w.row_tile[y] + w.column_tile[x]);
      run(y * w.stride + x,
          replica_begin + buffer * other_buffer + static_cast<std::size_t>(w.row_site[y] + w.column_x[x]), count);
      x += count;
    }
}

/// Copies `count` values that stand side by side.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void copy_run(const T* from, int count, T* to) {
  for (int i = 0; i < count; ++i) to[i] = from[i];
}

/// Calls use(cell, read(index)) for this lane's share of the cells in the columns and rows first .. side - 1 - first of
/// a window, where `index` is where the present of the cell stands in the arrays of `state`. A lane goes down a column,
/// so that the team reads along a row together, and reads several rows before it uses the first, so that it waits for
/// memory once; a host goes along the rows.
template <class Team, class WindowType, class StateArrays, class Read, class Use>
KOKKOS_FORCEINLINE_FUNCTION void visit_present(const Team& team, const WindowType& w, const StateArrays& state,
                                               int replica, int first, const Read& read, const Use& use) {
  const std::int64_t tiles = std::int64_t{replica} * state.geometry.tiles();
  const std::size_t other_buffer = state.index(1, 0, 0);
  const std::size_t replica_begin = state.index(0, replica, 0);
  const int last = w.side - first;
  const auto present = [&](int x, int y) {
    const std::size_t buffer = state.front(tiles + w.row_tile[y] + w.column_tile[x]);
    return replica_begin + buffer * other_buffer + static_cast<std::size_t>(w.row_site[y] + w.column_x[x]);
  };
  if (team.team_size() == 1) {
    visit_runs(w, state, replica, first, [&](int cell, std::size_t index, int count) {
      for (int i = 0; i < count; ++i) use(cell + i, read(index + static_cast<std::size_t>(i)));
    });
  } else {
    constexpr int rows = 12;
    for (int x = first + team.team_rank(); x < last; x += team.team_size()) {
      for (int y = first; y < last; y += rows) {
        std::size_t index[rows];
        for (int j = 0; j < rows; ++j) index[j] = present(x, y + j < last ? y + j : last - 1);
        decltype(read(index[0])) value[rows];
        for (int j = 0; j < rows; ++j) value[j] = read(index[j]);
        for (int j = 0; j < rows; ++j)
          if (y + j < last) use((y + j) * w.stride + x, value[j]);
      }
    }
  }
}

}  // namespace tessera::kmc
