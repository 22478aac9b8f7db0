// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>

/// Neighbours of a cell: their order, their offsets, and their states, from which a model has its rates (model.hpp);
/// and the distances of its events.
namespace tessera::kmc {

/// Offset of a cell.
struct Offset {
  int dx, dy;                                      ///< columns and rows
  bool operator==(const Offset&) const = default;  ///< both
};

/// The states on which a rate may depend: a cell and its neighbours. Order of `around`: west, east, south, north (y -
/// 1, y + 1), with 6 neighbours (a triangular lattice) also south-east, north-west, and with 8 neighbours also
/// south-west, north-east. 12 neighbours are these and the cells two away to the west, east, south and north; 24 are
/// all cells at most two away in x and y. Neighbour k ^ 1 lies opposite to neighbour k.
template <class StateType, int Count>
struct Neighbourhood {
  static_assert(Count == 4 || Count == 6 || Count == 8 || Count == 12 || Count == 24,
                "a cell has 4, 6, 8, 12 or 24 neighbours");
  StateType centre;         ///< state of the cell
  StateType around[Count];  ///< states of its neighbours
};

/// Offsets of all neighbours, in the order of Neighbourhood::around.
inline constexpr Offset neighbour_offsets[24] = {
    {-1, 0},  {1, 0}, {0, -1}, {0, 1},  {1, -1},  {-1, 1}, {-1, -1}, {1, 1},  {-2, 0},  {2, 0}, {0, -2}, {0, 2},
    {-2, -1}, {2, 1}, {-2, 1}, {2, -1}, {-1, -2}, {1, 2},  {1, -2},  {-1, 2}, {-2, -2}, {2, 2}, {-2, 2}, {2, -2}};

/// A list of at most 32 offsets from -7 to 8, each with a flag of four bits. Each number is four bits of constants,
/// from which kernels shift it; an array would be in memory.
struct PackedOffsets {
  static constexpr int words = 4;
  int count = 0;
  std::uint32_t dx[words] = {}, dy[words] = {}, flag[words] = {};  ///< those of eight offsets each

  constexpr void add(const Offset& offset, unsigned its_flag = 0) {
    const int word = count / 8, shift = 4 * (count % 8);
    dx[word] |= static_cast<unsigned>(offset.dx + 7) << shift;
    dy[word] |= static_cast<unsigned>(offset.dy + 7) << shift;
    flag[word] |= its_flag << shift;
    ++count;
  }
  KOKKOS_FORCEINLINE_FUNCTION constexpr Offset operator[](int k) const {
    return {static_cast<int>(number(dx, k)) - 7, static_cast<int>(number(dy, k)) - 7};
  }
  /// Number k of dx, dy or flag.
  KOKKOS_FORCEINLINE_FUNCTION constexpr unsigned number(const std::uint32_t (&numbers)[words], int k) const {
    std::uint32_t word = numbers[0];
    for (int i = 1; i < words; ++i) word = k < 8 * i || count <= 8 * i ? word : numbers[i];
    return word >> 4 * (static_cast<unsigned>(k) % 8) & 15u;
  }
};

/// The offsets of so many neighbours.
constexpr PackedOffsets packed_neighbours(int count) {
  PackedOffsets all;
  for (int k = 0; k < count; ++k) all.add(neighbour_offsets[k]);
  return all;
}

/// Offset in x of neighbour k of `Count`, in the order of Neighbourhood::around.
template <int Count = 8>
KOKKOS_FORCEINLINE_FUNCTION constexpr int neighbour_dx(int k) {
  if constexpr (Count > 8) {
    constexpr PackedOffsets all = packed_neighbours(Count);
    return all[k].dx;
  } else {
    return k < 4 ? (k == 0 ? -1 : (k == 1 ? 1 : 0)) : (k == 4 || k == 7 ? 1 : -1);
  }
}

/// Offset in y of neighbour k of `Count`, in the order of Neighbourhood::around.
template <int Count = 8>
KOKKOS_FORCEINLINE_FUNCTION constexpr int neighbour_dy(int k) {
  if constexpr (Count > 8) {
    constexpr PackedOffsets all = packed_neighbours(Count);
    return all[k].dy;
  } else {
    return k < 4 ? (k == 2 ? -1 : (k == 3 ? 1 : 0)) : ((k & 1) == 0 ? -1 : 1);
  }
}

/// Column or row i of a periodic lattice with `count` of them, of which it is at most `count` outside.
KOKKOS_FORCEINLINE_FUNCTION constexpr int wrapped(int i, int count) {
  return i < 0 ? i + count : (i < count ? i : i - count);
}

/// The neighbourhood of a cell, with the state at(dx, dy) of the neighbour at this offset.
template <int Count, class StateType, class At>
KOKKOS_FORCEINLINE_FUNCTION Neighbourhood<StateType, Count> neighbourhood_of(StateType centre, const At& at) {
  Neighbourhood<StateType, Count> n;
  n.centre = centre;
  for (int k = 0; k < Count; ++k) n.around[k] = at(neighbour_dx<Count>(k), neighbour_dy<Count>(k));
  return n;
}

/// The states around cell (x, y) of a lattice, or of a window, for models whose events are listed (ListedChanges):
/// n(dx, dy) is that of the cell at this offset.
template <class StateType>
struct Surroundings {
  const StateType* states;  ///< of the cells, in rows `stride` apart
  int x, y;                 ///< the cell
  int nx, ny;               ///< sides, beyond which the lattice repeats itself; 0: it does not
  int stride;               ///< columns in memory

