// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/kmc/model.hpp>
#include <tessera/parallel/ghosts.hpp>

namespace tessera::kmc {

/// Shape of the lattices, their tiles and replicas. Site (x, y) is number y * nx + x, tiles likewise; replicas follow
/// each other.
///
/// If a lattice is divided among ranks, the Geometry of a rank describes its block with a ghost ring, tiles of its
/// neighbours, at both ends of each divided direction. Neighbours in memory are periodic over the block and its ring,
/// so that only cells within the ring are valid neighbours of the block.
struct Geometry {
  int nx, ny;            ///< sites
  int tile;              ///< side of a tile, in sites
  int tiles_x, tiles_y;  ///< tiles
  int replicas;
  int ghost_x = 0, ghost_y = 0;      ///< ghost tiles at either end; 0: direction is not divided
  int first_x = 0, first_y = 0;      ///< position of site 0 in the whole lattice; negative in the ghost ring
  int whole_nx = nx, whole_ny = ny;  ///< sites of the whole lattice

  /// Whether this is a rank's block of a divided lattice.
  KOKKOS_FORCEINLINE_FUNCTION bool is_block() const { return ghost_x + ghost_y > 0; }
  /// Number of a site in the whole lattice.
  KOKKOS_FORCEINLINE_FUNCTION int in_whole(int site) const {
    if (!is_block()) return site;
    const int row = site / nx;
    int x = site - row * nx + first_x, y = row + first_y;
    x += x < 0 ? whole_nx : (x >= whole_nx ? -whole_nx : 0);
    y += y < 0 ? whole_ny : (y >= whole_ny ? -whole_ny : 0);
    return y * whole_nx + x;
  }
  /// Whether tile t lies outside the ghost ring.
  KOKKOS_FORCEINLINE_FUNCTION bool owns(int t) const {
    if (!is_block()) return true;
    const int y = t / tiles_x, x = t - y * tiles_x;
    return x >= ghost_x && x < tiles_x - ghost_x && y >= ghost_y && y < tiles_y - ghost_y;
  }
  /// Tables of sites and of tiles for the exchange between ranks. The latter has only the ghost tiles that touch the
  /// block.
  parallel::TableShape table_of_sites() const { return {nx, ny, ghost_x * tile, ghost_y * tile, replicas}; }
  parallel::TableShape table_of_tiles() const {
    const int spare_x = spare_tiles(ghost_x), spare_y = spare_tiles(ghost_y);
    return {tiles_x - 2 * spare_x, tiles_y - 2 * spare_y, ghost_x - spare_x, ghost_y - spare_y, replicas};
  }
  KOKKOS_FORCEINLINE_FUNCTION static int spare_tiles(int ghosts) { return ghosts > 1 ? ghosts - 1 : 0; }
  /// Tiles of the whole lattice.
  int whole_tiles() const { return whole_nx / tile * (whole_ny / tile); }

  KOKKOS_FORCEINLINE_FUNCTION int tiles() const { return tiles_x * tiles_y; }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t sites() const { return std::int64_t{nx} * ny; }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t all_tiles() const { return std::int64_t{tiles()} * replicas; }
  /// Number of 32-bit words with one bit per cell of a tile.
  KOKKOS_FORCEINLINE_FUNCTION int words_of_tile() const { return (tile * tile + 31) / 32; }

  /// The tile next to tile `t` in the direction of neighbour k, periodic.
  KOKKOS_FORCEINLINE_FUNCTION int neighbour_tile(int t, int k) const {
    int x = t % tiles_x + neighbour_dx(k);
    int y = t / tiles_x + neighbour_dy(k);
    x = x < 0 ? tiles_x - 1 : (x == tiles_x ? 0 : x);
    y = y < 0 ? tiles_y - 1 : (y == tiles_y ? 0 : y);
    return y * tiles_x + x;
  }
};

/// Calls visit(x, y) for each bit that is set in a word. The lowest bit is cell (x, y) of a tile; rows follow each
/// other.
template <class Visit>
KOKKOS_FORCEINLINE_FUNCTION void visit_bits(std::uint32_t bits, int x, int y, int tile, const Visit& visit) {
  for (; bits != 0; bits &= bits - 1) {
    int i = x + Kokkos::countr_zero(bits), j = y;
    for (; i >= tile; ++j) i -= tile;
    visit(i, j);
  }
}

/// State (x, tau, g) of all cells in two buffers: the front buffer of algorithm 1, with the current state, and the back
/// buffer, to which a step writes. 2 (8 + 8 + sizeof(State)) bytes and one bit per site, and 2 * 8 for each sum that
/// the model keeps.
///
/// A team of one lane writes only the cells that it changes, and marks them in `changed`; an accepted step copies them
/// to the front buffer. Teams of several lanes write whole tiles, because a GPU would have to read partly changed
/// sectors of memory; an accepted step swaps the buffers. The first buffer is the front one before and after a batch of
/// steps.
template <class MemorySpace, Model M>
struct State {
  using StateType = typename M::State;

