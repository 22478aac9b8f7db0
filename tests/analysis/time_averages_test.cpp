// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <tessera/analysis/block_averages.hpp>
#include <tessera/analysis/time_averages.hpp>
#include <tessera/analysis/variance_ratio.hpp>
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
  for (std::size_t i = 0; i < rows.size(); ++i) averages.add(2.0 * static_cast<double>(i + 1), rows[i]);
  return averages;
}

/// With the error that follows from their verdict.
Estimate estimate_of(const TimeAverages& averages) { return averages.estimate(averages.stationarity().verdict()); }

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
      const auto samples = averages.samples(Verdict::stationary), expected = plain_samples(rows);
      ASSERT_EQ(samples.size(), expected.size());
      for (std::size_t i = 0; i < samples.size(); ++i) EXPECT_NEAR(samples[i], expected[i], 1e-12);
      for (const Verdict verdict : {Verdict::drifting, Verdict::too_short})
        EXPECT_EQ(averages.samples(verdict), samples);
      EXPECT_EQ(averages.samples(Verdict::replicas_differ), means);
    }
}

TEST(TimeAverages, OfOneReplicaHaveTheErrorOfBlockAverages) {
  for (const std::size_t count : {2, 40, 64, 100, 1000, 4096}) {
    const auto rows = correlated(count, 1, 0.9, 6);
    BlockAverages blocks;
    for (const auto& row : rows) blocks.add(row[0]);
    const Estimate estimate = estimate_of(averages_of(rows));
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
      squares += std::pow(estimate_of(averages_of(correlated(count, replicas, a, 1000 + seed))).error, 2) / 400;
    const double expected = 1.0 / 12 / static_cast<double>(count * replicas) / ((1 - a) * (1 - a));
    EXPECT_GT(squares / expected, 0.85) << replicas;
    EXPECT_LT(squares / expected, 1.1) << replicas;
  }
}

// Each replica fluctuates about a mean of its own, uniform in [0, 10]. The mean of 2000 squared errors is known to 3 %.
TEST(TimeAverages, OfTrappedReplicasHaveTheErrorOfTheirScatter) {
  const double a = 0.6;
  for (const std::size_t replicas : {2, 4, 16}) {
    const std::size_t count = 200;
    double squares = 0;
    std::mt19937_64 random(8);
    for (unsigned seed = 0; seed < 2000; ++seed) {
      auto rows = correlated(count, replicas, a, 3000 + seed);
      for (std::size_t r = 0; r < replicas; ++r) {
        const double own = 10 * static_cast<double>(random() >> 11) * 0x1p-53;
        for (auto& row : rows) row[r] += own;
      }
      squares += std::pow(estimate_of(averages_of(rows)).error, 2) / 2000;
    }
    const double of_rows = 1.0 / 12 / static_cast<double>(count) / ((1 - a) * (1 - a));
    const double expected = (100.0 / 12 + of_rows) / static_cast<double>(replicas);
    EXPECT_NEAR(squares / expected, 1, 0.15) << replicas;
  }
}

TEST(TimeAverages, OfASingleRowOfOneReplicaHaveNoError) {
  EXPECT_TRUE(std::isnan(estimate_of(averages_of({{2.5}})).error));
  EXPECT_EQ(estimate_of(averages_of({{2.5}})).value, 2.5);
  EXPECT_TRUE(std::isnan(TimeAverages(2).mean()));
}

// x' = a x + noise: (1 + a) / (1 - a) / 2 rows.
TEST(Stationarity, HasTheAutocorrelationTime) {
  for (const std::size_t replicas : {1, 8})
    for (const std::size_t count : {900, 20000}) {  // row by row, and sums over rows
      double rows = 0;
      for (unsigned seed = 0; seed < 10; ++seed) {
        const auto found = averages_of(correlated(count, replicas, 0.8, seed)).stationarity();
        EXPECT_DOUBLE_EQ(found.autocorrelation_time, 2 * found.autocorrelation_rows);
        rows += found.autocorrelation_rows / 10;
      }
      EXPECT_NEAR(rows / 4.5, 1, 0.2) << replicas << " replicas, " << count << " rows";
    }
}

