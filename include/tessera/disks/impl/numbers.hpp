// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_BitManipulation.hpp>
#include <Kokkos_Core.hpp>
#include <cstdint>

/// What algorithms 2 and 4 take of numbers beyond their operators, for one cell in a lane of a GPU: float, int and bool
/// as mask. kernels/simd_vectors.hpp has the same for several cells in vectors.
namespace tessera::disks {

/// a where the mask is set, else b.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T select(bool mask, const T& a, const T& b) {
  return mask ? a : b;
}
/// a, or more than the square of any distance where the mask is set.
KOKKOS_FORCEINLINE_FUNCTION float far_where(bool mask, float a) { return mask ? 0x1.0p20f : a; }
/// Where `a` is set but not b.
KOKKOS_FORCEINLINE_FUNCTION bool but_not(bool a, bool b) { return a && !b; }
/// 1 where the mask is set.
KOKKOS_FORCEINLINE_FUNCTION int ones(bool mask) { return static_cast<int>(mask); }

/// What is in the order of numbers that are not negative, and back: GPUs find the least of three integers at once.
KOKKOS_FORCEINLINE_FUNCTION std::int32_t order_key(float a) { return Kokkos::bit_cast<std::int32_t>(a); }
KOKKOS_FORCEINLINE_FUNCTION float of_order_key(std::int32_t key) { return Kokkos::bit_cast<float>(key); }
KOKKOS_FORCEINLINE_FUNCTION std::int32_t lesser(std::int32_t a, std::int32_t b) { return a < b ? a : b; }

/// Exchanges a and b where the mask is set.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void exchange(bool mask, T& a, T& b) {
  const T before = a;
  a = mask ? b : a;
  b = mask ? before : b;
}

/// Calls settle(one), which is to return a mask's value, for what is one number of a mask that is set.
template <class Settle>
KOKKOS_FORCEINLINE_FUNCTION void settle_where(bool mask, bool& result, const Settle& settle) {
  if (mask) result = settle([](const auto& value) { return value; });
}

}  // namespace tessera::disks
