// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <span>
#include <string>
#include <tessera/analysis/moments.hpp>
#include <tessera/core/exact_arithmetic.hpp>
#include <vector>

namespace tessera::analysis {

/// A Fourier mode. (Products of std::complex are not rounded alike on all machines.)
struct Mode {
  double re, im;                                       ///< its parts
  double square() const { return re * re + im * im; }  ///< of its modulus
};

/// exp(-2 pi i j / n) for j = 0, ..., n / 2, each from the one before.
inline std::vector<Mode> phases(std::size_t n) {
  const double turn = 2 * std::numbers::pi / static_cast<double>(n), c = portable_sin(turn, 1),
               s = portable_sin(turn, 0);
  std::vector<Mode> all(n / 2 + 1, {1, 0});
  for (std::size_t j = 1; j < all.size(); ++j)
    all[j] = {all[j - 1].re * c + all[j - 1].im * s, all[j - 1].im * c - all[j - 1].re * s};
  return all;
}

/// Sum over n lines of sums[line] exp(-2 pi i j line / n), 0 < j <= n / 2; exactly 0 if all are equal. The bits are the
/// same on all machines.
inline Mode fourier_mode(std::span<const std::int64_t> sums, std::span<const Mode> phases, std::size_t j = 1) {
  const std::size_t n = sums.size();
  const auto count = static_cast<std::int64_t>(n),
             mean = nearest_to_mean(std::accumulate(sums.begin(), sums.end(), Wide{0}), count);
  const auto of = [&](std::size_t line) { return static_cast<double>(sums[line] - mean); };
  Mode mode{of(0), 0};
  for (std::size_t line = 1, turn = j; 2 * line <= n; ++line, turn = turn + j < n ? turn + j : turn + j - n) {
    const bool is_past_half = 2 * turn > n, is_middle = 2 * line == n;
    const Mode phase = phases[is_past_half ? n - turn : turn];
    const double first = of(line), last = is_middle ? 0 : of(n - line),
                 odd = is_past_half ? last - first : first - last;
    mode.re += (first + last) * phase.re;
    if (!is_middle) mode.im += odd * phase.im;
  }
  return mode;
}

/// Names of the real and imaginary parts of the longest waves of a quantity along x and y.
inline std::vector<std::string> names_of_waves(const std::string& quantity) {
  return {quantity + "_kx_re", quantity + "_kx_im", quantity + "_ky_re", quantity + "_ky_im"};
}

}  // namespace tessera::analysis