TEST(Stationarity, ErrorsAreThoseOfTheDifferenceOfTheHalves) {
  for (const std::size_t replicas : {1, 4}) {
    double squares = 0;
    for (unsigned seed = 0; seed < 200; ++seed) {
      auto rows = correlated(500, replicas, 0.8, seed);
      rows.erase(rows.begin(), rows.begin() + 100);
      const auto found = averages_of(rows).stationarity();
      squares += std::pow((found.second - found.first) / found.error, 2) / 200;
    }
    EXPECT_NEAR(std::sqrt(squares), 1, 0.25) << replicas;
  }
}

TEST(Stationarity, AVerdictIsThatOfTheWindow) {
  for (const std::size_t replicas : {1, 4})
    for (const std::size_t count : {400, 5000}) {
      auto rows = correlated(count + 100, replicas, 0.8, 1);
      rows.erase(rows.begin(), rows.begin() + 100);
      EXPECT_EQ(averages_of(rows).stationarity().verdict(), Verdict::stationary) << count;
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (double& value : rows[i]) value += 6 * static_cast<double>(i) / static_cast<double>(count);
      EXPECT_EQ(averages_of(rows).stationarity().verdict(), Verdict::drifting) << count;
    }
  EXPECT_EQ(averages_of({7, std::vector(3, 1.0)}).stationarity().verdict(), Verdict::too_short);
  EXPECT_EQ(averages_of({8, std::vector(3, 1.0)}).stationarity().verdict(), Verdict::too_short);
  EXPECT_EQ(averages_of({10, std::vector(3, 1.0)}).stationarity().verdict(), Verdict::stationary);
  // 40 rows are 4 autocorrelation times.
  auto rows = correlated(240, 16, 0.905, 2);
  rows.erase(rows.begin(), rows.begin() + 200);
  EXPECT_EQ(averages_of(rows).stationarity().verdict(), Verdict::too_short);
}

// Replicas that all keep a value near 1 for the whole window have not seen the mean 0 that symmetry gives.
TEST(Stationarity, OfAValueWithAKnownMeanIsNotThatOfAPartOfItsRange) {
  for (const std::size_t replicas : {1, 4})
    for (const std::size_t count : {400, 5000}) {
      auto rows = correlated(count + 100, replicas, 0.5, 4);
      rows.erase(rows.begin(), rows.begin() + 100);
      const auto free = averages_of(rows).stationarity();
      const auto about_mean = averages_of(rows).stationarity(0.4);
      EXPECT_NEAR(about_mean.autocorrelation_rows, free.autocorrelation_rows, 0.25 * free.autocorrelation_rows);
      EXPECT_EQ(about_mean.verdict(), Verdict::stationary);
      EXPECT_EQ(free.verdict(), Verdict::stationary);
      for (auto& row : rows)
        for (double& value : row) value += 2;
      EXPECT_EQ(averages_of(rows).stationarity(0.4).verdict(), Verdict::too_short);
    }
}

/// The same from the state long after its start on.
std::vector<std::vector<double>> stationary(std::size_t rows, std::size_t replicas, double a, unsigned seed) {
  auto all = correlated(rows + 200, replicas, a, seed);
  all.erase(all.begin(), all.begin() + 200);
  return all;
}

// Exact quantiles of the F distribution at 1 - 1/1000.
TEST(VarianceRatio, IsExceededOnceIn1000Times) {
  const double of_normal_numbers = 10.828;
  EXPECT_NEAR(largest_variance_ratio(1, 1e9) / of_normal_numbers, 1, 0.04);
  const std::vector<std::array<double, 3>> exact{{1, 4, 74.137},   {1, 30, 13.293},  {7, 16, 6.4604},
                                                 {7, 120, 3.7670}, {31, 62, 2.5169}, {199, 2000, 1.3616}};
  for (const auto& [numerator, denominator, ratio] : exact) {
    const double found = largest_variance_ratio(numerator, denominator);
    EXPECT_GT(found, 0.99 * ratio) << numerator << ", " << denominator;
    EXPECT_LT(found, (denominator < 10 ? 2 : 1.03) * ratio) << numerator << ", " << denominator;
  }
  EXPECT_EQ(largest_variance_ratio(7, 2), INFINITY);
}

