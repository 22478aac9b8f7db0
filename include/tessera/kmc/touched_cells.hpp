// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/lanes.hpp>

namespace tessera::kmc {

/// The cells of a window that have anything to do with the events of a step, in team scratch: a list of them, and for
/// each cell of the window its place in the list.
template <class StateType>
struct TouchedCells {
  static constexpr int capacity = 192;

  double* times;           ///< tau [capacity]
  std::uint64_t* streams;  ///< g
  StateType* states;       ///< x
  std::uint16_t* cells;    ///< y * side + x
  int* count;              ///< of those added, or more than capacity
  std::uint8_t* places;    ///< 1 + place in the list, or 0 [side * side]
  int side;

  KOKKOS_INLINE_FUNCTION static constexpr int words(int side) { return (side * side + 3) / 4; }
  KOKKOS_INLINE_FUNCTION static constexpr std::size_t bytes(int side) {
    return static_cast<std::size_t>(capacity * (8 + 8 + 4 + 2) + 4 + 4 * words(side));
  }

  /// Carves the arrays out of `scratch`, bytes(side) of it, aligned to 8.
  KOKKOS_FUNCTION TouchedCells(char* scratch, int window_side) : side(window_side) {
    const auto carve = [&scratch](auto*& array, int size) {
      array = reinterpret_cast<std::remove_reference_t<decltype(array)>>(scratch);
      scratch += size;
    };
    carve(times, capacity * 8);
    carve(streams, capacity * 8);
    carve(states, capacity * 4);
    carve(cells, capacity * 2);
    carve(count, 4);
    carve(places, 4 * words(side));
  }

  /// Together with all lanes; to be followed by sync_lanes().
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void clear(const Team& team) {
    auto* const word = reinterpret_cast<std::uint32_t*>(places);
    for (int i = team.team_rank(); i < words(side); i += team.team_size()) word[i] = 0;
    if (team.team_rank() == 0) *count = 0;
  }

  /// The place of a cell in the list, or -1.
  KOKKOS_FORCEINLINE_FUNCTION int find(int cell) const { return int{places[cell]} - 1; }

  /// Adds a cell that is not there yet, and that no other lane adds now; capacity or more: it does not fit any more.
  /// The order of the list is left to chance, and has no influence on anything.
  KOKKOS_FORCEINLINE_FUNCTION int add(int cell) {
    const int place = Kokkos::atomic_fetch_add(count, 1);
    if (place < capacity) {
      cells[place] = static_cast<std::uint16_t>(cell);
      places[cell] = static_cast<std::uint8_t>(place + 1);
    }
    return place;
  }
};

}  // namespace tessera::kmc