  /// State of the cell at this offset.
  KOKKOS_FORCEINLINE_FUNCTION StateType operator()(int dx, int dy) const {
    dx += x;
    dy += y;
    if (nx > 0) {
      dx = wrapped(dx, nx);
      dy = wrapped(dy, ny);
    }
    return states[std::int64_t{dy} * stride + dx];
  }
};

/// Sums over the states around a cell, modulo 2^64, that a model keeps with the cell (KeepsSums).
struct KeptSums {
  const std::uint64_t* kept;             ///< as they are kept
  const std::uint64_t* added = nullptr;  ///< what the present event adds to them, and to the state; nullptr: nothing

  /// Sum i after the event.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t operator()(int i) const {
    return added == nullptr ? kept[i] : kept[i] + added[i];
  }
};

/// Distances of a model's events, in x or y, in cells.
struct EventReach {
  int reads = 1;            ///< of the states on which a rate depends
  int reach = 1;            ///< of the cells affected by an event
  int positions = 5;        ///< number of cells that may be affected
  int bytes = 4;            ///< of a state in scratch memory
  int sums = 0;             ///< number of sums that a model keeps for each cell
  int of_events = 0;        ///< bytes of the events that a team of several lanes performs at once, with their checksums
  bool keeps_sums = false;  ///< whether the model keeps sums, so that teams of several lanes need no states
  int least_side = 0;       ///< smallest side of a lattice, if the model defines it; 0: from the distances
  bool counts = false;      ///< whether the model counts events of groups, as models from files do

  bool operator==(const EventReach&) const = default;  ///< member by member
  /// The narrowest halo: the fixed boundary and the reach.
  constexpr int narrowest_halo() const { return reads + reach; }
  /// The smallest side of a lattice in which an event affects each cell at most once. With a reach of 1 twice is
  /// possible.
  constexpr int smallest_side() const {
    if (least_side > 0) return least_side;
    return reach == 1 ? 2 : (positions <= 8 ? 4 : (reach <= 3 ? 3 + reach : 2 * reach + 1));
  }
  /// Blocks (TeamLayout) on each side of a block from which other events keep away.
  constexpr int blocks_away() const { return (2 * reach + 3) / 4; }
  /// The smallest side of a tile in which an event affects cells of adjacent tiles only.
  constexpr int smallest_tile() const { return std::max(2, reach); }
};

}  // namespace tessera::kmc
