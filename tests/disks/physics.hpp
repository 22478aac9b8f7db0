// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <gtest/gtest.h>

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

/// Of a whole run of the parallel method where it is fastest.
template <class Space = Kokkos::DefaultHostExecutionSpace>
Estimate estimate(const Parameters& p, const std::string& name) {
  const auto simulation = make_simulation<Space>(p);
  simulation->advance(p.sweeps);
  return mean_of(find(simulation->measure(), name));
}

inline void expect_agreement(const Estimate& measured, double expected, double largest_error) {
  EXPECT_LT(std::abs(measured.value - expected), 3 * measured.error)
      << measured.value << " +- " << measured.error << " for " << expected;
  EXPECT_LT(measured.error, largest_error);
}

}  // namespace tessera::disks
