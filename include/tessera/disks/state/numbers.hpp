// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_BitManipulation.hpp>
#include <Kokkos_Core.hpp>
#include <cstdint>

/// Functions of float, int, and bool as mask, for algorithms 2 and 4 with one cell per GPU lane.
/// kernels/simd_vectors.hpp overloads them for several cells in SIMD vectors.
namespace tessera::disks {

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T select(bool mask, const T& a, const T& b) {
  return mask ? a : b;
}
/// A value above the square of any distance if the mask is set, else a.
KOKKOS_FORCEINLINE_FUNCTION float far_where(bool mask, float a) { return mask ? 0x1.0p20f : a; }
KOKKOS_FORCEINLINE_FUNCTION int ones(bool mask) { return static_cast<int>(mask); }

/// Integer in the order of non-negative floats, and its inverse: GPUs find the least of three in one instruction.
KOKKOS_FORCEINLINE_FUNCTION std::int32_t order_key(float a) { return Kokkos::bit_cast<std::int32_t>(a); }
KOKKOS_FORCEINLINE_FUNCTION float of_order_key(std::int32_t key) { return Kokkos::bit_cast<float>(key); }
KOKKOS_FORCEINLINE_FUNCTION std::int32_t lesser(std::int32_t a, std::int32_t b) { return a < b ? a : b; }

/// Exchanges a and b if the mask is set.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void exchange(bool mask, T& a, T& b) {
  const T before = a;
  a = mask ? b : a;
  b = mask ? before : b;
}

/// Sets `result` to settle(one) where the mask is set; one(value) is the value for that cell.
template <class Settle>
KOKKOS_FORCEINLINE_FUNCTION void settle_where(bool mask, bool& result, const Settle& settle) {
  if (mask) result = settle([](const auto& value) { return value; });
}

}  // namespace tessera::disks
