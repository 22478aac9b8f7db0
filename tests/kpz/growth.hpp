// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "tests/kpz/any_simulation.hpp"
#include "tests/kpz/statistics.hpp"

namespace tessera::testing {

/// W^2 of random-sequential dynamics, p = 1, q = 0, at t: measured with an independent program, L = 1024, 20 runs.
inline const std::map<double, analysis::Estimate> known_roughness{
    {1, {0.5442, 0.0001}}, {3, {0.7118, 0.0002}}, {10, {1.0372, 0.0006}}, {30, {1.558, 0.002}}, {100, {2.563, 0.007}}};

inline unsigned cores() { return std::max(1u, std::thread::hardware_concurrency()); }

/// The execution space that the long tests size themselves for.
inline constexpr bool on_device =
    !Kokkos::SpaceAccessibility<Kokkos::HostSpace, Kokkos::DefaultExecutionSpace::memory_space>::accessible;

inline kpz::Parameters growing(int replicas, std::uint64_t seed, int side = 1024) {
  kpz::Parameters p;
  p.nx = p.ny = side;
  p.thread_cell_x = p.thread_cell_y = 1;
  p.steps = 1e6;
  p.replicas = replicas;
  p.seed = seed;
  return p;
}

using Roughness = std::map<double, analysis::Estimate>;

/// W^2 of a decomposition scheme at these times, over the replicas, on the fastest execution space.
inline Roughness roughness_at(const kpz::Parameters& p, const std::vector<double>& times) {
  const auto simulation = make_simulation<Kokkos::DefaultExecutionSpace>(p);
  Roughness result;
  for (const double time : times) {
    simulation->advance(time);
    result[time] = analysis::mean_of(values_of(*simulation, "roughness"));
  }
  return result;
}

/// The same of the sequential method, replicas shared out among the cores.
inline Roughness sequential_roughness_at(const kpz::Parameters& p, const std::vector<double>& times) {
  std::vector<std::unique_ptr<AnySimulation>> replicas;
  for (int r = 0; r < p.replicas; ++r) {
    kpz::Parameters alone = p;
    alone.replicas = 1;
    alone.seed += static_cast<std::uint64_t>(r);
    replicas.push_back(make_sequential(alone));
  }
  Roughness result;
  for (const double time : times) {
    std::atomic<std::size_t> taken = 0;
    const auto work = [&] {
      for (std::size_t r = taken++; r < replicas.size(); r = taken++) replicas[r]->advance(time);
    };
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < cores(); ++i) threads.emplace_back(work);
    for (std::thread& thread : threads) thread.join();
    std::vector<double> values;
    for (const auto& replica : replicas) values.push_back(values_of(*replica, "roughness").at(0));
    result[time] = analysis::mean_of(values);
  }
  return result;
}

/// By how much W^2 differs from that of sequential dynamics, as a part of it.
inline analysis::Estimate deviation(const analysis::Estimate& found, const analysis::Estimate& sequential) {
  return {found.value / sequential.value - 1, std::hypot(found.error, sequential.error) / sequential.value};
}

}  // namespace tessera::testing
