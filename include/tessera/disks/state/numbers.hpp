// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_BitManipulation.hpp>
#include <Kokkos_Core.hpp>
#include <cstdint>

/// Functions that algorithms 2 and 4 need beyond operators, for one cell in a lane of a GPU: float, int, and bool as
/// mask. kernels/simd_vectors.hpp has the same functions for several cells in SIMD vectors.
namespace tessera::disks {

/// Returns a if the mask is set, else b.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T select(bool mask, const T& a, const T& b) {
  return mask ? a : b;
}
/// Returns a, or a value above the square of any distance if the mask is set.
KOKKOS_FORCEINLINE_FUNCTION float far_where(bool mask, float a) { return mask ? 0x1.0p20f : a; }
/// Returns 1 if the mask is set, else 0.
KOKKOS_FORCEINLINE_FUNCTION int ones(bool mask) { return static_cast<int>(mask); }

/// Integer with the same order as non-negative floats, and back: GPUs compute the minimum of three integers in one
/// instruction.
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

/// Replaces the value of each set number of a mask by settle(one).
template <class Settle>
KOKKOS_FORCEINLINE_FUNCTION void settle_where(bool mask, bool& result, const Settle& settle) {
  if (mask) result = settle([](const auto& value) { return value; });
}

}  // namespace tessera::disks
