// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <tessera/core/streams.hpp>
#include <tessera/kmc/model.hpp>

/// Cells concerned by an event: its own cell, and every cell whose rate depends on a state that the event changes. Each
/// of them draws a new waiting time from its own stream.
namespace tessera::kmc {

struct Offset {
  int dx, dy;
};

/// Positions of the concerned cells relative to the event. If events change one cell: position 0 is the cell, position
/// k its neighbour k - 1. If events may change a pair of cells: 8 positions, along the direction from the cell to its
/// partner and perpendicular to it; position 1 is the partner.
///
///         4 6
///       2 0 1 3
///         5 7
template <Model M>
struct Concerned {
  static constexpr int positions = ChangesPairs<M> ? 8 : 1 + M::neighbours;
  static constexpr int reach = ChangesPairs<M> ? 2 : 1;   ///< largest distance of a position, in x or y
  static constexpr int reads = 1;                         ///< distance of the states on which a rate depends
  static constexpr int writes = ChangesPairs<M> ? 1 : 0;  ///< distance of the states that an event changes
  /// Two events whose cells are this far apart in x or y commute: they concern no common cell, and neither changes a
  /// state that the redraws of the other read.
  static constexpr int apart = (2 * reach > reach + reads + writes ? 2 * reach : reach + reads + writes) + 1;

  /// Offset of position k for an event in this direction.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr Offset offset(int k, int direction) {
    if constexpr (ChangesPairs<M>) {
      const int dx = neighbour_dx(direction), dy = neighbour_dy(direction);
      const int along = static_cast<int>(0xA5C9u >> (2 * k) & 3u) - 1;
      const int across = static_cast<int>(0x2255u >> (2 * k) & 3u) - 1;
      return {along * dx - across * dy, along * dy + across * dx};
    } else {
      return {k == 0 ? 0 : neighbour_dx(k - 1), k == 0 ? 0 : neighbour_dy(k - 1)};
    }
  }

  /// Whether the event concerns the cell at position k.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool at(int k, const Event<typename M::State>& event) {
    if constexpr (ChangesPairs<M>) {
      constexpr unsigned itself = 1u, of_centre = 0x37u, of_beside = 0xcbu;  // bit k for position k
      const unsigned all = itself | (event.changes_centre ? of_centre : 0u) | (event.changes_beside ? of_beside : 0u);
      return (all >> k & 1u) != 0;
    } else {
      return true;
    }
  }
};

/// Draws the outcome of an event in a cell with neighbourhood n, from the cell's stream.
template <Model M>
KOKKOS_FORCEINLINE_FUNCTION Event<typename M::State> draw_event(const M& model, const NeighbourhoodOf<M>& n,
                                                                Stream& stream) {
  if constexpr (ChangesPairs<M>)
    return model.event(n, stream);
  else
    return {model.next(n, stream), typename M::State{}};
}

/// A number that identifies the outcome: outcomes that change different states, or to other values, have different
/// numbers.
template <Model M>
KOKKOS_FORCEINLINE_FUNCTION std::int64_t outcome(const Event<typename M::State>& event) {
  if constexpr (ChangesPairs<M>) {
    const auto half = [](typename M::State state) { return std::uint64_t{static_cast<std::uint32_t>(state)}; };
    const unsigned beside = event.changes_beside ? 2u | static_cast<unsigned>(event.direction) << 2 : 0u;
    const std::uint64_t changed = (event.changes_centre ? 1u : 0u) | beside;
    return static_cast<std::int64_t>((half(event.centre) << 32 | half(event.beside)) + changed * golden);
  } else {
    return event.centre;
  }
}

}  // namespace tessera::kmc
