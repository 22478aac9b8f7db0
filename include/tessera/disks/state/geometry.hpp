// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Macros.hpp>
#include <Kokkos_MinMax.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <tessera/core/kokkos_ext/on_gpu.hpp>

/// Coordinates are multiples of 2^-22 diameters, stored as floats relative to a cell. Coordinates and differences to
/// neighbouring cells are below 4 = 2^24 steps, so that sums and differences are exact. Therefore a cell shift loses no
/// disk, a shift and its inverse cancel, and the overlap test is exact.
namespace tessera::disks {

inline constexpr int resolution_bits = 22;                                              ///< of a diameter
inline constexpr std::int32_t steps_per_diameter = std::int32_t{1} << resolution_bits;  ///< sigma in steps
inline constexpr float step = 1.0f / static_cast<float>(steps_per_diameter);            ///< in sigma

/// Limits of the side of a cell, in steps. Below sqrt(2) sigma a cell holds at most four disks (figure 3); from sigma
/// on, disks in different active cells do not interact.
inline constexpr std::int32_t narrowest_cell = steps_per_diameter;
inline constexpr std::int32_t widest_cell = 5931641;  ///< the largest below sqrt(2) 2^22
inline constexpr int most_in_a_cell = 4;              ///< disks

/// dx^2 + dy^2 with a relative error below 2^-22, which depends on the machine: use an exact test for close values.
KOKKOS_FORCEINLINE_FUNCTION float about_square(float dx, float dy) {
#if defined(TESSERA_ON_GPU)
  return __fmaf_rn(dx, dx, dy * dy);
#else
  return dx * dx + dy * dy;
#endif
}

/// a b + c, with or without rounding of the product; the same restriction applies.
KOKKOS_FORCEINLINE_FUNCTION float about_sum(float a, float b, float c) {
#if defined(TESSERA_ON_GPU)
  return __fmaf_rn(a, b, c);
#else
  return a * b + c;
#endif
}

/// Outside these bounds an approximate squared distance, (p - t).(p - t) or p.p - 2 p.t + t.t, decides about overlap.
/// In neighbouring cells all terms are below 24: each of fewer than 16 operations has an error of at most 2^-20.
inline constexpr float surely_overlap = 1.0f - 0x1.0p-16f;
inline constexpr float surely_apart = 1.0f + 0x1.0p-16f;  ///< see surely_overlap

/// Exact test of overlap in 64-bit integers; both components of the distance are multiples of `step` below 4.
KOKKOS_FORCEINLINE_FUNCTION bool overlap(float dx, float dy) {
  constexpr auto scale = static_cast<float>(steps_per_diameter);
  const auto x = static_cast<std::int64_t>(static_cast<std::int32_t>(dx * scale));
  const auto y = static_cast<std::int64_t>(static_cast<std::int32_t>(dy * scale));
  return x * x + y * y < std::int64_t{steps_per_diameter} * steps_per_diameter;
}

/// The periodic grid of cells of each replica. Even columns are stored before odd ones, so that active cells, and their
/// neighbours in one direction, are contiguous in memory (algorithm 3).
struct Geometry {
  int columns = 0, rows = 0;           ///< of cells, both even
  std::int32_t width = 0, height = 0;  ///< of a cell, in steps
  int replicas = 1;                    ///< each with a grid

  // Subdomain of a rank (subdomains.hpp), surrounded by ghost cells of other ranks; the defaults are for a whole grid.
  int ghost_x = 0, ghost_y = 0;    ///< ghost columns and rows at either end: even
  int first_x = 0, first_y = 0;    ///< column 0 and row 0 in the grid, before wrapping
  int beyond_x = 0, beyond_y = 0;  ///< columns and rows of the grid minus those in memory; may be negative

  KOKKOS_FORCEINLINE_FUNCTION bool is_part() const { return ghost_x + ghost_y > 0; }   ///< with ghost cells
  KOKKOS_FORCEINLINE_FUNCTION int grid_columns() const { return columns + beyond_x; }  ///< of the whole grid
  KOKKOS_FORCEINLINE_FUNCTION int grid_rows() const { return rows + beyond_y; }        ///< of the whole grid
  /// Cells of the whole grid of a replica.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t grid_cells() const { return std::int64_t{grid_columns()} * grid_rows(); }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t all_grid_cells() const { return grid_cells() * replicas; }  ///< of all
  /// Column in the grid of one in memory.
  KOKKOS_FORCEINLINE_FUNCTION int column_in_grid(int x) const { return wrap_once(x + first_x, grid_columns()); }
  /// Row in the grid of one in memory.
  KOKKOS_FORCEINLINE_FUNCTION int row_in_grid(int y) const { return wrap_once(y + first_y, grid_rows()); }
  /// Number of cell (x, y) in the grid, which selects its random streams.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t number_in_grid(int x, int y) const {
    return std::int64_t{row_in_grid(y)} * grid_columns() + column_in_grid(x);
  }
  /// Column in memory of one in the grid, which is owned at most once.
  KOKKOS_FORCEINLINE_FUNCTION int column_of_grid(int x) const { return wrap_once(x - first_x, grid_columns()); }
  /// Row in memory of one in the grid.
  KOKKOS_FORCEINLINE_FUNCTION int row_of_grid(int y) const { return wrap_once(y - first_y, grid_rows()); }

