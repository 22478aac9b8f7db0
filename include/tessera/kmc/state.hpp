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

  /// The tile beside tile `t` in the direction of neighbour k, periodic.
  KOKKOS_FORCEINLINE_FUNCTION int beside(int t, int k) const {
    int x = t % tiles_x + neighbour_dx(k);
    int y = t / tiles_x + neighbour_dy(k);
    x = x < 0 ? tiles_x - 1 : (x == tiles_x ? 0 : x);
    y = y < 0 ? tiles_y - 1 : (y == tiles_y ? 0 : y);
    return y * tiles_x + x;
  }
};

/// The state (x, tau, g) of all cells, twice: a front buffer that holds the present and a back buffer that a step
/// writes to (algorithm 1). Which is which is kept for each tile, so that a tile in which nothing happens need not be
/// written: a step is accepted by swapping the buffers of the tiles that it has written. 2 (8 + 8 + sizeof(State))
/// bytes a site.
template <class MemorySpace, Model M>
struct State {
  using StateType = typename M::State;

  Geometry geometry;
  Kokkos::View<StateType*, MemorySpace> states;      ///< x [2 * replicas * sites]
  Kokkos::View<double*, MemorySpace> times;          ///< tau, absolute time of a cell's next event, likewise
  StreamPool<MemorySpace> streams;                   ///< g, likewise
  Kokkos::View<std::uint8_t*, MemorySpace> front;    ///< [replicas * tiles], 0 or 1: the buffer that holds the present
  Kokkos::View<std::uint8_t*, MemorySpace> written;  ///< likewise, what this step has written to the tile's
                                                     ///< other buffer; 0: nothing, 1: the tile, 1 + n: n changed
                                                     ///< cells

  State() = default;
  explicit State(const Geometry& g)
      : geometry(g),
        states(allocate("tessera::kmc::states"), cells(g)),
        times(allocate("tessera::kmc::times"), cells(g)),
        streams("tessera::kmc::streams", cells(g)),
        front("tessera::kmc::front", static_cast<std::size_t>(g.all_tiles())),
        written("tessera::kmc::written", static_cast<std::size_t>(g.all_tiles())) {}

  /// Where site `site` of a replica stands in a buffer.
  KOKKOS_FORCEINLINE_FUNCTION std::size_t index(int buffer, int replica, std::int64_t site) const {
    return static_cast<std::size_t>((std::int64_t{buffer} * geometry.replicas + replica) * geometry.sites() + site);
  }

  /// Where the present of site (x, y) of a replica stands.
  KOKKOS_FORCEINLINE_FUNCTION std::size_t present(int replica, int x, int y) const {
    const int t = (y / geometry.tile) * geometry.tiles_x + x / geometry.tile;
    return index(front(std::int64_t{replica} * geometry.tiles() + t), replica, std::int64_t{y} * geometry.nx + x);
  }

  /// Bytes allocated on the device.
  std::size_t bytes() const {
    return states.span() * sizeof(StateType) + times.span() * sizeof(double) +
           streams.states().span() * sizeof(std::uint64_t) + front.span() + written.span();
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
