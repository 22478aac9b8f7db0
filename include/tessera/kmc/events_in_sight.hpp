// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/kmc/state.hpp>
#include <tessera/kmc/step_state.hpp>

namespace tessera::kmc {

/// Which cells of each tile have their event before the end of the step, one bit a cell: a team that knows them need
/// read nothing of the other cells.
///
/// Cell 32 (8 g + b) + l of a tile (its cells numbered row by row) has bit b of byte [tile, g, l], so that 32 lanes
/// write and read a tile's bits side by side.
template <class MemorySpace>
class EventsInSight {
 public:
  static constexpr int lanes = 32;

  EventsInSight() = default;
  explicit EventsInSight(const Geometry& geometry)
      : groups_((geometry.tile * geometry.tile + 8 * lanes - 1) / (8 * lanes)),
        bits_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "tessera::kmc::events_in_sight"),
              static_cast<std::size_t>(geometry.all_tiles()) * static_cast<std::size_t>(groups_ * lanes)) {}

  /// Groups of 8 cells that a lane has.
  KOKKOS_FORCEINLINE_FUNCTION int groups() const { return groups_; }

  /// The bits of group `g` of lane `l`; `tile` counts over all replicas.
  KOKKOS_FORCEINLINE_FUNCTION std::uint8_t& operator()(std::int64_t tile, int g, int l) const {
    return bits_(static_cast<std::size_t>((tile * groups_ + g) * lanes + l));
  }

  /// Number of the cell that has bit b, within its tile.
  KOKKOS_FORCEINLINE_FUNCTION static int cell(int g, int b, int l) { return (8 * g + b) * lanes + l; }

  /// Reads the waiting times of all active replicas.
  template <class ExecutionSpace, Model M>
  void look(const ExecutionSpace& space, const State<MemorySpace, M>& state,
            const Kokkos::View<StepState*, MemorySpace>& steps) const {
    const EventsInSight in_sight = *this;
    const Geometry g = state.geometry;
    Kokkos::parallel_for(
        "tessera::kmc::look_for_events",
        Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(space, 0, g.all_tiles() * lanes),
        KOKKOS_LAMBDA(std::int64_t i) {
          const int index = static_cast<int>(i / lanes), lane = static_cast<int>(i % lanes);
          const int replica = index / g.tiles(), tile = index - replica * g.tiles();
          if (!steps(replica).active) return;
          const double end = steps(replica).target;
          const std::int64_t corner = (std::int64_t{tile / g.tiles_x} * g.nx + tile % g.tiles_x) * g.tile;
          const std::size_t first = state.index(state.front(index), replica, corner);
          // Turn by turn, a lane goes on by 32 cells.
          const int rows = lanes / g.tile, columns = lanes - rows * g.tile;
          int y = lane / g.tile, x = lane - y * g.tile;
          for (int group = 0; group < in_sight.groups(); ++group) {
            unsigned bits = 0;
            for (int b = 0; b < 8; ++b) {
              if (y < g.tile) {
                const double time = state.times(first + static_cast<std::size_t>(y) * static_cast<std::size_t>(g.nx) +
                                                static_cast<std::size_t>(x));
                bits |= (time < end ? 1u : 0u) << b;
              }
              x += columns;
              y += rows + (x >= g.tile ? 1 : 0);
              x -= x >= g.tile ? g.tile : 0;
            }
            in_sight(index, group, lane) = static_cast<std::uint8_t>(bits);
          }
        });
  }

  std::size_t bytes() const { return bits_.span(); }

 private:
  int groups_ = 0;
  Kokkos::View<std::uint8_t*, MemorySpace> bits_;
};

}  // namespace tessera::kmc
