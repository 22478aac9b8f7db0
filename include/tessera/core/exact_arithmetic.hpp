// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>

/// A trajectory is the same to the last bit on every backend only if every floating-point operation in it is rounded
/// where it is written. Compilers may fuse `a * b + c` into one rounding whenever the target has the instruction: nvcc
/// does so by default, g++ does as soon as -march allows it. The target tessera::tessera forbids it in all that links
/// with it (-ffp-contract=off, --fmad=false: cmake/TesseraCompileOptions.cmake), so that plain expressions mean what
/// they say; who includes these headers in another way has to do the same.
namespace tessera {

/// exp(x), for -708 < x < 709 and within 2 units in the last place, from plain arithmetic: the rates of a model are the
/// same on every machine, whatever its mathematical library. For tables that are made once; host only.
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

}  // namespace tessera
