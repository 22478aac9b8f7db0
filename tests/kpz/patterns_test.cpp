// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

#include "tests/kpz/any_simulation.hpp"
#include "tests/kpz/schemes.hpp"
#include "tests/kpz/statistics.hpp"

// Decompositions whose borders always lie at the same places imprint a pattern on the surface (figure 3 of the paper):
// the slopes' autocorrelation tends to the mean square of the pattern instead of 0. Small domains make it large.
namespace tessera::testing {
namespace {

using kpz::Parameters;

Parameters with_small_domains(kpz::DeviceLayer layer) {
  Parameters p = small_lattice(91);
  p.nx = p.ny = 128;
  p.domain = 16;
  p.device_layer = layer;
  p.block_layer = kpz::BlockLayer::double_tiling;
  p.replicas = 8;
  return p;
}

/// C_s(t, s) long after s, over the replicas; times are 8 MCS apart, over which its noise has decayed.
analysis::Estimate late_autocorrelation(Parameters p) {
  p.waiting_times = {100};
  const auto simulation = make_simulation<Kokkos::DefaultHostExecutionSpace>(p);
  std::vector<double> of_replicas(static_cast<std::size_t>(p.replicas));
  constexpr int samples = 10;
  for (int i = 0; i < samples; ++i) {
    simulation->advance(300 + 8 * i);
    const auto values = values_of(*simulation, "slope_autocorrelation_100");
    for (std::size_t r = 0; r < values.size(); ++r) of_replicas[r] += values[r] / samples;
  }
  return analysis::mean_of(of_replicas);
}

// 8 replicas give an error of 2e-4; a false alarm is one in 1e6 runs at least, by Student's t with 7 degrees of freedom
// beyond 12 errors.
TEST(Patterns, SlopeAutocorrelationStaysFiniteOnlyWithCoarseDeadBorders) {
  const auto coarse = late_autocorrelation(with_small_domains(kpz::DeviceLayer::coarse_dead_border));
  const auto random = late_autocorrelation(with_small_domains(kpz::DeviceLayer::double_tiling_random));
  EXPECT_GT(coarse.value, 0.003);
  EXPECT_GT(coarse.value, 12 * coarse.error);
  EXPECT_LT(std::abs(random.value), 12 * random.error);
  EXPECT_LT(random.error, 4e-4);
}

/// The mean square over positions modulo twice the domain of what the mean of the slopes there, over space and time,
/// differs from 1/2; of the products of two replicas, whose noise is independent.
double square_of_pattern(Parameters p) {
  constexpr int samples = 200;
  p.replicas = 2;
  const auto period = static_cast<std::size_t>(2 * p.domain), nx = static_cast<std::size_t>(p.nx),
             ny = static_cast<std::size_t>(p.ny);
  const auto simulation = make_simulation<Kokkos::DefaultHostExecutionSpace>(p);
  std::vector<double> up[2]{std::vector<double>(2 * period * period), std::vector<double>(2 * period * period)};
  for (int i = 0; i < samples; ++i) {
    simulation->advance(100 + 5 * i);
    const auto heights = simulation->heights();
    for (std::size_t r = 0; r < 2; ++r)
      for (std::size_t y = 0; y < ny; ++y)
        for (std::size_t x = 0; x < nx; ++x) {
          const auto height = [&](std::size_t at_x, std::size_t at_y) {
            return heights[(r * ny + at_y % ny) * nx + at_x % nx];
          };
          const std::size_t to = 2 * (y % period * period + x % period);
          up[r][to] += height(x, y) > height(x + nx - 1, y);
          up[r][to + 1] += height(x, y) > height(x, y + ny - 1);
        }
  }
  const double each = samples * static_cast<double>(p.nx) * p.ny / static_cast<double>(period * period);
  double sum = 0;
  for (std::size_t i = 0; i < up[0].size(); ++i) sum += (up[0][i] / each - 0.5) * (up[1][i] / each - 0.5);
  return sum / static_cast<double>(up[0].size());
}

// The pattern of DT is fainter: 4.6e-5, to be seen over a noise of 2.6e-6.
TEST(Patterns, OfDoubleTilingVanishWithARandomOrigin) {
  Parameters p = with_small_domains(kpz::DeviceLayer::double_tiling);
  p.domain = 8;
  const double fixed = square_of_pattern(p);
  p.device_layer = kpz::DeviceLayer::double_tiling_random;
  const double random = square_of_pattern(p);
  RecordProperty("fixed", std::to_string(1e6 * fixed));
  RecordProperty("random", std::to_string(1e6 * random));
  EXPECT_GT(fixed, 2.5e-5);
  EXPECT_LT(std::abs(random), 1.6e-5);
}

}  // namespace
}  // namespace tessera::testing
