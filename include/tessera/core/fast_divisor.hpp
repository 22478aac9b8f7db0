// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Macros.hpp>
#include <cstdint>

namespace tessera {

/// Division of numbers in [0, 2^31) by a number known before the launch, as a product and a shift (Granlund and
/// Montgomery, PLDI 1994). GPUs have no instruction for integer division, and use about twenty others.
class FastDivisor {
 public:
  explicit FastDivisor(int divisor) {
    int bits = 0;
    while ((std::int64_t{1} << bits) < divisor) ++bits;
    shift_ = 31 + bits;
    multiplier_ = static_cast<std::uint32_t>((std::uint64_t{1} << shift_) / static_cast<unsigned>(divisor) + 1);
  }

  KOKKOS_FORCEINLINE_FUNCTION int quotient(int dividend) const {
    return static_cast<int>(std::uint64_t{static_cast<std::uint32_t>(dividend)} * multiplier_ >> shift_);
  }

 private:
  std::uint32_t multiplier_;
  int shift_;
};

}  // namespace tessera
