// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Macros.hpp>
#include <array>
#include <cstddef>

/// Cubic lattices in three dimensions, periodic in a box of whole cubic cells. Sites are stored as an array [nz, ny,
/// nx] with at most 1 in each component of the offset of a neighbour. On bcc and fcc lattices, where a cubic cell has
/// several sites, offsets depend on the parity of a site.
namespace tessera::kmc::space {

/// Offset of a site in the array.
struct Offset {
  int x, y, z;                                     ///< columns, rows and planes
  bool operator==(const Offset&) const = default;  ///< all
};

/// Lists of offsets in two dimensions have those in three as (x, row), row = y + rows_of_plane z with -8 <= y < 8.
inline constexpr int rows_of_plane = 16;
/// The offset in three dimensions.
KOKKOS_FORCEINLINE_FUNCTION constexpr Offset from_row(int x, int row) {
  const int z = (row + rows_of_plane / 2) >> 4;
  return {x, row - rows_of_plane * z, z};
}

/// Simple cubic: 6 neighbours.
struct SimpleCubic {
  static constexpr const char* name = "sc";                    ///< value of --lattice
  static constexpr int neighbours = 6;                         ///< nearest ones; k and k ^ 1 are opposite
  static constexpr int parities = 1;                           ///< number of parities
  static constexpr std::array<int, 3> sites_of_cell{1, 1, 1};  ///< of the array, along x, y and z of a cubic cell
  static constexpr double length = 1;                          ///< of a cubic cell, in units of position()

  /// Parity of a site.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int parity(int, int, int) { return 0; }
  /// Offset of neighbour k of a site of this parity.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr Offset offset(int k, int) {
    const int side = (k & 1) != 0 ? 1 : -1;
    return {k < 2 ? side : 0, k / 2 == 1 ? side : 0, k > 3 ? side : 0};
  }
  /// Position of a site.
  static constexpr std::array<int, 3> position(int x, int y, int z) { return {x, y, z}; }
};

/// Body-centred cubic: 8 neighbours at (+-1, +-1, +-1), in units of half a cubic cell. The site at (X, Y, Z), three
/// numbers of the same parity, is stored as (X / 2, Y / 2, Z).
struct BodyCentredCubic {
  static constexpr const char* name = "bcc";                   ///< likewise
  static constexpr int neighbours = 8;                         ///< likewise
  static constexpr int parities = 2;                           ///< of Z
  static constexpr std::array<int, 3> sites_of_cell{1, 1, 2};  ///< likewise
  static constexpr double length = 2;                          ///< likewise

  KOKKOS_FORCEINLINE_FUNCTION static constexpr int parity(int, int, int z) { return z & 1; }  ///< likewise
  /// Likewise: bit 0 of k is the sign of z; bits 1 and 2 are set where x and y have the other sign.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr Offset offset(int k, int parity) {
    const int side = (k & 1) != 0 ? 1 : -1;  // of z; opposite neighbours differ in all three signs
    const int sign_x = (k & 2) != 0 ? -side : side, sign_y = (k & 4) != 0 ? -side : side;
    return {(sign_x - 1) / 2 + parity, (sign_y - 1) / 2 + parity, side};
  }
  static constexpr std::array<int, 3> position(int x, int y, int z) {  ///< likewise
    return {2 * x + (z & 1), 2 * y + (z & 1), z};
  }
};

/// Face-centred cubic: 12 neighbours at (+-1, +-1, 0) and permutations, in units of half a cubic cell. The site at (X,
/// Y, Z), of an even sum, is stored as (X / 2, Y, Z).
struct FaceCentredCubic {
  static constexpr const char* name = "fcc";                   ///< likewise
  static constexpr int neighbours = 12;                        ///< likewise
  static constexpr int parities = 2;                           ///< of X
  static constexpr std::array<int, 3> sites_of_cell{1, 2, 2};  ///< likewise
  static constexpr double length = 2;                          ///< likewise

  KOKKOS_FORCEINLINE_FUNCTION static constexpr int parity(int, int y, int z) { return (y + z) & 1; }  ///< likewise
  /// Likewise.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr Offset offset(int k, int parity) {
    const int first = (k & 1) != 0 ? 1 : -1, second = (k & 2) != 0 ? -first : first;
    if (k >= 8) return {0, first, second};
    const int x = (first - 1) / 2 + parity;
    return k < 4 ? Offset{x, second, 0} : Offset{x, 0, second};
  }
  static constexpr std::array<int, 3> position(int x, int y, int z) {  ///< likewise
    return {2 * x + ((y + z) & 1), y, z};
  }
};

}  // namespace tessera::kmc::space