  Geometry geometry;
  Kokkos::View<StateType*, MemorySpace> states;       ///< x [2 * replicas * sites]
  Kokkos::View<double*, MemorySpace> times;           ///< tau, time of a cell's next event (Origin), of the same shape
  Kokkos::View<std::uint64_t*, MemorySpace> streams;  ///< g, of the same shape
  Kokkos::View<std::uint64_t*, MemorySpace> sums;     ///< those that the model keeps [2 * replicas * sites * kept]
  /// Cells changed by the step, one bit each, row by row in a tile; each tile begins a new word.
  Kokkos::View<std::uint32_t*, MemorySpace> changed;
  Kokkos::View<std::uint8_t*, MemorySpace> same;     ///< 1: both buffers of the tile are equal [replicas * tiles]
  Kokkos::View<std::int32_t*, MemorySpace> swapped;  ///< 1: the second buffer is the front one [replicas]
  /// Events of each group in the last run of a tile (Event::group) [replicas * tiles, groups]
  Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, MemorySpace> counted;
  Kokkos::View<double*, MemorySpace> origins;  ///< of the replicas' times, if the model rejects events [replicas]
  int kept = 0;                                ///< number of sums that the model keeps for each cell (KeepsSums)

  State() = default;
  /// For this model.
  State(const Geometry& g, const M& model)
      : geometry(g),
        states(allocate("tessera::kmc::states"), 2 * cells(g)),
        times(allocate("tessera::kmc::times"), 2 * cells(g)),
        streams(allocate("tessera::kmc::streams"), 2 * cells(g)),
        sums(allocate("tessera::kmc::sums"), 2 * cells(g) * static_cast<std::size_t>(kept_sums_of(model))),
        changed("tessera::kmc::changed",
                static_cast<std::size_t>(g.all_tiles()) * static_cast<std::size_t>(g.words_of_tile())),
        same("tessera::kmc::same", static_cast<std::size_t>(g.all_tiles())),
        swapped("tessera::kmc::swapped", static_cast<std::size_t>(g.replicas)),
        counted("tessera::kmc::counted_of_tiles", static_cast<std::size_t>(g.all_tiles()),
                static_cast<std::size_t>(groups_of(model))),
        origins("tessera::kmc::origins", RejectsEvents<M> ? static_cast<std::size_t>(g.replicas) : 0),
        kept(kept_sums_of(model)) {}

  static std::size_t cells(const Geometry& g) {
    return static_cast<std::size_t>(g.replicas) * static_cast<std::size_t>(g.sites());
  }

  /// Index of a site in the first buffer, and the distance from there to the second buffer.
  KOKKOS_FORCEINLINE_FUNCTION std::size_t index(int replica, std::int64_t site) const {
    return static_cast<std::size_t>(replica * geometry.sites() + site);
  }
  KOKKOS_FORCEINLINE_FUNCTION std::size_t to_second() const { return index(geometry.replicas, 0); }

  /// Total time of an event in this tile.
  KOKKOS_FORCEINLINE_FUNCTION double total(std::int64_t tile_index, double time) const {
    return origins(tile_index / geometry.tiles()) + time;
  }

  /// The neighbourhood of cell (x, y) of the replica whose first site has the index `first`.
  KOKKOS_FUNCTION NeighbourhoodOf<M> neighbourhood(std::int64_t first, int x, int y) const {
    const int nx = geometry.nx, ny = geometry.ny;
    if constexpr (ReadsSurroundings<M>)
      return {&states(first), x, y, nx, ny, nx};
    else
      return neighbourhood_of<M::neighbours>(states(first + std::int64_t{y} * nx + x), [&](int dx, int dy) {
        return states(first + std::int64_t{wrapped(y + dy, ny)} * nx + wrapped(x + dx, nx));
      });
  }

