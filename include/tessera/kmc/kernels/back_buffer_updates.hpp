// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/kmc/state.hpp>
#include <tessera/kmc/step_state.hpp>

namespace tessera::kmc {

/// The few cells that a step changes in a tile: their new states stand packed in the tile's back buffer, and move to
/// the front buffer when the step is accepted. State::written of such a tile is 1 + the number of them; 1 says that the
/// whole tile has been written, and that its buffers are to be swapped.
template <class MemorySpace>
class BackBufferUpdates {
 public:
  /// Changed cells of a tile, at most.
  static constexpr int most = 96;

  BackBufferUpdates() = default;
  explicit BackBufferUpdates(const Geometry& g)
      : cells_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "tessera::kmc::changed_cells"),
               static_cast<std::size_t>(g.all_tiles()) * most) {}

  /// Room for the changed cells of a tile.
  KOKKOS_FORCEINLINE_FUNCTION static int room(const Geometry& g) {
    return g.tile * g.tile < most ? g.tile * g.tile : most;
  }

  /// Keeps change number i < room() of a tile: cell (x, y) of it.
  template <Model M>
  KOKKOS_FORCEINLINE_FUNCTION void keep(const State<MemorySpace, M>& state, int replica, int tile, int i, int x, int y,
                                        typename M::State value, double time, std::uint64_t stream) const {
    const Geometry& g = state.geometry;
    const std::int64_t index = std::int64_t{replica} * g.tiles() + tile;
    const std::size_t to = first(state, 1 - state.front(index), replica, tile) + within(g, i);
    cells_(static_cast<std::size_t>(index) * most + static_cast<std::size_t>(i)) =
        static_cast<std::uint16_t>(y * g.tile + x);
    state.states(to) = value;
    state.times(to) = time;
    state.streams.states()(to) = stream;
  }

  /// Makes what the tiles of an accepted step have written the present.
  template <class ExecutionSpace, Model M>
  void commit(const ExecutionSpace& space, const State<MemorySpace, M>& state,
              const Kokkos::View<StepState*, MemorySpace>& steps) const {
    constexpr int share = 8, batch = 3;
    const BackBufferUpdates changes = *this;
    const Geometry g = state.geometry;
    Kokkos::parallel_for(
        "tessera::kmc::commit_changes",
        Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(space, 0, g.all_tiles() * share),
        KOKKOS_LAMBDA(std::int64_t thread) {
          const int index = static_cast<int>(thread / share), part = static_cast<int>(thread % share);
          const int count = int{state.written(index)} - 1;
          if (count < 0) return;
          const int replica = index / g.tiles(), tile = index - replica * g.tiles();
          if (!steps(replica).accept) return;
          if (count == 0) {
            if (part == 0) state.front(index) ^= 1;
            return;
          }
          const std::size_t front = first(state, state.front(index), replica, tile);
          const std::size_t back = first(state, 1 - state.front(index), replica, tile);
          // Several are read before the first is written, so that a thread waits for memory once.
          for (int first_one = part; first_one < count; first_one += batch * share) {
            std::size_t to[batch];
            typename M::State value[batch];
            double time[batch];
            std::uint64_t stream[batch];
            for (int j = 0; j < batch; ++j) {
              const int i = first_one + j * share < count ? first_one + j * share : first_one;
              const std::size_t from = back + within(g, i);
              to[j] = front +
                      within(g, changes.cells_(static_cast<std::size_t>(index) * most + static_cast<std::size_t>(i)));
              value[j] = state.states(from);
              time[j] = state.times(from);
              stream[j] = state.streams.states()(from);
            }
            for (int j = 0; j < batch; ++j) {
              if (first_one + j * share >= count) break;
              state.states(to[j]) = value[j];
              state.times(to[j]) = time[j];
              state.streams.states()(to[j]) = stream[j];
            }
          }
        });
  }

  std::size_t bytes() const { return cells_.span() * sizeof(std::uint16_t); }

 private:
  /// Where a tile begins in a buffer.
  template <Model M>
  KOKKOS_FORCEINLINE_FUNCTION static std::size_t first(const State<MemorySpace, M>& state, int buffer, int replica,
                                                       int tile) {
    const Geometry& g = state.geometry;
    return state.index(buffer, replica, (std::int64_t{tile / g.tiles_x} * g.nx + tile % g.tiles_x) * g.tile);
  }
  /// Where cell `cell` of a tile stands from there.
  KOKKOS_FORCEINLINE_FUNCTION static std::size_t within(const Geometry& g, int cell) {
    const int y = cell / g.tile;
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(g.nx) + static_cast<std::size_t>(cell - y * g.tile);
  }

  Kokkos::View<std::uint16_t*, MemorySpace> cells_;  ///< [replicas * tiles * most], numbered within the tile
};

}  // namespace tessera::kmc
