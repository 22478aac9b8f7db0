// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <span>
#include <tessera/disks/state/geometry.hpp>
#include <type_traits>

namespace tessera::disks {

/// Coordinates from the lower left corner of a cell, in sigma: multiples of `step` in [0, width) x [0, height).
struct alignas(8) Position {
  float x, y;  ///< in sigma
};

/// Whether these are valid coordinates of a disk in its cell; they may be any floats.
KOKKOS_FORCEINLINE_FUNCTION bool on_grid(const Geometry& g, const Position& p) {
  constexpr auto scale = static_cast<float>(steps_per_diameter);
  return p.x >= 0 && p.y >= 0 && p.x < g.cell_width() && p.y < g.cell_height() &&
         p.x * scale == static_cast<float>(static_cast<std::int32_t>(p.x * scale)) &&
         p.y * scale == static_cast<float>(static_cast<std::int32_t>(p.y * scale));
}

/// Trial moves since sweep 0.
struct MoveCount {
  std::uint64_t tried = 0, accepted = 0;  ///< trial moves, and those accepted

  /// Adds both numbers.
  KOKKOS_FORCEINLINE_FUNCTION MoveCount& operator+=(const MoveCount& other) {
    tried += other.tried;
    accepted += other.accepted;
    return *this;
  }
};

/// Origin of a replica's grid, in steps: a disk is at origin + corner of its cell + position, modulo the box.
struct Origin {
  std::int64_t x = 0, y = 0;  ///< in steps
};

/// An array of structures, such as MoveCount or Origin, as an array of their numbers.
template <class T, class Array>
auto viewed_as(Array& array) {
  using Of = std::remove_pointer_t<decltype(array.data())>;
  using As = std::conditional_t<std::is_const_v<Of>, const T, T>;
  return std::span(reinterpret_cast<As*>(array.data()), array.size() * sizeof(Of) / sizeof(T));
}

/// Box coordinates, in steps, of a disk in cell (column, row) of the grid.
KOKKOS_FORCEINLINE_FUNCTION Origin steps_in_box(const Geometry& g, int column, int row, const Position& p,
                                                const Origin& origin) {
  const auto along = [](int cell, std::int32_t side, float local, std::int64_t from, std::int64_t box) {
    return (std::int64_t{cell} * side + static_cast<std::int64_t>(local * steps_per_diameter) + from) % box;
  };
  return {along(column, g.width, p.x, origin.x, g.steps_x()), along(row, g.height, p.y, origin.y, g.steps_y())};
}

/// Memory layout of the disks; cells are [replica][row][stored column].
enum class Arrangement {
  slots,  ///< [slot][cell], for SIMD vectors of CPUs; empty slots have any value
  pairs   ///< [slot / 2][cell][slot % 2], for lanes of GPUs (cell_layout.hpp)
};

/// The disks of all cells of all replicas.
template <class MemorySpace>
struct Cells {
  Geometry geometry;                                ///< of the grid in memory
  Arrangement arrangement;                          ///< of `positions`
  Kokkos::View<Position*, MemorySpace> positions;   ///< most_in_a_cell for each cell
  Kokkos::View<std::uint8_t*, MemorySpace> counts;  ///< disks of each cell

  /// Allocates the arrays.
  Cells(const Geometry& g, Arrangement a)
      : geometry(g),
        arrangement(a),
        positions("tessera::disks::positions", static_cast<std::size_t>(g.all_cells()) * most_in_a_cell),
        counts("tessera::disks::counts", static_cast<std::size_t>(g.all_cells())) {}

  /// Index in `positions`.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t index(int slot, std::int64_t cell) const {
    return arrangement == Arrangement::slots ? slot * geometry.all_cells() + cell
                                             : 2 * ((slot >> 1) * geometry.all_cells() + cell) + (slot & 1);
  }
  /// Position of the disk in a slot.
  KOKKOS_FORCEINLINE_FUNCTION Position position(int slot, std::int64_t cell) const {
    const Position p = positions(index(slot, cell));
    return {p.x, Kokkos::abs(p.y)};  // in pairs the sign bit is a flag
  }
};

/// State of a run, except the number of sweeps. The cell shift writes to a second buffer.
template <class MemorySpace>
struct State {
  Cells<MemorySpace> cells, shifted;            ///< current disks, and the second buffer
  Kokkos::View<Origin*, MemorySpace> origins;   ///< [replicas]
  Kokkos::View<MoveCount*, MemorySpace> moves;  ///< [replicas], since sweep 0

  /// Allocates the arrays.
  State(const Geometry& g, Arrangement arrangement)
      : cells(g, arrangement),
        shifted(g, arrangement),
        origins("tessera::disks::origins", static_cast<std::size_t>(g.replicas)),
        moves("tessera::disks::moves", static_cast<std::size_t>(g.replicas)) {}

  const Geometry& geometry() const { return cells.geometry; }  ///< of the grid in memory
};

}  // namespace tessera::disks
