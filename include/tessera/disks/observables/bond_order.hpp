// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/analysis/contact_fits.hpp>
#include <tessera/analysis/contact_value.hpp>
#include <tessera/disks/parameters.hpp>

/// What a sample takes of a pair of disks, the same to the last bit everywhere: products, sums, quotients and square
/// roots of doubles.
namespace tessera::disks {

/// Disks within this distance, in sigma, are neighbours in the orientational order: between the first two shells.
inline constexpr double neighbour_distance = 1.5;

/// The bins that pairs of disks are counted in for the pressure: those of r^2, or those of r.
struct PairBins {
  static constexpr int count = analysis::ContactFits::bins;
  static_assert(count == analysis::ContactValue::bins);
  PressureFit fit;

  /// Beyond this squared distance there are none.
  KOKKOS_FORCEINLINE_FUNCTION double end() const {
    constexpr double reach = 1 + count * analysis::ContactValue::bin_width + 1e-9;
    return fit == PressureFit::paper ? reach * reach : 1 + static_cast<double>(count) / bins_per_square;
  }
  /// The bin of a squared distance from 1 to end(); it may be `count`.
  KOKKOS_FORCEINLINE_FUNCTION int operator()(double square) const {
    constexpr double bins_per_sigma = 1 / analysis::ContactValue::bin_width;
    return static_cast<int>(fit == PressureFit::paper ? (Kokkos::sqrt(square) - 1) * bins_per_sigma
                                                      : (square - 1) * bins_per_square);
  }

 private:
  static constexpr int bins_per_square = analysis::ContactFits::bins_per_square;
};

/// Rings of g(r), of width sigma / rings_per_sigma, up to `ring_reach` sigma; and the ring of a distance sqrt(square).
/// On the grid, squares of distances up to there are exact.
inline constexpr int rings_per_sigma = 50, ring_reach = 5, rings = rings_per_sigma * ring_reach;
KOKKOS_FORCEINLINE_FUNCTION int ring_of(double square, int per_sigma) {
  return static_cast<int>(Kokkos::sqrt(square) * per_sigma);
}

/// exp(6 i theta) of the direction (dx, dy), of squared length `square`.
struct SixFold {
  double cosine, sine;
};
KOKKOS_FORCEINLINE_FUNCTION SixFold six_fold(double dx, double dy, double square) {
  const double c = (dx * dx - dy * dy) / square, s = 2 * dx * dy / square;  // of 2 theta
  return {c * (4 * c * c - 3), s * (3 - 4 * s * s)};
}

/// A number of size 1 in fixed point, so that sums of any number of disks do not depend on their order.
inline constexpr double fixed_point = 0x1.0p32;
KOKKOS_FORCEINLINE_FUNCTION std::int64_t to_fixed_point(double value) {
  return static_cast<std::int64_t>(value * fixed_point);
}

}  // namespace tessera::disks
