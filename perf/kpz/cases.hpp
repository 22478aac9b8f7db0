// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <tessera/kpz/parameters.hpp>
#include <vector>

namespace tessera::perf {

/// A case: a decomposition scheme (figure 7), and its execution space.
struct KpzCase {
  std::string space;   ///< Kokkos' name; empty for the reference
  std::string scheme;  ///< "DTrDB"; empty for the reference
  int side;            ///< L
  int replicas = 1;
  bool both = false;      ///< deposition and removal, p = 0.7 and q = 0.3, instead of deposition alone
  bool measured = false;  ///< with a measurement of all observables, for two waiting times, after each repetition

  /// As in "kpz/DTrDB/Cuda/L:65536", "kpz/DBDB/Cuda/L:16384/pq", "kpz/sequential/L:1024".
  std::string name() const;
  /// Number of attempts in a Monte Carlo step of all replicas.
  double sites() const { return static_cast<double>(side) * side * replicas; }
  kpz::Parameters parameters() const;
};

/// All cases, small systems first. `spaces`: slowest first.
std::vector<KpzCase> all_kpz_cases(const std::vector<std::string>& spaces);

/// The cases of the targets, and L = 2^12 on all spaces and with sequential dynamics.
std::vector<KpzCase> h200_kpz_cases(const std::vector<std::string>& spaces);

}  // namespace tessera::perf
