// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/exact_arithmetic.hpp>
#include <tessera/core/streams.hpp>
#include <tessera/kmc/model.hpp>

/// The consistency check of section 2.1, made sufficient.
///
/// What a tile T needs from its surroundings is the history of the ring: the ghost cells that the central tile's rates
/// read. The central tile evolves as it should if the history of the ring, as T simulated it, is the one that the
/// owners of those cells simulated. (Comparing what happens *on* shared edges, as equations 3 and 4 do, is not enough:
/// a wrong event in the ring redraws the waiting time of an edge cell without firing it.) So each tile keeps, for each
/// side, and for each corner if the model reads diagonal neighbours, one checksum over the events in its own boundary
/// cells and one over the events in the ring beyond; the ring's has to equal the owner's. A checksum is the sum modulo
/// 2^64 of a hash of (cell, time, new state), so that neither order nor rounding matters; two histories that differ
/// collide with probability 2^-64.
namespace tessera::kmc {

/// Sides and corners that have a checksum, in the order of Neighbourhood::around.
template <Model M>
inline constexpr int sides = M::neighbours;

/// Checksums of a tile: of its own boundary cells at each side, then of the ring beyond each side.
template <Model M>
inline constexpr int checksums = 2 * sides<M>;

/// The side of the neighbouring tile that lies against side k.
KOKKOS_FORCEINLINE_FUNCTION constexpr int opposite(int k) { return k < 4 ? k ^ 1 : 11 - k; }

/// The contribution of one event to a checksum.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t event_hash(std::int64_t site, double time, std::int64_t new_state) {
  return mix(bits_of(time) ^ (static_cast<std::uint64_t>(site) * 0x9e3779b97f4a7c15ULL +
                              static_cast<std::uint64_t>(new_state) * 0xd6e8feb86659fd93ULL));
}

/// Adds an event to the checksums that it belongs to. (x, y) is counted from the central tile's first cell; the event
/// lies in the tile or in the ring around it. With several lanes, events at once add atomically: integers, so that the
/// order is irrelevant.
template <Model M, int Lanes>
KOKKOS_FORCEINLINE_FUNCTION void add_to_checksums(std::uint64_t* sums, int x, int y, int tile, std::uint64_t event) {
  const auto add = [=](int k) {
    if constexpr (Lanes == 1) {
      sums[k] += event;
    } else {
      Kokkos::atomic_add(&sums[k], event);
    }
  };
  const bool west = x <= 0, east = x >= tile - 1, south = y <= 0, north = y >= tile - 1;
  const bool ring_x = x < 0 || x == tile, ring_y = y < 0 || y == tile;
  const int first = ring_x || ring_y ? sides<M> : 0;  // a cell of the ring belongs to one side or corner alone
  if (west && !ring_y) add(first);
  if (east && !ring_y) add(first + 1);
  if (south && !ring_x) add(first + 2);
  if (north && !ring_x) add(first + 3);
  if constexpr (sides<M> == 8) {
    if (ring_x == ring_y) {
      if (west && south) add(first + 4);
      if (east && south) add(first + 5);
      if (west && north) add(first + 6);
      if (east && north) add(first + 7);
    }
  }
}

}  // namespace tessera::kmc
