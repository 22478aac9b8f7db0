// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tessera/disks/sequential.hpp>

#include "tests/disks/any_simulation.hpp"

namespace tessera::disks {
namespace {

/// The equilibrium distribution of a few disks in a small box, against direct sampling: disks thrown into the box at
/// random, all of them again if any overlap. Chi-square with a false-alarm rate of 5e-7 each; at these sample sizes it
/// sees a change of a few percent in a bin's probability.

using Histogram = std::vector<double>;
constexpr int side = 6;  // bins along each of two features

Parameters few_disks(std::int64_t particles, double packing_fraction) {
  Parameters p;
  p.particles = particles;
  p.packing_fraction = packing_fraction;
  p.move_radius = 0.4;
  p.seed = 1;
  return p;
}

/// Adds a configuration. Two disks: the distance vector folded into a quadrant; three: the shortest and the longest
/// distance of a pair.
void add(Histogram& histogram, const std::vector<Point>& points, const Point& box) {
  const auto apart = [&](std::size_t i, std::size_t j, std::size_t axis) {
    return std::abs(std::remainder(points[i][axis] - points[j][axis], box[axis]));
  };
  double first = 0, second = 0;
  if (points.size() == 2) {
    first = apart(0, 1, 0) / (box[0] / 2);
    second = apart(0, 1, 1) / (box[1] / 2);
  } else {
    std::vector<double> distances;
    for (const auto& [i, j] : {std::pair{0u, 1u}, {0u, 2u}, {1u, 2u}})
      distances.push_back(std::hypot(apart(i, j, 0), apart(i, j, 1)));
    std::sort(distances.begin(), distances.end());
    const double longest = std::hypot(box[0] / 2, box[1] / 2);
    first = (distances.front() - 1) / (longest - 1) * 3;
    second = (distances.back() - 1) / (longest - 1);
  }
  const auto bin = [](double value) { return std::clamp(static_cast<int>(value * side), 0, side - 1); };
  histogram[static_cast<std::size_t>(bin(second) * side + bin(first))] += 1;
}

Histogram direct_sampling(const Parameters& p, int samples, std::uint64_t seed = 99, double diameter = 1) {
  const Point box{box_width(p), box_height(p)};
  Histogram histogram(side * side, 0);
  Xoshiro random(seed);
  while (samples > 0) {
    std::vector<Point> points;
    for (std::int64_t i = 0; i < p.particles; ++i)
      points.push_back({random.uniform() * box[0], random.uniform() * box[1]});
    bool fits = true;
    for (std::size_t i = 0; i < points.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        fits = fits && std::hypot(std::remainder(points[i][0] - points[j][0], box[0]),
                                  std::remainder(points[i][1] - points[j][1], box[1])) >= diameter;
    if (!fits) continue;
    add(histogram, points, box);
    --samples;
  }
  return histogram;
}

/// Chi-square of two histograms over its threshold.
double excess(const Histogram& a, const Histogram& b) {
  double sum_a = 0, sum_b = 0, chi_square = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum_a += a[i];
    sum_b += b[i];
  }
  int freedom = -1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] + b[i] < 40) continue;
    const double difference = std::sqrt(sum_b / sum_a) * a[i] - std::sqrt(sum_a / sum_b) * b[i];
    chi_square += difference * difference / (a[i] + b[i]);
    ++freedom;
  }
  EXPECT_GT(freedom, 8);
  const double width = 2.0 / (9 * freedom);  // Wilson and Hilferty
  return chi_square / (freedom * std::pow(1 - width + 4.9 * std::sqrt(width), 3));
}

constexpr int replicas = 1024, rounds = 20, between = 40;

/// Independent replicas, and configurations far apart.
Histogram parallel_sampling(Parameters p) {
  p.replicas = replicas;
  p.sweeps = 1e6;
  const auto simulation = make_simulation<Kokkos::DefaultHostExecutionSpace>(p);
  const Geometry g = simulation->geometry();
  Histogram histogram(side * side, 0);
  for (int round = 1; round <= rounds; ++round) {
    simulation->advance(round * between);
    if (round == 1) continue;
    for (const auto& points : simulation->points()) add(histogram, points, {g.box_x(), g.box_y()});
  }
  return histogram;
}

Histogram sequential_sampling(Parameters p) {
  p.sweeps = 1e6;
  p.replicas = 64;
  SequentialSimulation simulation(p);
  Histogram histogram(side * side, 0);
  for (int round = 1; round <= 16 * rounds; ++round) {
    simulation.advance(round * between);
    for (const auto& points : simulation.points()) add(histogram, points, simulation.box());
  }
  return histogram;
}

class DetailedBalance : public ::testing::TestWithParam<std::pair<int, double>> {
 protected:
  Parameters p = few_disks(GetParam().first, GetParam().second);
  Histogram direct = direct_sampling(p, 200'000);
};
INSTANTIATE_TEST_SUITE_P(FewDisks, DetailedBalance,
                         ::testing::Values(std::pair{2, 0.3}, std::pair{3, 0.42}, std::pair{3, 0.14}),
                         [](const auto& parameter) {
                           return std::to_string(parameter.param.first) + "Disks" +
                                  std::to_string(static_cast<int>(100 * parameter.param.second)) + "Percent";
                         });

TEST_P(DetailedBalance, ParallelMethodHasTheDistributionOfDirectSampling) {
  EXPECT_LT(excess(parallel_sampling(p), direct), 1);
}

TEST_P(DetailedBalance, HoldsWithoutCheckerboardShuffling) {
  p.shuffle_checkerboard = false;
  p.moves_per_cell = 3;
  EXPECT_LT(excess(parallel_sampling(p), direct), 1);
}

TEST_P(DetailedBalance, SequentialMethodHasTheDistributionOfDirectSampling) {
  EXPECT_LT(excess(sequential_sampling(p), direct), 1);
}

// The test sees a distribution that is a little off.
TEST_P(DetailedBalance, DetectsSlightlySmallerDisks) {
  const Histogram other = direct_sampling(p, replicas * rounds, 5, 1 / 1.02);
  EXPECT_GT(excess(other, direct), p.packing_fraction > 0.2 ? 1 : 0.3);
}

}  // namespace
}  // namespace tessera::disks