  /// What its rate is computed from.
  KOKKOS_FUNCTION RatesFrom<M> rate_from(std::int64_t first, int x, int y) const {
    if constexpr (KeepsSums<M>)
      return {sums_of(static_cast<std::size_t>(first + std::int64_t{y} * geometry.nx + x))};
    else
      return neighbourhood(first, x, y);
  }

  /// Index of a site in the front buffer, and the distance, modulo 2^64, from there to the back buffer.
  KOKKOS_FORCEINLINE_FUNCTION std::size_t front(int replica, std::int64_t site) const {
    return index(replica, site) + (swapped(replica) != 0 ? to_second() : 0);
  }
  KOKKOS_FORCEINLINE_FUNCTION std::size_t to_back(int replica) const {
    return swapped(replica) != 0 ? 0 - to_second() : to_second();
  }
  /// The kept sums of the cell with this index.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t* sums_of(std::size_t cell) const {
    return sums.data() + cell * static_cast<std::size_t>(kept);
  }
  KOKKOS_FORCEINLINE_FUNCTION void copy(std::size_t from, std::size_t to) const {
    const auto state = states(from);
    const double time = times(from);
    const std::uint64_t stream = streams(from);
    states(to) = state;
    times(to) = time;
    streams(to) = stream;
    for (int i = 0; i < kept; ++i) sums_of(to)[i] = sums_of(from)[i];
  }

  /// Visits the groups of events that are counted in a tile, divided among the lanes: visit(group, count).
  template <class Team, class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void visit_counted(const Team& team, std::int64_t tile, const Visit& visit) const {
    if constexpr (counts_events<M>)
      for (int g = team.team_rank(), end = static_cast<int>(counted.extent(1)); g < end; g += team.team_size())
        visit(g, counted(tile, g));
  }

  /// Copies the cells of a tile that the step has changed to the front buffer.
  KOKKOS_FORCEINLINE_FUNCTION void commit(int replica, int tile) const {
    const Geometry& g = geometry;
    const std::int64_t number = std::int64_t{replica} * g.tiles() + tile;
    const int row = tile / g.tiles_x, column = tile - row * g.tiles_x, words = g.words_of_tile();
    const std::size_t corner = front(replica, std::int64_t{row} * g.tile * g.nx + column * g.tile),
                      back = to_back(replica);
    for (int word = 0; word < words; ++word) {
      const int y = 32 * word / g.tile, x = 32 * word - y * g.tile;
      visit_bits(changed(number * words + word), x, y, g.tile, [&](int i, int j) {
        const std::size_t to = corner + static_cast<std::size_t>(std::int64_t{j} * g.nx + i);
        copy(to + back, to);
      });
    }
  }

 private:
  static auto allocate(const char* label) {
    return Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label));
  }
};

/// Current state of a cell, as sent between ranks.
template <Model M>
struct PresentCell {
  double time;
  std::uint64_t stream;
  typename M::State state;
};

/// Current states of all cells, as a table for the exchange between ranks.
template <class MemorySpace, Model M>
struct PresentCells {
  State<MemorySpace, M> cells;

  KOKKOS_FORCEINLINE_FUNCTION PresentCell<M> get(int replica, int x, int y) const {
    const std::size_t i = cells.front(replica, std::int64_t{y} * cells.geometry.nx + x);
    return {cells.times(i), cells.streams(i), cells.states(i)};
  }
  KOKKOS_FORCEINLINE_FUNCTION void put(int replica, int x, int y, const PresentCell<M>& cell) const {
    const std::size_t i = cells.front(replica, std::int64_t{y} * cells.geometry.nx + x);
    cells.times(i) = cell.time;
    cells.streams(i) = cell.stream;
    cells.states(i) = cell.state;
  }
};

/// Current states of all cells as a device callable lattice(replica, x, y). In a rank's block, (0, 0) is the first cell
/// outside the ghost ring.
template <class MemorySpace, Model M>
struct PresentStates {
  State<MemorySpace, M> state;

  KOKKOS_FORCEINLINE_FUNCTION typename M::State operator()(int replica, int x, int y) const {
    const Geometry& g = state.geometry;
    return state.states(state.index(replica, std::int64_t{y + g.ghost_y * g.tile} * g.nx + x + g.ghost_x * g.tile));
  }
};

}  // namespace tessera::kmc