  KOKKOS_FORCEINLINE_FUNCTION int own_columns() const { return columns - 2 * ghost_x; }  ///< without ghosts
  KOKKOS_FORCEINLINE_FUNCTION int own_rows() const { return rows - 2 * ghost_y; }        ///< without ghosts
  /// Owned cells of all replicas.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t all_own_cells() const {
    return std::int64_t{own_columns()} * own_rows() * replicas;
  }
  /// Whether a cell in memory is owned, rather than a ghost cell.
  KOKKOS_FORCEINLINE_FUNCTION bool owns(int x, int y) const {
    return static_cast<unsigned>(x - ghost_x) < static_cast<unsigned>(own_columns()) &&
           static_cast<unsigned>(y - ghost_y) < static_cast<unsigned>(own_rows());
  }

  // Cells in memory, at most `most_cells` (subdomains.hpp); a grid may have more.
  KOKKOS_FORCEINLINE_FUNCTION int cells() const { return columns * rows; }  ///< of a replica
  /// Cells of all replicas.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t all_cells() const { return std::int64_t{cells()} * replicas; }
  /// Storage index of column x.
  KOKKOS_FORCEINLINE_FUNCTION int stored_column(int x) const { return (x >> 1) + (x & 1) * (columns >> 1); }
  /// Column of a storage index.
  KOKKOS_FORCEINLINE_FUNCTION int column(int q) const {
    const int in_row = columns >> 1;
    return q < in_row ? 2 * q : 2 * (q - in_row) + 1;
  }
  /// Index in memory of a cell.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t index(int replica, int x, int y) const {
    return (std::int64_t{replica} * rows + y) * columns + stored_column(x);
  }
  /// Wraps a number from [-length, 2 length) to [0, length); negative numbers are the largest unsigned ones.
  KOKKOS_FORCEINLINE_FUNCTION static int wrap_once(int at, int length) {
    const auto u = static_cast<unsigned>(at), n = static_cast<unsigned>(length);
    return static_cast<int>(Kokkos::min(u, Kokkos::min(u + n, u - n)));
  }
  KOKKOS_FORCEINLINE_FUNCTION int wrap_column(int x) const { return wrap_once(x, columns); }           ///< periodic
  KOKKOS_FORCEINLINE_FUNCTION int wrap_row(int y) const { return wrap_once(y, rows); }                 ///< periodic
  KOKKOS_FORCEINLINE_FUNCTION float cell_width() const { return static_cast<float>(width) * step; }    ///< in sigma
  KOKKOS_FORCEINLINE_FUNCTION float cell_height() const { return static_cast<float>(height) * step; }  ///< in sigma

  /// Side of the box along x, in steps.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t steps_x() const { return std::int64_t{grid_columns()} * width; }
  /// Side of the box along y, in steps.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t steps_y() const { return std::int64_t{grid_rows()} * height; }
  double box_x() const { return static_cast<double>(steps_x()) / steps_per_diameter; }  ///< side in sigma
  double box_y() const { return static_cast<double>(steps_y()) / steps_per_diameter; }  ///< side in sigma
};

namespace detail {
/// Smallest even number of cells below sqrt(2) sigma along a side of this length; 0 if they are narrower than sigma.
inline int cells_along(double length) {
  const double cells = length / (static_cast<double>(widest_cell) / steps_per_diameter);
  const int even = 2 * static_cast<int>(std::ceil(cells / 2));
  return even >= 2 && length / even >= 1 ? even : 0;
}
}  // namespace detail

/// Grid for a box of these sides, in sigma; none if no even number of cells between sigma and sqrt(2) sigma fits a side
/// (below 2, from 2.83 to 4, from 5.66 to 6). Rounding changes sides by less than 3e-5 and the area by less than 2e-7.
inline std::optional<Geometry> fit_cells(double box_x, double box_y, int replicas) {
  Geometry g;
  g.columns = detail::cells_along(box_x);
  g.rows = detail::cells_along(box_y);
  g.replicas = replicas;
  if (g.columns == 0 || g.rows == 0) return std::nullopt;
  const double width = box_x / g.columns * steps_per_diameter, height = box_y / g.rows * steps_per_diameter;
  const auto allowed = [](double side) {
    return static_cast<std::int32_t>(
        std::clamp(std::round(side), static_cast<double>(narrowest_cell), static_cast<double>(widest_cell)));
  };
  double least = std::numeric_limits<double>::infinity();
  for (int change = 0; change <= 128; ++change) {
    const std::int32_t w = allowed(width + (change % 2 == 0 ? change / 2 : -(change + 1) / 2));
    const std::int32_t h = allowed(width * height / w);
    const double error = std::abs(static_cast<double>(w) * h / (width * height) - 1);
    if (error >= least) continue;
    least = error;
    g.width = w;
    g.height = h;
  }
  return g;
}

}  // namespace tessera::disks
