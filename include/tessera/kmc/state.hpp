// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/streams.hpp>
#include <tessera/kmc/model.hpp>

namespace tessera::kmc {

/// The lattice, its tiles and its replicas. Sites are numbered y * nx + x, tiles likewise, replicas one after the
/// other.
struct Geometry {
  int nx, ny;            ///< sites
  int tile;              ///< side of a tile, in sites
  int tiles_x, tiles_y;  ///< tiles
  int replicas;

  KOKKOS_FORCEINLINE_FUNCTION int tiles() const { return tiles_x * tiles_y; }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t sites() const { return std::int64_t{nx} * ny; }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t all_tiles() const { return std::int64_t{tiles()} * replicas; }
  /// Words of 32 bits that hold a bit for each cell of a row of a tile, and of a tile.
  KOKKOS_FORCEINLINE_FUNCTION int words_of_row() const { return (tile + 31) / 32; }
  KOKKOS_FORCEINLINE_FUNCTION int words_of_tile() const { return tile * words_of_row(); }

  /// The tile beside tile `t` in the direction of neighbour k, periodic.
  KOKKOS_FORCEINLINE_FUNCTION int beside(int t, int k) const {
    int x = t % tiles_x + neighbour_dx(k);
    int y = t / tiles_x + neighbour_dy(k);
    x = x < 0 ? tiles_x - 1 : (x == tiles_x ? 0 : x);
    y = y < 0 ? tiles_y - 1 : (y == tiles_y ? 0 : y);
    return y * tiles_x + x;
  }
};

/// The state (x, tau, g) of all cells, twice. Which of the two buffers holds the present is kept for each cell, one
/// bit: a step writes the cells that it changes to their other buffer, and is accepted by turning the bits of these
/// cells over (algorithm 1). 2 (8 + 8 + sizeof(State)) bytes a site, and less than one for the bits of tiles of 8 or
/// more.
template <class MemorySpace, Model M>
struct State {
  using StateType = typename M::State;
  /// What a step has written of a tile.
  enum Written : std::uint8_t { nothing, some_cells, all_cells };

  Geometry geometry;
  Kokkos::View<StateType*, MemorySpace> states;       ///< x [2 * replicas * sites]
  Kokkos::View<double*, MemorySpace> times;           ///< tau, absolute time of a cell's next event, likewise
  StreamPool<MemorySpace> streams;                    ///< g, likewise
  Kokkos::View<std::uint32_t*, MemorySpace> front;    ///< which buffer holds the present [words()]; a bit for a cell
  Kokkos::View<std::uint32_t*, MemorySpace> changed;  ///< some_cells: those that the step has written, likewise
  Kokkos::View<std::uint8_t*, MemorySpace> written;   ///< by the step [replicas * tiles]

  State() = default;
  explicit State(const Geometry& g)
      : geometry(g),
        states(allocate("tessera::kmc::states"), cells(g)),
        times(allocate("tessera::kmc::times"), cells(g)),
        streams("tessera::kmc::streams", cells(g)),
        front("tessera::kmc::front", words(g)),
        changed("tessera::kmc::changed", words(g)),
        written("tessera::kmc::written", static_cast<std::size_t>(g.all_tiles())) {}

  /// Words of bits for all cells: rows of tiles begin a new one.
  static std::size_t words(const Geometry& g) {
    return static_cast<std::size_t>(g.all_tiles()) * static_cast<std::size_t>(g.words_of_tile());
  }

  /// Where site `site` of a replica stands in a buffer.
  KOKKOS_FORCEINLINE_FUNCTION std::size_t index(int buffer, int replica, std::int64_t site) const {
    return static_cast<std::size_t>((std::int64_t{buffer} * geometry.replicas + replica) * geometry.sites() + site);
  }

  /// The buffer that holds the present of cell (x, y) of a tile, numbered over all replicas.
  KOKKOS_FORCEINLINE_FUNCTION int front_of(std::int64_t tile, int x, int y) const {
    return static_cast<int>(front(tile * geometry.words_of_tile() + y * geometry.words_of_row() + x / 32) >> (x % 32) &
                            1u);
  }

  /// Where the present of site (x, y) of a replica stands.
  KOKKOS_FORCEINLINE_FUNCTION std::size_t present(int replica, int x, int y) const {
    const int tile_x = x / geometry.tile, tile_y = y / geometry.tile;
    const std::int64_t t = std::int64_t{replica} * geometry.tiles() + tile_y * geometry.tiles_x + tile_x;
    return index(front_of(t, x - tile_x * geometry.tile, y - tile_y * geometry.tile), replica,
                 std::int64_t{y} * geometry.nx + x);
  }

  /// Bytes allocated on the device.
  std::size_t bytes() const {
    return states.span() * sizeof(StateType) + times.span() * sizeof(double) +
           streams.states().span() * sizeof(std::uint64_t) + (front.span() + changed.span()) * sizeof(std::uint32_t) +
           written.span();
  }

 private:
  static std::size_t cells(const Geometry& g) {
    return 2 * static_cast<std::size_t>(g.replicas) * static_cast<std::size_t>(g.sites());
  }
  static auto allocate(const char* label) {
    return Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label));
  }
};

}  // namespace tessera::kmc
