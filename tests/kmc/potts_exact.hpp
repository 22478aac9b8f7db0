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

/// Averages over the 3^16 states of 4 x 4 sites at a coupling: powers 1, 2 and 4 of the order parameter, and powers 1
/// and 2 of the energy per site.
struct OrderAverages {
  double m = 0, m_2 = 0, m_4 = 0, e = 0, e_2 = 0;
};
inline OrderAverages potts_averages(double coupling) {
  // A row of four sites, its like pairs along x, and how many sites are in states 0 and 1.
  struct Row {
    int state[4], like = 0, of[3] = {};
  };
  std::vector<Row> rows(81);
  for (std::size_t number = 0; number < 81; ++number) {
    Row& row = rows[number];
    for (std::size_t x = 0, rest = number; x < 4; ++x, rest /= 3) ++row.of[row.state[x] = static_cast<int>(rest % 3)];
    for (int x = 0; x < 4; ++x) row.like += row.state[x] == row.state[(x + 1) % 4];
  }
  std::vector<std::vector<int>> between(81, std::vector<int>(81));
  for (std::size_t a = 0; a < 81; ++a)
    for (std::size_t b = 0; b < 81; ++b)
      for (int x = 0; x < 4; ++x) between[a][b] += rows[a].state[x] == rows[b].state[x];
  // configurations[like pairs][sites in the most frequent state]
  std::vector<std::vector<std::uint64_t>> configurations(33, std::vector<std::uint64_t>(17));
  for (std::size_t a = 0; a < 81; ++a)
    for (std::size_t b = 0; b < 81; ++b)
      for (std::size_t c = 0; c < 81; ++c) {
        const int like = rows[a].like + rows[b].like + rows[c].like + between[a][b] + between[b][c];
        const int zero = rows[a].of[0] + rows[b].of[0] + rows[c].of[0],
                  one = rows[a].of[1] + rows[b].of[1] + rows[c].of[1];
        for (std::size_t d = 0; d < 81; ++d) {
          const int n_0 = zero + rows[d].of[0], n_1 = one + rows[d].of[1], n_2 = 16 - n_0 - n_1;
          const int most = n_0 > n_1 ? (n_0 > n_2 ? n_0 : n_2) : (n_1 > n_2 ? n_1 : n_2);
          ++configurations[static_cast<std::size_t>(like + rows[d].like + between[c][d] + between[d][a])]
                          [static_cast<std::size_t>(most)];
        }
      }
  OrderAverages sums;
  double z = 0;
  for (int like = 0; like <= 32; ++like)
    for (int most = 0; most <= 16; ++most) {
      const double weight =
          std::exp(coupling * like) *
          static_cast<double>(configurations[static_cast<std::size_t>(like)][static_cast<std::size_t>(most)]);
      const double m = (3 * most / 16.0 - 1) / 2, e = -like / 16.0;
      z += weight;
      sums.m += weight * m;
      sums.m_2 += weight * m * m;
      sums.m_4 += weight * m * m * m * m;
      sums.e += weight * e;
      sums.e_2 += weight * e * e;
    }
  return {sums.m / z, sums.m_2 / z, sums.m_4 / z, sums.e / z, sums.e_2 / z};
}

}  // namespace tessera::testing
