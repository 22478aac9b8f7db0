// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <map>
#include <vector>

#include "tests/kpz/any_simulation.hpp"
#include "tests/kpz/statistics.hpp"

namespace tessera::testing {

/// W^2 of random-sequential dynamics, p = 1, q = 0, at t: measured with an independent program, L = 1024, 20 runs.
inline const std::map<double, analysis::Estimate> known_roughness{
    {1, {0.5442, 0.0001}}, {3, {0.7118, 0.0002}}, {10, {1.0372, 0.0006}}, {30, {1.558, 0.002}}, {100, {2.563, 0.007}}};

inline kpz::Parameters growing(int replicas, std::uint64_t seed) {
  kpz::Parameters p;
  p.nx = p.ny = 1024;
  p.steps = 1e6;
  p.replicas = replicas;
  p.seed = seed;
  return p;
}

/// W^2 at these times, over the replicas.
inline std::map<double, analysis::Estimate> roughness_at(const kpz::Parameters& p, const std::vector<double>& times,
                                                         bool sequential) {
  const auto simulation = sequential ? make_sequential(p) : make_simulation<Kokkos::DefaultHostExecutionSpace>(p);
  std::map<double, analysis::Estimate> result;
  for (const double time : times) {
    simulation->advance(time);
    result[time] = analysis::mean_of(simulation->values("roughness"));
  }
  return result;
}

}  // namespace tessera::testing
