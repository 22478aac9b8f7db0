// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

/// Exact results for the Potts model with three states on small periodic lattices.
namespace tessera::testing {

/// How many of the 3^(n n) configurations of n x n sites have b like pairs of neighbours, for b = 0 to 2 n^2: the
/// coefficients of the partition function sum g(b) exp(K b), multiplied up row by row with the transfer matrix. n: 3
/// or 4.
inline std::vector<std::uint64_t> potts_configurations(int n) {
  const int most = 2 * n * n;
  std::size_t rows = 1;
  for (int x = 0; x < n; ++x) rows *= 3;
  const auto state = [](std::size_t row, int x) {
    for (; x > 0; --x) row /= 3;
    return row % 3;
  };
  std::vector<std::vector<int>> like(rows, std::vector<int>(rows));  // in a row, and between it and the next
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t next = 0; next < rows; ++next)
      for (int x = 0; x < n; ++x)
        like[row][next] += (state(row, x) == state(row, (x + 1) % n)) + (state(row, x) == state(next, x));

  using Polynomial = std::vector<std::uint64_t>;
  Polynomial trace(static_cast<std::size_t>(most) + 1);
  for (std::size_t first = 0; first < rows; ++first) {
    std::vector<Polynomial> weight(rows, Polynomial(trace.size()));
    weight[first][0] = 1;
    for (int y = 0; y < n; ++y) {
      std::vector<Polynomial> after(rows, Polynomial(trace.size()));
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t b = 0; b < trace.size(); ++b)
          if (weight[row][b] != 0)
            for (std::size_t next = 0; next < rows; ++next)
              after[next][b + static_cast<std::size_t>(like[row][next])] += weight[row][b];
      weight.swap(after);
    }
    for (std::size_t b = 0; b < trace.size(); ++b) trace[b] += weight[first][b];
  }
  return trace;
}

/// Equilibrium energy per site of n x n sites in units of J.
inline double potts_energy(int n, double coupling) {
  const std::vector<std::uint64_t> configurations = potts_configurations(n);
  double z = 0, like = 0;
  for (std::size_t b = 0; b < configurations.size(); ++b) {
    const double weight = static_cast<double>(configurations[b]) * std::exp(coupling * static_cast<double>(b));
    z += weight;
    like += static_cast<double>(b) * weight;
  }
  return -like / z / (n * n);
}

}  // namespace tessera::testing
