// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/exact_arithmetic.hpp>

namespace tessera {

/// ln(1 / u) for a uniform variate u in (0, 1) from 64 random bits: the exponentially distributed variate of unit mean
/// in a waiting time. All backends use this definition, with a fixed order of products and sums and no library calls.
///
/// u is (random | 1) / 2^64, its significand cut to 53 bits, so that 0 < u < 1 and the tail reaches to ln(2^64) = 44.4.
/// With u = m 2^-(z+1), 1 <= m < 2, and c a short reciprocal of m from a table of 64 intervals,
///     ln(1/u) = (z + 1) ln 2 + ln c - ln(1 + r),    r = m c - 1,  |r| < 0.0087,
/// and the series of ln(1 + r) to the seventh power. The interval next to m = 2 has c = 1/2 exactly: there the first
/// two terms cancel and r is exact, so that the result is positive for every u < 1. The error is below 4e-16 plus one
/// unit in the last place.
KOKKOS_INLINE_FUNCTION double exponential_variate(std::uint64_t random) {
  struct Interval {
    double reciprocal, log_reciprocal;
  };
  static constexpr Interval table[64] = {{0.9921875, -0x1.010157588de71p-7},    {0.9775390625, -0x1.74321d3d006d3p-6},
                                         {0.962890625, -0x1.35c8bfaa1306bp-5},  {0.9482421875, -0x1.b35dd9b58baadp-5},
                                         {0.9345703125, -0x1.152b799bb3cc9p-4}, {0.9208984375, -0x1.518874226130ap-4},
                                         {0.908203125, -0x1.8a6477a91dc29p-4},  {0.8955078125, -0x1.c40d6425a5cb1p-4},
                                         {0.8828125, -0x1.fe89139dbd566p-4},    {0.87109375, -0x1.1aa2b7e23f72ap-3},
                                         {0.859375, -0x1.365fcb0159016p-3},     {0.84765625, -0x1.527e5e4a1b58dp-3},
                                         {0.8369140625, -0x1.6c9d07d203fc7p-3}, {0.826171875, -0x1.871213750e994p-3},
                                         {0.8154296875, -0x1.a1dfc40f1b7f1p-3}, {0.8046875, -0x1.bd087383bd8adp-3},
                                         {0.794921875, -0x1.d60a17f903515p-3},  {0.78515625, -0x1.ef5ade4dcffe6p-3},
                                         {0.775390625, -0x1.047e60cde83b8p-2},  {0.7666015625, -0x1.102ac0a35cc1cp-2},
                                         {0.7578125, -0x1.1bf99635a6b95p-2},    {0.7490234375, -0x1.27ebaf58d8c9dp-2},
                                         {0.740234375, -0x1.3401e12aecba1p-2},  {0.7314453125, -0x1.403d086cea79cp-2},
                                         {0.7236328125, -0x1.4b3c077267e9ap-2}, {0.71484375, -0x1.57bf753c8d1fbp-2},
                                         {0.70703125, -0x1.630030b3aac49p-2},   {0.69921875, -0x1.6e60ee6af1972p-2},
                                         {0.69140625, -0x1.79e26687cfb3ep-2},   {0.6845703125, -0x1.840f1e12667f0p-2},
                                         {0.677734375, -0x1.8e55f9b349b83p-2},  {0.669921875, -0x1.9a355c33bd6bap-2},
                                         {0.6630859375, -0x1.a4b60a46e5dd3p-2}, {0.65625, -0x1.af5295248cdd0p-2},
                                         {0.6494140625, -0x1.ba0b922e74f22p-2}, {0.6435546875, -0x1.c35383c8850afp-2},
                                         {0.63671875, -0x1.ce42f18064743p-2},   {0.630859375, -0x1.d7ba7ad9e7da0p-2},
                                         {0.6240234375, -0x1.e2e28d3d701ccp-2}, {0.6181640625, -0x1.ec8ba06d15ad9p-2},
                                         {0.6123046875, -0x1.f64c414b926c5p-2}, {0.6064453125, -0x1.001271e716158p-1},
                                         {0.6005859375, -0x1.050affa5671a5p-1}, {0.595703125, -0x1.0938fae5d8e9bp-1},
                                         {0.58984375, -0x1.0e4898611cce1p-1},   {0.5849609375, -0x1.128a24f1d9affp-1},
                                         {0.5791015625, -0x1.17b1ac17cbd5bp-1}, {0.57421875, -0x1.1c07849ae6007p-1},
                                         {0.5693359375, -0x1.2066d7740737ep-1}, {0.5634765625, -0x1.25b2c55cd5762p-1},
                                         {0.55859375, -0x1.2a2786d0ec107p-1},   {0.5537109375, -0x1.2ea64c3f97655p-1},
                                         {0.5498046875, -0x1.32463ebdd34eap-1}, {0.544921875, -0x1.36d77e9d34fd7p-1},
                                         {0.5400390625, -0x1.3b7344be40311p-1}, {0.53515625, -0x1.4019c2125ca93p-1},
                                         {0.53125, -0x1.43d9ff2f923c5p-1},      {0.5263671875, -0x1.489445efffcccp-1},
                                         {0.5224609375, -0x1.4c649aff0ee16p-1}, {0.5185546875, -0x1.503c43cd8eb68p-1},
                                         {0.513671875, -0x1.55144fdbcbd62p-1},  {0.509765625, -0x1.58fcddce004c4p-1},
                                         {0.505859375, -0x1.5ced1e17c35c5p-1},  {0.5, -0x1.62e42fefa39efp-1}};
  random |= 1;
  const int z = Kokkos::Experimental::countl_zero_builtin(random);
  const std::uint64_t fraction = ((random << z) << 1) >> 12;
  const Interval& interval = table[fraction >> 46];
  const double m = Kokkos::bit_cast<double>((std::uint64_t{1023} << 52) | fraction);
  const double r = m * interval.reciprocal - 1.0;
  const double r2 = r * r;
  const double a = -1.0 / 2 + r * (1.0 / 3);
  const double b = -1.0 / 4 + r * (1.0 / 5);
  const double c = -1.0 / 6 + r * (1.0 / 7);
  const double series = (a + r2 * b) + (r2 * r2) * c;
  const double log1p = r + r2 * series;
  const double whole = (z + 1) * 0x1.62e42fefa39efp-1 + interval.log_reciprocal;
  return whole - log1p;
}

}  // namespace tessera