// Also of 20 autocorrelation times and less. The seeds are fixed.
TEST(Stationarity, OfReplicasThatDifferByChanceIsNotThatTheyDiffer) {
  struct Window {
    std::size_t rows;
    double a;
  };
  const std::vector<Window> windows{{40, 0}, {40, 0.33}, {40, 0.6}, {200, 0.6}, {200, 0.82}, {200, 0.905}};
  for (const std::size_t replicas : {2, 4, 8, 24})
    for (const auto& [rows, a] : windows) {
      int alarms = 0;
      double ratio = 0, known = 0;
      for (unsigned seed = 0; seed < 300; ++seed) {
        const auto found = averages_of(stationary(rows, replicas, a, 7000 + seed)).stationarity();
        alarms += found.verdict() == Verdict::replicas_differ;
        if (std::isnan(found.replica_ratio)) continue;
        ratio += found.replica_ratio;
        ++known;
      }
      EXPECT_LE(alarms, 1) << replicas << " replicas, " << rows << " rows, " << a;
      if (known > 270) {
        EXPECT_NEAR(ratio / known, 1.3, 0.6) << replicas << " replicas, " << rows << " rows, " << a;
      }
    }
}

// Each replica fluctuates about a mean of its own. The averages scatter four or more times as much as errors permit.
TEST(Stationarity, OfTrappedReplicasIsThatTheyDiffer) {
  for (const std::size_t replicas : {2, 4, 8, 64})
    for (const std::size_t count : {400, 5000})  // row by row, and sums over rows
      for (const double errors : {8., 100., 1e5}) {
        auto rows = stationary(count, replicas, 0.6, 5);
        // Standard error of a mean of correlated values with noise of variance 1/12.
        const double apart = errors * std::sqrt(1.0 / 12 / static_cast<double>(count)) / (1 - 0.6);
        for (auto& row : rows)
          for (std::size_t r = 0; r < replicas; ++r) row[r] += r % 2 == 0 ? 0 : apart;
        const auto found = averages_of(rows).stationarity();
        EXPECT_EQ(found.verdict(), Verdict::replicas_differ) << replicas << ", " << count << ", " << errors;
        EXPECT_EQ(verdict_text(found.verdict()), std::string("replicas differ"));
        const double expected = errors * errors / 4 * static_cast<double>(replicas) / static_cast<double>(replicas - 1);
        EXPECT_NEAR(std::sqrt(found.replica_ratio / expected), 1, 0.35) << replicas << ", " << count << ", " << errors;
        EXPECT_EQ(averages_of(rows).stationarity(0.75).verdict(), Verdict::replicas_differ);
        for (std::size_t i = 0; i < rows.size(); ++i)  // what drifts is not stationary in any replica
          for (double& value : rows[i]) value += i < count / 2 ? 0 : 1e3 * apart;
        EXPECT_EQ(averages_of(rows).stationarity().verdict(), Verdict::drifting);
      }
}

TEST(Stationarity, OfReplicasThatDoNotChangeIsThatTheyDiffer) {
  EXPECT_EQ(averages_of({100, {0.1, 0.1, 0.3}}).stationarity().verdict(), Verdict::replicas_differ);
  EXPECT_NE(averages_of({100, {0.1, 0.1, 0.1}}).stationarity().verdict(), Verdict::replicas_differ);
  EXPECT_TRUE(std::isnan(averages_of(correlated(400, 1, 0.5, 1)).stationarity().replica_ratio));
}

