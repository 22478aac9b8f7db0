// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Macros.hpp>
#include <cstdint>
#include <tessera/disks/state/geometry.hpp>

namespace tessera::disks {

/// dx^2 + dy^2 with a relative error below 2^-22, which depends on the machine: use an exact test for close values.
KOKKOS_FORCEINLINE_FUNCTION float about_square(float dx, float dy) {
#if defined(__CUDA_ARCH__)
  return __fmaf_rn(dx, dx, dy * dy);
#else
  return dx * dx + dy * dy;
#endif
}

/// a b + c, with or without rounding of the product; the same restriction applies.
KOKKOS_FORCEINLINE_FUNCTION float about_sum(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return __fmaf_rn(a, b, c);
#else
  return a * b + c;
#endif
}

/// Outside these bounds an approximate squared distance, (p - t).(p - t) or p.p - 2 p.t + t.t, decides about overlap.
/// In neighbouring cells all terms are below 24: each of fewer than 16 operations has an error of at most 2^-20.
inline constexpr float surely_overlap = 1.0f - 0x1.0p-16f;
inline constexpr float surely_apart = 1.0f + 0x1.0p-16f;

/// Exact test of overlap in 64-bit integers; both components of the distance are multiples of `step` below 4.
KOKKOS_FORCEINLINE_FUNCTION bool overlap(float dx, float dy) {
  constexpr auto scale = static_cast<float>(steps_per_diameter);
  const auto x = static_cast<std::int64_t>(static_cast<std::int32_t>(dx * scale));
  const auto y = static_cast<std::int64_t>(static_cast<std::int32_t>(dy * scale));
  return x * x + y * y < std::int64_t{steps_per_diameter} * steps_per_diameter;
}

}  // namespace tessera::disks
