// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <tessera/analysis/block_averages.hpp>
#include <tessera/analysis/time_averages.hpp>
#include <vector>

namespace tessera::analysis {
namespace {

/// Rows of correlated values, x' = a x + noise, [rows][replicas].
std::vector<std::vector<double>> correlated(std::size_t rows, std::size_t replicas, double a, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<double> x(replicas, 0.0);
  std::vector<std::vector<double>> all;
  for (std::size_t i = 0; i < rows; ++i) {
    for (double& value : x) value = a * value + static_cast<double>(random() >> 11) * 0x1p-53 - 0.3;
    all.push_back(x);
  }
  return all;
}

TimeAverages averages_of(const std::vector<std::vector<double>>& rows) {
  TimeAverages averages(rows.front().size());
  for (const auto& row : rows) averages.add(row);
  return averages;
}

/// By the definition: blocks of the largest 2^l rows of which there are 32 in all replicas together.
std::vector<double> plain_samples(const std::vector<std::vector<double>>& rows) {
  const std::size_t replicas = rows.front().size();
  std::size_t length = 1;
  while (rows.size() / (2 * length) * replicas >= 32) length *= 2;
  if (replicas >= 32) length = rows.size();
  std::vector<double> samples;
  for (std::size_t first = 0; first + length <= rows.size(); first += length)
    for (std::size_t r = 0; r < replicas; ++r) {
      double sum = 0;
      for (std::size_t i = first; i < first + length; ++i) sum += rows[i][r];
      samples.push_back(sum / static_cast<double>(length));
    }
  return samples;
}

TEST(TimeAverages, AndTheirSamplesEqualPlainSums) {
  for (const std::size_t replicas : {1, 2, 3, 7, 16, 31, 32, 50})
    for (const std::size_t count : {1, 2, 5, 31, 32, 63, 64, 65, 100, 127, 128, 1000}) {
      SCOPED_TRACE(std::to_string(replicas) + " replicas, " + std::to_string(count) + " rows");
      const auto rows = correlated(count, replicas, 0.7, 5);
      const auto averages = averages_of(rows);
      EXPECT_EQ(averages.rows(), count);
      double all = 0;
      const auto means = averages.means();
      ASSERT_EQ(means.size(), replicas);
      for (std::size_t r = 0; r < replicas; ++r) {
        double sum = 0;
        for (const auto& row : rows) sum += row[r];
        EXPECT_NEAR(means[r], sum / static_cast<double>(count), 1e-12);
        all += sum;
      }
      EXPECT_NEAR(averages.mean(), all / static_cast<double>(count * replicas), 1e-12);
      const auto samples = averages.samples(), expected = plain_samples(rows);
      ASSERT_EQ(samples.size(), expected.size());
      for (std::size_t i = 0; i < samples.size(); ++i) EXPECT_NEAR(samples[i], expected[i], 1e-12);
    }
}

TEST(TimeAverages, OfOneReplicaHaveTheErrorOfBlockAverages) {
  for (const std::size_t count : {2, 40, 64, 100, 1000, 4096}) {
    const auto rows = correlated(count, 1, 0.9, 6);
    BlockAverages blocks;
    for (const auto& row : rows) blocks.add(row[0]);
    const Estimate estimate = averages_of(rows).estimate();
    EXPECT_NEAR(estimate.value, blocks.mean(), 1e-12);
    EXPECT_NEAR(estimate.error, blocks.error(), 1e-12) << count;
  }
}

// x' = a x + noise of variance 1/12: the variance of a mean of n values tends to that of the noise / n / (1 - a)^2. At
// a = 0.9 an error that took the rows for independent would be 4.4 times too small. The mean of 400 squared errors,
// each from 32 to 63 samples, is known to 1.3 %; blocks of 64 rows and the run's own length make it up to 8 % too
// small.
TEST(TimeAverages, HaveErrorsThatAllowForCorrelations) {
  const double a = 0.9;
  for (const std::size_t replicas : {1, 5, 16, 40}) {
    const std::size_t count = replicas == 1 ? 4096 : 1024;
    double squares = 0;
    for (unsigned seed = 0; seed < 400; ++seed)
      squares += std::pow(averages_of(correlated(count, replicas, a, 1000 + seed)).estimate().error, 2) / 400;
    const double expected = 1.0 / 12 / static_cast<double>(count * replicas) / ((1 - a) * (1 - a));
    EXPECT_GT(squares / expected, 0.85) << replicas;
    EXPECT_LT(squares / expected, 1.1) << replicas;
  }
}

TEST(TimeAverages, OfASingleRowOfOneReplicaHaveNoError) {
  EXPECT_TRUE(std::isnan(averages_of({{2.5}}).estimate().error));
  EXPECT_EQ(averages_of({{2.5}}).estimate().value, 2.5);
  EXPECT_TRUE(std::isnan(TimeAverages(2).mean()));
}

TEST(TimeAverages, OfASeriesThatDoesNotChangeHaveNoError) {
  for (const std::size_t replicas : {1, 3, 40})
    for (const std::size_t rows : {2, 5, 100})
      EXPECT_TRUE(std::isnan(averages_of({rows, std::vector(replicas, 0.1)}).estimate().error)) << rows;
}

}  // namespace
}  // namespace tessera::analysis
