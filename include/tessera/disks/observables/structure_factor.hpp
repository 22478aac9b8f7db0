// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Macros.hpp>
#include <cstdint>
#include <numbers>
#include <tessera/disks/configuration.hpp>
#include <vector>

/// S(q) = |rho_q|^2 / N with rho_q = sum over the disks of exp(i q_x x) exp(i q_y y), for the wave vectors of the
/// periodic box. Both factors are rounded to multiples of `phase_unit`: sums of products do not depend on their order.
namespace tessera::disks {

/// A wave vector q = 2 pi (x / width, y / height) of the box.
struct WaveNumber {
  int x, y;
};

/// The wave vectors with 0 < |q| <= reach, in 1/sigma, one of q and -q, row by row from y = 0 on.
inline std::vector<WaveNumber> wave_numbers(const Point& box, double reach) {
  std::vector<WaveNumber> all;
  const double around = reach / (2 * std::numbers::pi), most_x = around * box[0], most_y = around * box[1];
  for (int y = 0; y <= most_y; ++y)
    for (int x = y == 0 ? 1 : -static_cast<int>(most_x); x <= most_x; ++x) {
      const double u = x / box[0], v = y / box[1];
      if (u * u + v * v <= around * around) all.push_back({x, y});
    }
  return all;
}

inline constexpr double phase_unit = 0x1.0p-16;
inline constexpr double product_unit = phase_unit * phase_unit;  ///< of products of two factors

/// cos and sin of 2 pi `turns`, in multiples of phase_unit.
struct Phase {
  double cosine, sine;

  KOKKOS_FORCEINLINE_FUNCTION explicit Phase(double turns) {
    const double quarters = nearest(4 * turns, 1);
    const double x = (turns - quarters / 4) * (2 * std::numbers::pi), z = x * x;  // |x| <= pi / 4
    // Taylor series with errors below 3e-8, rounded alike on all machines.
    const double c = 1 - z * (1. / 2 - z * (1. / 24 - z * (1. / 720 - z * (1. / 40320))));
    const double s = x * (1 - z * (1. / 6 - z * (1. / 120 - z * (1. / 5040 - z * (1. / 362880)))));
    const double half = nearest(quarters / 2 - 0.25, 1);  // floor of the half turns
    const bool odd = quarters != 2 * half;
    const double sign = half == 2 * nearest(half / 2 - 0.25, 1) ? 1 : -1;
    cosine = nearest(sign * (odd ? -s : c), phase_unit);
    sine = nearest(sign * (odd ? c : s), phase_unit);
  }

 private:
  /// The nearest multiple of `unit`, a power of two; for less than 2^51 units.
  KOKKOS_FORCEINLINE_FUNCTION static double nearest(double value, double unit) {
    const double shift = 0x1.8p52 * unit;
    return value + shift - shift;
  }
};

/// The factors exp(2 pi i n t) of points, with t from 0 to 1 along an axis of the box.
inline std::vector<Phase> phases(const std::vector<Point>& points, const Point& box, std::size_t axis, int n) {
  std::vector<Phase> all;
  for (const Point& point : points) all.emplace_back(n * (point[axis] / box[axis]));
  return all;
}

/// S(q) from the factors of all disks.
inline double structure_factor(const std::vector<Phase>& along_x, const std::vector<Phase>& along_y) {
  double re = 0, im = 0;  // exact for fewer than 2^20 disks
  for (std::size_t i = 0; i < along_x.size(); ++i) {
    re += along_x[i].cosine * along_y[i].cosine - along_x[i].sine * along_y[i].sine;
    im += along_x[i].sine * along_y[i].cosine + along_x[i].cosine * along_y[i].sine;
  }
  return (re * re + im * im) / static_cast<double>(along_x.size());
}

}  // namespace tessera::disks
