// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/kmc/kernels/window_place.hpp>
#include <tessera/kmc/state.hpp>
#include <tessera/kmc/step_state.hpp>

namespace tessera::kmc {

/// Which cells of each tile have their event before the end of the step, one bit a cell: a team that knows them need
/// read nothing of the other cells. A word holds a column of a tile, bit y for its row y.
template <class MemorySpace>
class DueEvents {
 public:
  DueEvents() = default;
  explicit DueEvents(const Geometry& geometry)
      : columns_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "tessera::kmc::due_events"),
                 static_cast<std::size_t>(geometry.all_tiles()) * static_cast<std::size_t>(geometry.tile)) {}

  /// Column x of a window: bit y for its row y. `tiles_before`: of other replicas.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t column(const WindowPlace& w, std::int64_t tiles_before, int x) const {
    const int dx = w.band(x) - 1, column_of_tile = x - w.halo - dx * w.tile;
    const auto word = [&](int dy) {
      return std::uint64_t{
          columns_(static_cast<std::size_t>((tiles_before + w.beside(dx, dy)) * w.tile + column_of_tile))};
    };
    return word(-1) >> (w.tile - w.halo) | word(0) << w.halo | word(1) << (w.halo + w.tile);
  }

  /// Reads the waiting times of all active replicas.
  template <class ExecutionSpace, Model M>
  void look(const ExecutionSpace& space, const State<MemorySpace, M>& state,
            const Kokkos::View<StepState*, MemorySpace>& steps) const {
    const auto columns = columns_;
    const Geometry g = state.geometry;
    Kokkos::parallel_for(
        "tessera::kmc::look_for_events",
        Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(space, 0, g.all_tiles() * g.tile),
        KOKKOS_LAMBDA(std::int64_t i) {
          // Neighbouring threads have neighbouring columns of the lattice.
          const int row_of_tiles = static_cast<int>(i / g.nx),
                    x = static_cast<int>(i - std::int64_t{row_of_tiles} * g.nx);
          const int replica = row_of_tiles / g.tiles_y, tile_y = row_of_tiles - replica * g.tiles_y;
          if (!steps(replica).active) return;
          const double end = steps(replica).target;
          const int tile_x = x / g.tile, index = row_of_tiles * g.tiles_x + tile_x;
          const std::size_t from = state.index(state.front(index), replica, std::int64_t{tile_y} * g.tile * g.nx + x);
          constexpr int rows = 8;
          std::uint32_t bits = 0;
          for (int y = 0; y < g.tile; y += rows) {
            double time[rows];
            for (int j = 0; j < rows; ++j)
              time[j] = y + j < g.tile
                            ? state.times(from + static_cast<std::size_t>(y + j) * static_cast<std::size_t>(g.nx))
                            : end;
            for (int j = 0; j < rows; ++j) bits |= (time[j] < end ? 1u : 0u) << ((y + j) & 31);
          }
          columns(static_cast<std::size_t>(index) * static_cast<std::size_t>(g.tile) +
                  static_cast<std::size_t>(x - tile_x * g.tile)) = bits;
        });
  }

  std::size_t bytes() const { return columns_.span() * sizeof(std::uint32_t); }

 private:
  Kokkos::View<std::uint32_t*, MemorySpace> columns_;  ///< [replicas * tiles * tile]
};

}  // namespace tessera::kmc
