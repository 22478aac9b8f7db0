// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace tessera::testing {

/// Autocorrelation time of rows [row][replica], its error, and the standard error of the mean over all of them, by the
/// formulas of docs/output.md.
struct PlainAutocorrelation {
  double mean = 0, rows = 0, rows_error = 0, error = 0;

  explicit PlainAutocorrelation(const std::vector<std::vector<double>>& values) {
    const std::size_t n = values.size();
    const auto replicas = static_cast<double>(values[0].size()), count = static_cast<double>(n) * replicas;
    for (const auto& row : values)
      for (const double value : row) mean += value / count;
    const auto gamma = [&](std::size_t t) {
      double sum = 0;
      for (std::size_t i = 0; i + t < n; ++i)
        for (std::size_t r = 0; r < values[0].size(); ++r) sum += (values[i][r] - mean) * (values[i + t][r] - mean);
      return sum / (static_cast<double>(n - t) * replicas);
    };
    const double gamma_0 = gamma(0);
    double sum = 0;
    std::size_t window = 0;
    do {
      sum += gamma(++window) / gamma_0;
      const double tau = sum > 0 ? 2 / std::log((sum + 1) / sum) : 1e-100, w = static_cast<double>(window);
      if (std::exp(-w / tau) < tau / std::sqrt(w * count)) break;
    } while (window < n / 2);
    const double w = static_cast<double>(window), plain = gamma_0 * (1 + 2 * sum);
    const double variance = gamma_0 + std::max(plain, 0.0) / count;
    rows = std::max(plain * (1 + (2 * w + 1) / count) / (2 * variance), 0.05);
    rows_error = 2 * rows * std::sqrt(std::max(w + 0.5 - rows, 0.5) / count);
    error = std::sqrt(2 * rows * variance / count * (1 + std::pow(rows_error / rows, 2)));
  }
};

}  // namespace tessera::testing
