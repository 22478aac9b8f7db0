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

/// The side of the neighbouring tile that lies against side k.
KOKKOS_FORCEINLINE_FUNCTION constexpr int opposite(int k) { return k < 4 ? k ^ 1 : 11 - k; }

/// The contribution of one event to a checksum.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t event_hash(std::int64_t site, double time, std::int64_t new_state) {
  return mix(bits_of(time) ^ (static_cast<std::uint64_t>(site) * 0x9e3779b97f4a7c15ULL +
                              static_cast<std::uint64_t>(new_state) * 0xd6e8feb86659fd93ULL));
}

/// A rectangle of cells in coordinates whose origin is the central tile's first cell; bounds included.
struct CellRectangle {
  int x0, x1, y0, y1;

  KOKKOS_FORCEINLINE_FUNCTION bool contains(int x, int y) const { return x >= x0 && x <= x1 && y >= y0 && y <= y1; }
};

/// The cells of checksum `k`: of the tile's own boundary at side k for k < sides, of the ring beyond side k - sides
/// otherwise.
template <Model M>
KOKKOS_FORCEINLINE_FUNCTION CellRectangle checked_cells(int k, int tile) {
  const int ring = k >= sides<M> ? 1 : 0;
  const int side = k - ring * sides<M>;
  const int dx = neighbour_dx(side), dy = neighbour_dy(side);
  const int low = -ring, high = tile - 1 + ring;
  return {dx > 0 ? high : (dx < 0 ? low : 0), dx < 0 ? low : (dx > 0 ? high : tile - 1),
          dy > 0 ? high : (dy < 0 ? low : 0), dy < 0 ? low : (dy > 0 ? high : tile - 1)};
}

/// The running checksums of a tile, spread over the lanes of its team.
template <Model M, int Lanes>
class Checksums {
 public:
  static constexpr int count = 2 * sides<M>;

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION Checksums(const Team& team, int tile) {
    for (int i = 0; i < share; ++i) {
      cells_[i] = checked_cells<M>((team.team_rank() + i * Lanes) % count, tile);
      sums_[i] = 0;
    }
  }

  /// Adds an event in the cell (x, y) counted from the central tile's first cell.
  KOKKOS_FORCEINLINE_FUNCTION void add(int x, int y, std::uint64_t event) {
    for (int i = 0; i < share; ++i)
      if (cells_[i].contains(x, y)) sums_[i] += event;
  }

  /// Writes the sums to result[0 .. count).
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void store(const Team& team, std::uint64_t* result) const {
    for (int i = 0; i < share; ++i)
      if (team.team_rank() + i * Lanes < count) result[team.team_rank() + i * Lanes] = sums_[i];
  }

 private:
  static constexpr int share = (count + Lanes - 1) / Lanes;
  CellRectangle cells_[share];
  std::uint64_t sums_[share];
};

}  // namespace tessera::kmc
