// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <tessera/kmc/space/models.hpp>
#include <tessera/parallel/rank_grid.hpp>

namespace tessera::kmc::space {

/// A periodic array of sites, or a rank's planes of one with ghosts, copies of planes of the ranks before and after it.
/// Divided into tiles with sides that differ by at most 2, or `grain` along x. All sides are multiples of these.
struct Box {
  int sides[3];  ///< nx, ny, nz, with ghosts
  int tiles[3];  ///< along x, y, z
  int grain;
  int ghosts = 0;           ///< planes at either end of z, an even number
  std::uint32_t first = 0;  ///< number in the whole array of the first site
  std::uint32_t all;        ///< sites of the whole array

  /// The whole array, with the least number of tiles whose sides are at most `tile`, a multiple of the grain.
  Box(int nx, int ny, int nz, int tile, int grain_of = 2)
      : sides{nx, ny, nz}, grain(grain_of), all(static_cast<std::uint32_t>(sites())) {
    divide(tile);
  }
  void divide(int tile) {
    for (int axis = 0; axis < 3; ++axis) tiles[axis] = (own(axis) + tile - 1) / tile;
  }
  /// A rank's planes of this array, the first of which has an even number.
  Box slab(const parallel::Block& planes, int ghost_planes, int tile) const {
    Box part = *this;
    part.ghosts = ghost_planes;
    part.sides[2] = static_cast<int>(planes.size()) + 2 * ghost_planes;
    part.first = static_cast<std::uint32_t>((planes.first + sides[2] - ghost_planes) % sides[2] * plane());
    part.divide(tile);
    return part;
  }
  /// Side without ghosts.
  KOKKOS_FORCEINLINE_FUNCTION int own(int axis) const { return sides[axis] - (axis == 2 ? 2 * ghosts : 0); }
  /// First site of tile number i along an axis, without ghosts; of the last number plus 1, the side.
  KOKKOS_FORCEINLINE_FUNCTION int begin(int axis, int i) const {
    const int unit = axis == 0 ? grain : 2, units_in_all = own(axis) / unit, units = units_in_all / tiles[axis],
              longer = units_in_all % tiles[axis];
    return unit * (i * units + (i < longer ? i : longer));
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t plane() const { return std::int64_t{sides[0]} * sides[1]; }  ///< its sites
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t sites() const { return plane() * sides[2]; }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t own_sites() const { return plane() * own(2); }  ///< after first_own()
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t first_own() const { return plane() * ghosts; }
  /// Number of a site in the whole array.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t number(std::uint32_t site) const {
    const std::uint32_t its = first + site;
    return its < all ? its : its - all;
  }
  KOKKOS_FORCEINLINE_FUNCTION int all_tiles() const { return tiles[0] * tiles[1] * tiles[2]; }
  /// The site at (x, y, z), which may lie outside by up to a side.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t site(int x, int y, int z) const {
    return static_cast<std::uint32_t>((wrapped(z, 2) * sides[1] + wrapped(y, 1)) * sides[0] + wrapped(x, 0));
  }
  KOKKOS_FORCEINLINE_FUNCTION int wrapped(int i, int axis) const {
    return i < 0 ? i + sides[axis] : (i < sides[axis] ? i : i - sides[axis]);
  }
  /// Column, row and plane of a site.
  KOKKOS_FORCEINLINE_FUNCTION Offset at(std::uint32_t site) const {
    const auto nx = static_cast<std::uint32_t>(sides[0]), ny = static_cast<std::uint32_t>(sides[1]);
    return {static_cast<int>(site % nx), static_cast<int>(site / nx % ny), static_cast<int>(site / nx / ny)};
  }
  /// The site at an offset.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t site(const Offset& from, const Offset& by) const {
    return site(from.x + by.x, from.y + by.y, from.z + by.z);
  }
  /// Order of events at the same tick: by the parities of z, y and x, then by the number of the site.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr unsigned parities(int x, int y, int z) {
    return (static_cast<unsigned>(z) & 1u) << 2 | (static_cast<unsigned>(y) & 1u) << 1 |
           (static_cast<unsigned>(x) & 1u);
  }
};

/// State of a cell, with those of its neighbours, in a whole array of states.
template <Model M, class States>
struct Around {
  const States& states;
  const Box& box;
  Offset cell;
  int parity;

  KOKKOS_FORCEINLINE_FUNCTION Around(const States& all, const Box& of, std::uint32_t site)
      : states(all), box(of), cell(of.at(site)), parity(M::Lattice::parity(cell.x, cell.y, cell.z)) {}
  /// State of neighbour k.
  KOKKOS_FORCEINLINE_FUNCTION int operator()(int k) const {
    return states[box.site(cell, M::Lattice::offset(k, parity))];
  }
  /// State of the cell at an offset of from_row().
  KOKKOS_FORCEINLINE_FUNCTION int operator()(int x, int row) const { return states[box.site(cell, from_row(x, row))]; }
};

/// Word of a cell in a window: the tick of its next event in the step, its key, then whether it never has one, then its
/// state.
template <Model M>
struct CellWord {
  static constexpr int shift = M::state_bits + 1;                                    ///< of the key
  static constexpr int key_bits = 32 - shift;                                        ///< at most 29
  static constexpr std::uint32_t no_event = (1u << key_bits) - 1;                    ///< key without an event
  static constexpr std::uint32_t frozen = 1u << M::state_bits, states = frozen - 1;  ///< masks

  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint32_t of(std::uint32_t key, bool is_frozen,
                                                                std::uint32_t state) {
    return key << shift | (is_frozen ? frozen : 0u) | state;
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int state(std::uint32_t word) { return static_cast<int>(word & states); }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint32_t key(std::uint32_t word) { return word >> shift; }
};

/// What all replicas have in common: the mean waiting times in ticks by kind, negative for never.
template <Model M>
struct Clock {
  double ticks = 1;       ///< in a unit of time
  double means[16] = {};  ///< mean_in_ticks(), by kind

  explicit Clock(const M& model) {
    ticks = std::ldexp(1.0, std::ilogb(largest_rate(model)) + CellWord<M>::key_bits - 3);
    if constexpr (HasKinds<M>) {
      static_assert(M::kinds <= 16);
      for (int kind = 0; kind < 16; ++kind) means[kind] = mean(kind < M::kinds ? model.rate(kind) : 0);
    }
  }
  /// Of a rate, likewise.
  KOKKOS_FORCEINLINE_FUNCTION double mean(double rate) const { return mean_of_rate(ticks, rate); }
  /// Of a cell with this state and those around. `sums`: room for its kept sums.
  template <class At>
  KOKKOS_FORCEINLINE_FUNCTION double mean(const M& model, [[maybe_unused]] int state, const At& at,
                                          [[maybe_unused]] std::uint64_t* sums) const {
    if constexpr (HasKinds<M>) {
      return means[model.kind(state, at)];
    } else {
      model.sum_up(at, sums);
      return mean(model.rate(KeptSums{sums}));
    }
  }
};

/// Directions from a tile to its neighbours: (dz + 1) 9 + (dy + 1) 3 + dx + 1.
inline constexpr int directions = 27, itself = 13;
KOKKOS_FORCEINLINE_FUNCTION constexpr int direction_of(int dx, int dy, int dz) {
  return (dz * 3 + dy) * 3 + dx + itself;
}
KOKKOS_FORCEINLINE_FUNCTION constexpr Offset offset_of(int direction) {
  return {direction % 3 - 1, direction / 3 % 3 - 1, direction / 9 - 1};
}

}  // namespace tessera::kmc::space
