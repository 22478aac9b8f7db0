// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <numbers>
#include <tessera/analysis/contact_value.hpp>
#include <tessera/disks/parameters.hpp>
#include <tessera/disks/state/state.hpp>

/// Contributions of a pair of disks to a sample. Only products, sums, quotients and square roots of doubles occur, so
/// that results are equal bit for bit on all machines.
namespace tessera::disks {

/// Cutoff of neighbours for the orientational order, in sigma, between the first two shells.
inline constexpr double neighbour_distance = 1.5;

/// Bins of pair distances for the pressure, in r^2 or in r.
struct PairBins {
  static constexpr int count = analysis::ContactFits::bins;
  static_assert(count == analysis::ContactValue::bins);
  static constexpr int bins_per_square = analysis::ContactFits::bins_per_square;
  PressureFit fit;

  /// Upper limit of the squared distance.
  KOKKOS_FORCEINLINE_FUNCTION double end() const {
    constexpr double reach = 1 + count * analysis::ContactValue::bin_width + 1e-9;
    return fit == PressureFit::paper ? reach * reach : 1 + static_cast<double>(count) / bins_per_square;
  }
  /// Bin of a squared distance between 1 and end(); by rounding it may be `count`.
  KOKKOS_FORCEINLINE_FUNCTION int operator()(double square) const {
    constexpr double bins_per_sigma = 1 / analysis::ContactValue::bin_width;
    return static_cast<int>(fit == PressureFit::paper ? (Kokkos::sqrt(square) - 1) * bins_per_sigma
                                                      : (square - 1) * bins_per_square);
  }
};

/// Equal parts of the box in which disks are counted, numbered row by row.
struct Blocks {
  static constexpr int side = 16, count = side * side;
  KOKKOS_FORCEINLINE_FUNCTION static std::int64_t number(std::int64_t column, std::int64_t row) {
    return row * side + column;
  }
};

/// Rings of width sigma / per_sigma around a disk in which pairs are counted, from distance 0 on.
struct Rings {
  int per_sigma, count;

  KOKKOS_FORCEINLINE_FUNCTION double reach() const { return static_cast<double>(count) / per_sigma; }
  /// The ring of a distance sqrt(square); it may be `count` or more.
  KOKKOS_FORCEINLINE_FUNCTION int operator()(double square) const {
    return static_cast<int>(Kokkos::sqrt(square) * per_sigma);
  }
};

/// Expected number of ordered pairs in a ring without correlations.
inline double ideal_pairs(const Rings& rings, int ring, double particles, double area) {
  const double width = 1.0 / rings.per_sigma;
  return particles * particles / area * (std::numbers::pi * width * width * (2 * static_cast<double>(ring) + 1));
}

/// Rings of g(r) of a snapshot; squared distances up to their reach are exact.
inline constexpr Rings snapshot_rings{50, 250};

/// exp(6 i theta) of the direction (dx, dy), of squared length `square`.
struct SixFold {
  double cosine, sine;
};
KOKKOS_FORCEINLINE_FUNCTION SixFold six_fold(double dx, double dy, double square) {
  const double c = (dx * dx - dy * dy) / square, s = 2 * dx * dy / square;  // cosine and sine of 2 theta
  return {c * (4 * c * c - 3), s * (3 - 4 * s * s)};
}

/// Fixed-point numbers: their sums do not depend on the order of the disks.
inline constexpr double fixed_point = 0x1.0p32;
KOKKOS_FORCEINLINE_FUNCTION std::int64_t to_fixed_point(double value) {
  return static_cast<std::int64_t>(value * fixed_point);
}

/// psi_6 = x + i y of each disk, with the indices of Cells.
template <class MemorySpace>
using BondOrders = Kokkos::View<Position*, MemorySpace>;

/// Re(psi_6^* psi_6') of two disks in units of `order_unit`, rounded: sums do not depend on the order of the disks.
inline constexpr double order_unit = 0x1.0p-22;
KOKKOS_FORCEINLINE_FUNCTION std::int64_t order_product(const Position& one, const Position& other) {
  const double product = double{one.x} * double{other.x} + double{one.y} * double{other.y};
  return static_cast<std::int64_t>(Kokkos::floor(product / order_unit + 0.5));
}

}  // namespace tessera::disks
