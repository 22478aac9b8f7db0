// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

/// Exact results for the Ising model on small periodic lattices.
namespace tessera::testing {

/// ln of the partition function of the n x n Ising model, by Kaufman, Phys. Rev. 76, 1232 (1949).
inline long double log_partition_function(int n, long double coupling) {
  const long double pi = std::acos(-1.0L), k2 = 2 * coupling;
  const auto gamma = [&](int l) {
    if (l == 0) return k2 + std::log(std::tanh(coupling));
    return std::acosh(std::cosh(k2) * std::cosh(k2) / std::sinh(k2) - std::cos(l * pi / n));
  };
  // Four products over r of 2 cosh and 2 sinh of n gamma / 2; all but that of gamma_0 are positive.
  long double log_product[4] = {}, sign = 1;
  for (int r = 0; r < n; ++r)
    for (int even = 0; even < 2; ++even) {
      const long double x = n * gamma(2 * r + 1 - even) / 2;
      if (x < 0) sign = -1;
      log_product[2 * even] += std::abs(x) + std::log1p(std::exp(-2 * std::abs(x)));
      log_product[2 * even + 1] += std::abs(x) + std::log1p(-std::exp(-2 * std::abs(x)));
    }
  long double total = 0;
  for (int i = 0; i < 4; ++i) total += (i == 3 ? sign : 1) * std::exp(log_product[i] - log_product[0]);
  return std::log(total / 2) + log_product[0] + n * n * std::log(2 * std::sinh(k2)) / 2;
}

/// Equilibrium energy per site in units of J; at n -> infinity Onsager's.
inline double ising_energy(int n, double coupling) {
  const long double h = 1e-4L, k = coupling;
  const auto f = [n](long double x) { return log_partition_function(n, x); };
  const long double slope = (8 * (f(k + h) - f(k - h)) - (f(k + 2 * h) - f(k - 2 * h))) / (12 * h);
  return static_cast<double>(-slope / (n * n));
}

/// The 2^16 states of the 4 x 4 lattice. Bit c = 4 y + x set: spin up.
struct FourByFour {
  static constexpr std::uint32_t states = 1u << 16;

  /// Spin times the sum of its neighbours.
  static int alignment(std::uint32_t state, int c) {
    const auto spin = [state](int x, int y) { return (state >> ((y & 3) * 4 + (x & 3)) & 1) != 0 ? 1 : -1; };
    const int x = c % 4, y = c / 4;
    return spin(x, y) * (spin(x - 1, y) + spin(x + 1, y) + spin(x, y - 1) + spin(x, y + 1));
  }
  /// In units of J.
  static int energy(std::uint32_t state) {
    int energy = 0;
    for (int c = 0; c < 16; ++c) energy -= alignment(state, c);
    return energy / 2;
  }
  static int up(std::uint32_t state) { return std::popcount(state); }

  /// The probabilities of all states after a time t, from those in `power`, where a spin flips at the rate
  /// exp(-coupling * alignment): exp(t G) of the master equation's generator G, by uniformization. t up to 5.
  static std::vector<double> evolve(std::vector<double> power, double coupling, double t) {
    double rate[5];
    for (int k = 0; k < 5; ++k) rate[k] = std::exp(-coupling * (2 * k - 4));
    std::vector<std::uint8_t> kind(states * 16);
    for (std::uint32_t s = 0; s < states; ++s)
      for (int c = 0; c < 16; ++c)
        kind[s * 16 + static_cast<std::uint32_t>(c)] = static_cast<std::uint8_t>((alignment(s, c) + 4) / 2);
    const double fastest = 16 * rate[0];
    std::vector<double> next(states), result(states);
    double weight = std::exp(-fastest * t);  // of n jumps, Poissonian
    double missing = 1;
    for (int n = 0; missing > 1e-12; ++n) {
      for (std::uint32_t s = 0; s < states; ++s) result[s] += weight * power[s];
      missing -= weight;
      weight *= fastest * t / (n + 1);
      for (std::uint32_t s = 0; s < states; ++s) {
        double stay = 1, come = 0;
        for (std::uint32_t c = 0; c < 16; ++c) {
          const std::uint32_t from = s ^ (1u << c);
          stay -= rate[kind[s * 16 + c]] / fastest;
          come += rate[kind[from * 16 + c]] / fastest * power[from];
        }
        next[s] = stay * power[s] + come;
      }
      power.swap(next);
    }
    return result;
  }

  /// The probabilities of all states at time t from all spins up.
  static std::vector<double> distribution(double coupling, double t) {
    std::vector<double> start(states);
    start[states - 1] = 1;
    return evolve(start, coupling, t);
  }
};

}  // namespace tessera::testing
