// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tessera/disks/observables/host_samples.hpp>

#include "tests/disks/any_simulation.hpp"

namespace tessera::disks {

struct Estimate {
  double value, error;
};

/// Mean over independent replicas and its standard error.
inline Estimate mean_of(const Observable& observable) {
  const auto n = static_cast<double>(observable.values.size());
  double sum = 0, squares = 0;
  for (const double value : observable.values) sum += value;
  for (const double value : observable.values) squares += (value - sum / n) * (value - sum / n);
  return {sum / n, std::sqrt(squares / (n - 1) / n)};
}

/// Mean over these samples of `pressure`, or of the modulus of psi6, of each replica.
inline Observable mean_over(const History& samples, const std::string& name) {
  const auto& replica = samples.columns[0];
  Observable mean{name, "", std::vector<double>(static_cast<std::size_t>(std::ranges::max(replica)) + 1)};
  const double count = static_cast<double>(replica.size() / mean.values.size());
  for (std::size_t i = 0; i < replica.size(); ++i)
    mean.values[static_cast<std::size_t>(replica[i])] +=
        (name == "pressure" ? samples.columns[2][i] : std::hypot(samples.columns[3][i], samples.columns[4][i])) / count;
  return mean;
}

/// Of a whole run of the parallel method where it is fastest.
template <class Space = Kokkos::DefaultHostExecutionSpace>
Estimate estimate(const Parameters& p, const std::string& name) {
  const auto simulation = make_simulation<Space>(p);
  simulation->advance(p.sweeps);
  return mean_of(mean_over(simulation->drain_history(), name));
}

inline void expect_agreement(const Estimate& measured, double expected, double largest_error) {
  EXPECT_LT(std::abs(measured.value - expected), 3 * measured.error)
      << measured.value << " +- " << measured.error << " for " << expected;
  EXPECT_LT(measured.error, largest_error);
}

}  // namespace tessera::disks
