// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/analysis/contact_fits.hpp>
#include <tessera/analysis/contact_value.hpp>
#include <tessera/disks/parameters.hpp>

/// Contributions of a pair of disks to a sample. They consist of products, sums, quotients and square roots of doubles,
/// so that results are equal bit for bit on all machines.
namespace tessera::disks {

/// Neighbours in the orientational order are within this distance in sigma, between the first two shells.
inline constexpr double neighbour_distance = 1.5;

/// Bins of pair distances for the pressure, in r^2 or in r.
struct PairBins {
  static constexpr int count = analysis::ContactFits::bins;
  static_assert(count == analysis::ContactValue::bins);
  PressureFit fit;

  /// Upper bound of the squared distance.
  KOKKOS_FORCEINLINE_FUNCTION double end() const {
    constexpr double reach = 1 + count * analysis::ContactValue::bin_width + 1e-9;
    return fit == PressureFit::paper ? reach * reach : 1 + static_cast<double>(count) / bins_per_square;
  }
  /// Bin of a squared distance from 1 to end(); it may be `count`.
  KOKKOS_FORCEINLINE_FUNCTION int operator()(double square) const {
    constexpr double bins_per_sigma = 1 / analysis::ContactValue::bin_width;
    return static_cast<int>(fit == PressureFit::paper ? (Kokkos::sqrt(square) - 1) * bins_per_sigma
                                                      : (square - 1) * bins_per_square);
  }

 private:
  static constexpr int bins_per_square = analysis::ContactFits::bins_per_square;
};

/// Rings of g(r), of width sigma / rings_per_sigma, up to `ring_reach` sigma, and the ring of a distance sqrt(square).
/// Squares of distances up to there are exact on the grid.
inline constexpr int rings_per_sigma = 50, ring_reach = 5, rings = rings_per_sigma * ring_reach;
KOKKOS_FORCEINLINE_FUNCTION int ring_of(double square, int per_sigma) {
  return static_cast<int>(Kokkos::sqrt(square) * per_sigma);
}

/// exp(6 i theta) of the direction (dx, dy), of squared length `square`.
struct SixFold {
  double cosine, sine;
};
KOKKOS_FORCEINLINE_FUNCTION SixFold six_fold(double dx, double dy, double square) {
  const double c = (dx * dx - dy * dy) / square, s = 2 * dx * dy / square;  // cosine and sine of 2 theta
  return {c * (4 * c * c - 3), s * (3 - 4 * s * s)};
}

/// Unit of fixed-point numbers, in which sums over disks are independent of their order.
inline constexpr double fixed_point = 0x1.0p32;
KOKKOS_FORCEINLINE_FUNCTION std::int64_t to_fixed_point(double value) {
  return static_cast<std::int64_t>(value * fixed_point);
}

}  // namespace tessera::disks
