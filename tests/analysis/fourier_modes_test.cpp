// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <tessera/analysis/fourier_modes.hpp>
#include <vector>

namespace tessera::analysis {
namespace {

using Sums = std::vector<std::int64_t>;

/// sum over the lines of sums exp(-2 pi i j line / n), by the functions of the library.
std::complex<double> plain(const Sums& sums, std::size_t j) {
  std::complex<double> total = 0;
  const auto n = static_cast<double>(sums.size());
  for (std::size_t line = 0; line < sums.size(); ++line)
    total += static_cast<double>(sums[line]) *
             std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(j * line % sums.size()) / n);
  return total;
}

Sums random_sums(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Sums sums;
  for (std::size_t i = 0; i < count; ++i) sums.push_back(static_cast<std::int64_t>(random() % 2001) - 700);
  return sums;
}

TEST(FourierModes, EqualPlainSums) {
  for (const std::size_t n : {3, 4, 5, 8, 12, 35, 64, 127, 1024, 3000}) {
    SCOPED_TRACE(n);
    const Sums sums = random_sums(n, n);
    const double close = 1e-12 * 2000 * static_cast<double>(n);
    for (std::size_t j = 1; 2 * j <= n; j = j < 5 ? j + 1 : 2 * j) {
      const Mode found = fourier_mode(sums, phases(n), j);
      EXPECT_NEAR(found.re, plain(sums, j).real(), close);
      EXPECT_NEAR(found.im, plain(sums, j).imag(), close);
    }
  }
}

// What all lines have in common is taken off as an integer.
TEST(FourierModes, OfEqualLinesAreExactlyZero) {
  for (const std::size_t n : {1, 2, 3, 64, 65}) {
    const Mode found = fourier_mode(Sums(n, std::int64_t{1} << 50), phases(n));
    EXPECT_EQ(found.re, 0) << n;
    EXPECT_EQ(found.im, 0) << n;
  }
}

TEST(FourierModes, PhasesOfLongLatticesAreAccurate) {
  constexpr std::size_t n = 1 << 16;
  const auto all = phases(n);
  for (const std::size_t j : {1, 1000, 32768}) {
    const double turn = 2 * std::numbers::pi * static_cast<double>(j) / n;
    EXPECT_NEAR(all[j].re, std::cos(turn), 1e-11);
    EXPECT_NEAR(all[j].im, -std::sin(turn), 1e-11);
  }
}

}  // namespace
}  // namespace tessera::analysis
