// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <tessera/disks/observables/host_samples.hpp>
#include <tessera/disks/observables/statistics.hpp>
#include <vector>

#include "tests/io/memory_archive.hpp"

namespace tessera::disks {
namespace {

Parameters two_systems(PressureFit fit) {
  Parameters p;
  p.particles = 100;
  p.replicas = 2;
  p.pressure_fit = fit;
  return p;
}

Sample sample_with(double re, double im) { return {std::vector<std::uint64_t>(PairBins::count, 1), re, im}; }

TEST(DisksStatistics, DescribeTheLastSample) {
  for (const PressureFit fit : {PressureFit::automatic, PressureFit::paper}) {
    Statistics statistics(two_systems(fit), 0.8), other(two_systems(fit), 0.8);
    for (const Observable& one : statistics.measure())
      EXPECT_EQ(std::isnan(one.values[0]), one.name != "samples" && one.name != "fit_r_max") << one.name;
    for (int i = 1; i <= 3; ++i)
      for (std::size_t r = 0; r < 2; ++r) statistics.add(r, 20 * i, sample_with(0.1 * i, 0.2 * static_cast<double>(r)));
    const auto measured = statistics.measure();
    const History samples = statistics.drain_history();
    EXPECT_EQ(samples.columns[1], (std::vector<double>{20, 20, 40, 40, 60, 60}));
    for (std::size_t r = 0; r < 2; ++r) {
      EXPECT_EQ(measured[0].values[r], samples.columns[2][4 + r]);
      EXPECT_NEAR(measured[0].values[r] / 0.8, 1 + 3.14159265358979 / 2 * 0.8 * measured[1].values[r], 1e-12);
      EXPECT_DOUBLE_EQ(measured[2].values[r], std::hypot(0.1 * 3, 0.2 * static_cast<double>(r)));
      EXPECT_EQ(measured[3].values[r], 3);
    }
    io::MemoryArchive archive;
    statistics.save(archive);
    other.load(archive, 3);
    EXPECT_TRUE(statistics.drain_history().empty());
    const auto loaded = other.measure();
    for (std::size_t i = 0; i < measured.size(); ++i) EXPECT_EQ(loaded[i].values, measured[i].values);
  }
}

// By plain counting, also of points at the upper edge of the box.
TEST(DisksStatistics, VariancesOfTheNumberOfDisksEqualPlainCounts) {
  const double width = 40, height = 30;
  std::vector<Point> points{Point{width, height}};
  for (int i = 1; i < 100; ++i)
    points.push_back({4 * (i % 10) + std::fmod(7.31 * i * i, 1.9), 3 * (i / 10) + std::fmod(3.77 * i, 1.9)});
  Parameters p = two_systems(PressureFit::automatic);
  p.replicas = 1;
  Statistics statistics(p, 0.5);
  statistics.add(0, 1, sample_points(points, {width, height}, PairBins{p.pressure_fit}));
  const History history = statistics.drain_history();
  for (const auto& [side, column] : {std::pair{4, 5}, {8, 6}, {16, 7}}) {
    double variance = 0;
    const double mean = 100.0 / (side * side);
    for (int x = 0; x < side; ++x)
      for (int y = 0; y < side; ++y) {
        double count = 0;
        for (const Point& point : points)
          count += std::min(static_cast<int>(point[0] / width * side), side - 1) == x &&
                   std::min(static_cast<int>(point[1] / height * side), side - 1) == y;
        variance += (count - mean) * (count - mean) / (side * side);
      }
    EXPECT_NEAR(history.columns[static_cast<std::size_t>(column)][0], variance / mean, 1e-9) << side;
    EXPECT_EQ(history.names[static_cast<std::size_t>(column)], "disk_variance_" + std::to_string(side));
  }
  for (const std::size_t axis : {0, 1}) {
    std::complex<double> wave = 0;
    for (const Point& point : points)
      wave += std::polar(0.1, -2 * std::numbers::pi / 16 *
                                  std::min(std::floor(point[axis] / (axis == 0 ? width : height) * 16), 15.0));
    EXPECT_NEAR(history.columns[8 + 2 * axis][0], wave.real(), 1e-12) << axis;
    EXPECT_NEAR(history.columns[9 + 2 * axis][0], wave.imag(), 1e-12) << axis;
  }
}

}  // namespace
}  // namespace tessera::disks
