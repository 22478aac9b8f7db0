// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Macros.hpp>
#include <bit>
#include <cstdint>

/// IEEE-754 products and sums that no compiler contracts to a fused multiply-add.
///
/// A trajectory is the same to the last bit on every backend only if every floating-point operation in it is rounded
/// where it is written. Compilers may fuse `a * b + c` into one rounding whenever the target has the instruction: nvcc
/// does so by default, g++ does as soon as -march allows it. These functions name the operations that must not be
/// fused.
namespace tessera {

namespace detail {
/// Hides where a value came from, so that the host compiler cannot fuse the operation that produced it with the next
/// one.
inline double opaque(double value) {
#if defined(__x86_64__)
  asm("" : "+x"(value));
#elif defined(__aarch64__)
  asm("" : "+w"(value));
#else
  volatile double stored = value;
  value = stored;
#endif
  return value;
}
}  // namespace detail

/// a * b, rounded once.
KOKKOS_FORCEINLINE_FUNCTION double product(double a, double b) {
#if defined(__CUDA_ARCH__)
  return __dmul_rn(a, b);
#else
  return detail::opaque(a * b);
#endif
}

/// a + b, rounded once.
KOKKOS_FORCEINLINE_FUNCTION double sum(double a, double b) {
#if defined(__CUDA_ARCH__)
  return __dadd_rn(a, b);
#else
  return detail::opaque(a + b);
#endif
}

/// The bits of a double. Non-negative doubles, infinity included, order as their bits do.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t bits_of(double value) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint64_t>(__double_as_longlong(value));
#else
  return std::bit_cast<std::uint64_t>(value);
#endif
}

/// The double that has these bits.
KOKKOS_FORCEINLINE_FUNCTION double double_of(std::uint64_t bits) {
#if defined(__CUDA_ARCH__)
  return __longlong_as_double(static_cast<long long>(bits));
#else
  return std::bit_cast<double>(bits);
#endif
}

/// The number of zero bits above the highest one of a non-zero integer.
KOKKOS_FORCEINLINE_FUNCTION int leading_zeros(std::uint64_t x) {
#if defined(__CUDA_ARCH__)
  return __clzll(static_cast<long long>(x));
#else
  return std::countl_zero(x);
#endif
}

/// exp(x), for -708 < x < 709 and within 2 units in the last place, from plain arithmetic: the rates of a model are the
/// same on every machine, whatever its mathematical library. For tables that are made once; host only.
inline double portable_exp(double x) {
  constexpr double log2_high = 0x1.62e42feep-1;  // 32 bits, so that k * log2_high is exact
  constexpr double log2_low = 0x1.a39ef35793c76p-33;
  constexpr double inverse_log2 = 0x1.71547652b82fep0;
  const double scaled = product(x, inverse_log2);
  const int k = static_cast<int>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
  double r = sum(x, product(-k, log2_high));
  r = sum(r, product(-k, log2_low));
  double series = 1;
  for (int n = 16; n >= 1; --n) series = sum(1.0, product(series, r / n));
  return product(series, double_of(static_cast<std::uint64_t>(1023 + k) << 52));
}

}  // namespace tessera