/// MSER-5 by its definition: the number of rows to drop.
std::size_t plain_mser(const std::vector<std::vector<double>>& rows) {
  std::vector<double> batches;
  for (std::size_t first = 0; first + 5 <= rows.size(); first += 5) {
    batches.push_back(0);
    for (std::size_t i = first; i < first + 5; ++i)
      for (const double value : rows[i]) batches.back() += value;
  }
  std::size_t best = 0;
  double least = INFINITY;
  for (std::size_t drop = 0; 2 * drop <= batches.size(); ++drop) {
    double mean = 0, squares = 0;
    const auto count = static_cast<double>(batches.size() - drop);
    for (std::size_t b = drop; b < batches.size(); ++b) mean += batches[b] / count;
    for (std::size_t b = drop; b < batches.size(); ++b) squares += std::pow(batches[b] - mean, 2);
    if (squares / (count * count) >= least) continue;
    least = squares / (count * count);
    best = drop;
  }
  return 5 * best;
}

TEST(TimeAverages, SettleWhereTheErrorOfTheMeanIsLeast) {
  for (const std::size_t replicas : {1, 3})
    for (unsigned seed = 0; seed < 20; ++seed) {
      auto rows = correlated(403, replicas, 0.5, seed);
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (double& value : rows[i]) value += 5 * std::exp(-static_cast<double>(i) / 20);
      const std::size_t drop = plain_mser(rows);
      EXPECT_GE(drop, 20u);
      EXPECT_LE(drop, 200u);
      const auto averages = averages_of(rows);
      const double from = averages.settled_after(0);
      EXPECT_EQ(from, 2.0 * static_cast<double>(drop));
      rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(drop));
      const auto later = averages.after(from), expected = averages_of(rows);
      EXPECT_EQ(later.rows(), expected.rows());
      EXPECT_NEAR(estimate_of(later).value, estimate_of(expected).value, 1e-12);
      EXPECT_NEAR(estimate_of(later).error, estimate_of(expected).error, 1e-12);
    }
  EXPECT_EQ(averages_of({100, {1.0}}).settled_after(-1), -1);
  EXPECT_EQ(averages_of({3, {1.0}}).settled_after(0), 0);
}

// Of many rows the time is known to five of 1/512 to 1/1024 of the run.
TEST(TimeAverages, SettleInLongRunsAsWell) {
  auto rows = correlated(10000, 2, 0.5, 3);
  for (std::size_t i = 0; i < 2000; ++i)
    for (double& value : rows[i]) value += 3;
  const auto averages = averages_of(rows);
  const double from = averages.settled_after(0);
  EXPECT_GE(from, 2 * 2000);
  EXPECT_LE(from, 2 * 2500);
  const auto later = averages.after(from);
  EXPECT_EQ(later.rows(), 10000 - static_cast<std::uint64_t>(from / 2));
  rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(from / 2));
  EXPECT_NEAR(later.mean(), averages_of(rows).mean(), 1e-11);
}

TEST(TimeAverages, OfSumsOfSeriesAreThoseOfTheirRows) {
  const auto a = correlated(300, 2, 0.5, 4), b = correlated(300, 2, 0.9, 5);
  auto sum = a;
  for (std::size_t i = 0; i < sum.size(); ++i)
    for (std::size_t r = 0; r < 2; ++r) sum[i][r] = 3 * a[i][r] - 0.5 * b[i][r];
  const auto first = averages_of(a), second = averages_of(b);
  const auto found = TimeAverages::weighted({&first, &second}, {3, -0.5}).stationarity(),
             expected = averages_of(sum).stationarity();
  EXPECT_NEAR(found.second - found.first, expected.second - expected.first, 1e-12);
  EXPECT_NEAR(found.error, expected.error, 1e-12);
  EXPECT_NEAR(found.autocorrelation_rows, expected.autocorrelation_rows, 1e-9);
}

TEST(TimeAverages, OfASeriesThatDoesNotChangeHaveNoError) {
  for (const std::size_t replicas : {1, 3, 40})
    for (const std::size_t rows : {2, 5, 100})
      EXPECT_TRUE(std::isnan(estimate_of(averages_of({rows, std::vector(replicas, 0.1)})).error)) << rows;
}

}  // namespace
}  // namespace tessera::analysis
