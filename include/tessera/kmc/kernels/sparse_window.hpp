// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/kmc/model.hpp>

namespace tessera::kmc {

/// A window of which only a few cells have anything to do with the events of a step, in team scratch: the states of all
/// its cells, a list of those touched by an event, and for each cell of the window its place in the list.
template <class StateType>
struct SparseWindow {
  static constexpr int most = 254;  ///< places in a list, at most

  double* times;           ///< tau [room]
  std::uint64_t* streams;  ///< g [room]
  StateType* states;       ///< x of all cells of the window [side * side]
  std::uint16_t* cells;    ///< y * side + x [room]
  std::uint8_t* places;    ///< 1 + place in the list, or 0 [side * side]
  int room, side;

  KOKKOS_INLINE_FUNCTION static constexpr int even(int count) { return (count + 7) / 8 * 8; }
  KOKKOS_INLINE_FUNCTION static constexpr std::size_t bytes(int side, int room) {
    return static_cast<std::size_t>(even(room) * (8 + 8 + 2) + even(side * side) * (int{sizeof(StateType)} + 1));
  }

  /// Carves the arrays out of `scratch`, bytes(side, room) of it, aligned to 16; the states are aligned to 16, too.
  KOKKOS_FORCEINLINE_FUNCTION SparseWindow(char* scratch, int window_side, int most_touched)
      : room(most_touched), side(window_side) {
    const auto carve = [&scratch](auto*& array, int count) {
      array = reinterpret_cast<std::remove_reference_t<decltype(array)>>(scratch);
      scratch += even(count) * static_cast<int>(sizeof(*array));
    };
    carve(times, room);
    carve(streams, room);
    carve(states, side * side);
    carve(cells, room);
    carve(places, side * side);
  }

  /// Together with all lanes: no cell has a place in the list. To be followed by sync_lanes().
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void clear(const Team& team) {
    auto* const word = reinterpret_cast<std::uint64_t*>(places);
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
    for (int i = team.team_rank(); i < even(side * side) / 8; i += team.team_size()) word[i] = 0;
  }

  /// The place of a cell in the list, or -1.
  KOKKOS_FORCEINLINE_FUNCTION int find(int cell) const { return int{places[cell]} - 1; }

  /// Gives a cell this place in the list. The order of the list has no influence on anything.
  KOKKOS_FORCEINLINE_FUNCTION void put(int place, int cell) const {
    cells[place] = static_cast<std::uint16_t>(cell);
    places[cell] = static_cast<std::uint8_t>(place + 1);
  }

  /// Gives a cell this place and what it has there.
  KOKKOS_FORCEINLINE_FUNCTION void set(int place, int cell, double time, std::uint64_t stream) const {
    put(place, cell);
    times[place] = time;
    streams[place] = stream;
  }

  template <int Count>
  KOKKOS_FORCEINLINE_FUNCTION Neighbourhood<StateType, Count> neighbourhood(int cell) const {
    Neighbourhood<StateType, Count> n;
    n.centre = states[cell];
    for (int k = 0; k < Count; ++k) n.around[k] = states[cell + neighbour_dy(k) * side + neighbour_dx(k)];
    return n;
  }
};

}  // namespace tessera::kmc
