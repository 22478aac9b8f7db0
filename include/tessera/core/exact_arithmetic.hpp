// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

/// Trajectories are equal bit for bit on all backends only if every floating-point operation is rounded separately.
/// Compilers may contract `a * b + c` to one operation with one rounding: nvcc does by default, g++ if -march allows
/// it. The target tessera::tessera disables this in all targets that link to it (-ffp-contract=off, --fmad=false:
/// cmake/TesseraCompileOptions.cmake). Code that includes these headers without that target must do the same.
namespace tessera {

/// exp(x) for -708 < x < 709, within 2 units in the last place, from basic arithmetic. Rates of a model are thus
/// independent of the mathematical library. Host only; intended for tables.
inline double portable_exp(double x) {
  constexpr double log2_high = 0x1.62e42feep-1;  // 32 bits, so that k * log2_high is exact
  constexpr double log2_low = 0x1.a39ef35793c76p-33;
  constexpr double inverse_log2 = 0x1.71547652b82fep0;
  const double scaled = x * inverse_log2;
  const int k = static_cast<int>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
  double r = x - k * log2_high;
  r = r - k * log2_low;
  double series = 1;
  for (int n = 16; n >= 1; --n) series = 1.0 + series * (r / n);
  return series * Kokkos::bit_cast<double>(static_cast<std::uint64_t>(1023 + k) << 52);
}

/// sin(x + quarter pi/2) for |x| < 1e6 by its Taylor series, likewise from basic arithmetic. Host only.
inline double portable_sin(double x, int quarter) {
  // The nearest multiple k of pi/2, in three parts of pi/2 of which k times the first and the second are exact.
  const double k = std::floor(x * 0x1.45f306dc9c883p-1 + 0.5);
  if (!(std::abs(k) < 0x1p20)) return std::numeric_limits<double>::quiet_NaN();
  const double r = ((x - k * 0x1.921fb544p0) - k * 0x1.0b4611a6p-34) - k * 0x1.3198a2e037073p-69;
  const auto phase = (static_cast<std::int64_t>(k) + quarter) & 3;
  const double r2 = r * r;
  double series = 0;  // of sin(r)/r or cos(r)
  for (int n = 20 + static_cast<int>(phase & 1 ? 0 : 1); n > 1; n -= 2) series = (1 + series) * (-r2 / (n * (n - 1)));
  const double value = (phase & 1) != 0 ? 1 + series : r + r * series;
  return phase < 2 ? value : -value;
}

}  // namespace tessera
