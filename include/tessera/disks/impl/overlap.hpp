// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Macros.hpp>
#include <cstdint>
#include <tessera/disks/impl/geometry.hpp>

namespace tessera::disks {

/// dx^2 + dy^2 to within 2^-22 of itself, as the machine does it fastest. Machines may differ in the last bits: only
/// for what an exact test settles where it is close.
KOKKOS_FORCEINLINE_FUNCTION float about_square(float dx, float dy) {
#if defined(__CUDA_ARCH__)
  return __fmaf_rn(dx, dx, dy * dy);
#else
  return dx * dx + dy * dy;
#endif
}

/// a b + c to within a rounding of the product and one of the sum, likewise.
KOKKOS_FORCEINLINE_FUNCTION float about_sum(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return __fmaf_rn(a, b, c);
#else
  return a * b + c;
#endif
}

/// Of a square of a distance, by |p - t|^2 or as |p|^2 - 2 p t + |t|^2, beyond which it tells whether two disks
/// overlap. Of disks in a cell and next to it all terms and sums are below 24, so that each of less than 16 operations
/// errs by 2^-20 at most.
inline constexpr float surely_overlap = 1.0f - 0x1.0p-16f;
inline constexpr float surely_apart = 1.0f + 0x1.0p-16f;

/// Whether disks at this distance overlap, in 64-bit integers. Both components are multiples of `step` below 4.
KOKKOS_FORCEINLINE_FUNCTION bool overlap(float dx, float dy) {
  constexpr auto scale = static_cast<float>(steps_per_diameter);
  const auto x = static_cast<std::int64_t>(static_cast<std::int32_t>(dx * scale));
  const auto y = static_cast<std::int64_t>(static_cast<std::int32_t>(dy * scale));
  return x * x + y * y < std::int64_t{steps_per_diameter} * steps_per_diameter;
}

}  // namespace tessera::disks
