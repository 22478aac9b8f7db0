// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <tessera/analysis/time_averages.hpp>
#include <vector>

#include "tests/analysis/plain_autocorrelation.hpp"

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

/// The same from the state long after its start on.
std::vector<std::vector<double>> stationary(std::size_t rows, std::size_t replicas, double a, unsigned seed) {
  auto all = correlated(rows + 200, replicas, a, seed);
  all.erase(all.begin(), all.begin() + 200);
  return all;
}

TimeAverages averages_of(const std::vector<std::vector<double>>& rows) {
  TimeAverages averages(rows.front().size());
  for (std::size_t i = 0; i < rows.size(); ++i) averages.add(2.0 * static_cast<double>(i + 1), rows[i]);
  return averages;
}

/// With the error that follows from the result of their stationarity test.
Estimate estimate_of(const TimeAverages& averages) { return averages.estimate(averages.stationarity()); }

TEST(TimeAverages, EqualPlainSums) {
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
    }
}

TEST(TimeAverages, HaveTheErrorOfTheGammaMethod) {
  for (const std::size_t replicas : {1, 3, 16})
    for (const std::size_t count : {40, 100, 1000}) {
      const auto rows = stationary(count, replicas, 0.7, 6);
      const testing::PlainAutocorrelation plain(rows);
      const TimeAverages averages = averages_of(rows);
      const Stationarity found = averages.stationarity();
      SCOPED_TRACE(std::to_string(replicas) + " replicas, " + std::to_string(count) + " rows");
      ASSERT_NE(found.result(), TestResult::replicas_differ);
      EXPECT_NEAR(averages.mean(), plain.mean, 1e-12);
      EXPECT_NEAR(averages.estimate(found).error, plain.error, 1e-9 * plain.error);
      EXPECT_NEAR(found.autocorrelation_rows, plain.rows, 1e-9 * plain.rows);
      EXPECT_NEAR(found.autocorrelation_rows_error, plain.rows_error, 1e-9 * plain.rows_error);
    }
}

/// Of windows of so many autocorrelation times, about 10 rows each: the root mean square of the errors over that of the
/// deviations, and how many of these are larger than two errors; all, and those that are called stationary.
struct Bars {
  double ratio[2] = {}, beyond[2] = {};
  int count[2] = {}, without = 0;

  Bars(std::size_t times, std::size_t replicas, int windows) {
    constexpr double a = 19.0 / 21, exact = 0.2 / (1 - a);
    double errors[2] = {}, deviations[2] = {};
    for (int i = 0; i < windows; ++i) {
      const TimeAverages averages = averages_of(stationary(10 * times, replicas, a, 9000 + static_cast<unsigned>(i)));
      const Stationarity judged = averages.stationarity();
      const auto [mean, error] = averages.estimate(judged);
      without += std::isnan(error);
      if (std::isnan(error)) continue;
      for (const int k : {0, 1}) {
        if (k == 1 && judged.result() != TestResult::stationary) continue;
        errors[k] += error * error;
        deviations[k] += (mean - exact) * (mean - exact);
        beyond[k] += std::abs(mean - exact) > 2 * error;
        ++count[k];
      }
    }
    for (const int k : {0, 1}) {
      ratio[k] = std::sqrt(errors[k] / deviations[k]);
      beyond[k] /= count[k];
    }
  }
};

// Of 400 windows the ratio is known to 4 %, of 100 to 7 %, and the fraction beyond two errors, 5 %, to 1.1 %. The seeds
// are fixed.
TEST(TimeAverages, HaveValidErrorsIfStationary) {
  double beyond = 0, all = 0;
  for (const auto& [times, replicas] : {std::pair{60, 1}, {100, 1}, {40, 4}, {40, 8}, {40, 32}}) {
    const int windows = replicas == 32 ? 100 : 400;
    const Bars found(static_cast<std::size_t>(times), static_cast<std::size_t>(replicas), windows);
    SCOPED_TRACE(std::to_string(times) + " times, " + std::to_string(replicas) + " replicas");
    EXPECT_GT(found.count[1], windows * 3 / 4);
    EXPECT_GT(found.ratio[1], 0.85);
    EXPECT_LT(found.ratio[1], 1.2);
    beyond += found.beyond[1] * found.count[1];
    all += found.count[1];
  }
  EXPECT_LT(beyond, 0.08 * all);
}

TEST(TimeAverages, OfShortWindowsAreMarkedAndHaveRoughErrors) {
  for (const std::size_t times : {5, 10, 20})
    for (const std::size_t replicas : {1, 4, 8, 32}) {
      const Bars found(times, replicas, 200);
      SCOPED_TRACE(std::to_string(times) + " times, " + std::to_string(replicas) + " replicas");
      EXPECT_LT(found.count[1], times == 20 ? 50 : 10);
      EXPECT_GT(found.ratio[0], 1 / 1.5);
      EXPECT_LT(found.ratio[0], 1.5);
    }
}

TEST(TimeAverages, OfFewerThanFiveAutocorrelationTimesNeedManyReplicasForAnError) {
  const auto wandering = [](std::size_t replicas) { return averages_of(stationary(200, replicas, 0.99, 3)); };
  EXPECT_TRUE(std::isnan(estimate_of(wandering(16)).error));
  EXPECT_EQ(wandering(16).stationarity().result(), TestResult::too_short);
  const auto many = wandering(40);
  EXPECT_DOUBLE_EQ(estimate_of(many).error, mean_of(many.means()).error);
}

// Sums over up to 2^5 rows are kept.
TEST(TimeAverages, OfManyRowsHaveTheErrorOfCorrelatedNoise) {
  for (const double a : {0.0, 0.8, 0.995}) {
    const auto rows = stationary(150000, 1, a, 11);
    const TimeAverages averages = averages_of(rows);
    const double error = std::sqrt(1.0 / 12 / static_cast<double>(rows.size())) / (1 - a);
    EXPECT_NEAR(estimate_of(averages).error / error, 1, 0.2) << a;
    EXPECT_NEAR(averages.stationarity().autocorrelation_rows / ((1 + a) / (1 - a) / 2), 1, 0.25) << a;
  }
}

TEST(TimeAverages, OfRoundingErrorsHaveNoError) {
  auto rows = correlated(200, 2, 0, 1);
  auto same = rows;
  for (auto& row : same)
    for (double& value : row) value = value * (1 + 1e-16) + 1e-16;
  const auto first = averages_of(rows), second = averages_of(same);
  const auto difference = TimeAverages::weighted({&first, &second}, {1, -1});
  EXPECT_TRUE(difference.is_rounding(difference.mean()));
  EXPECT_TRUE(std::isnan(estimate_of(difference).error));
  EXPECT_FALSE(first.is_rounding(first.mean()));
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
TEST(Stationarity, GivesTheAutocorrelationTime) {
  for (const std::size_t replicas : {1, 8})
    for (const std::size_t count : {900, 20000}) {  // row by row, and sums over rows
      double rows = 0;
      for (unsigned seed = 0; seed < 10; ++seed) {
        const auto found = averages_of(correlated(count, replicas, 0.8, seed)).stationarity();
        EXPECT_DOUBLE_EQ(found.autocorrelation_time(), 2 * found.autocorrelation_rows);
        rows += found.autocorrelation_rows / 10;
      }
      EXPECT_NEAR(rows / 4.5, 1, 0.2) << replicas << " replicas, " << count << " rows";
    }
}

TEST(Stationarity, ErrorIsThatOfTheDifferenceOfTheHalves) {
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

TEST(Stationarity, DistinguishesStationaryDriftingAndShortSeries) {
  for (const std::size_t replicas : {1, 4})
    for (const std::size_t count : {400, 5000}) {
      auto rows = correlated(count + 100, replicas, 0.8, 1);
      rows.erase(rows.begin(), rows.begin() + 100);
      EXPECT_EQ(averages_of(rows).stationarity().result(), TestResult::stationary) << count;
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (double& value : rows[i]) value += 6 * static_cast<double>(i) / static_cast<double>(count);
      EXPECT_EQ(averages_of(rows).stationarity().result(), TestResult::drifting) << count;
    }
  EXPECT_EQ(averages_of({7, std::vector(3, 1.0)}).stationarity().result(), TestResult::too_short);
  EXPECT_EQ(averages_of({8, std::vector(3, 1.0)}).stationarity().result(), TestResult::too_short);
  EXPECT_EQ(averages_of({10, std::vector(3, 1.0)}).stationarity().result(), TestResult::stationary);
  // 40 rows are 4 autocorrelation times.
  auto rows = correlated(240, 16, 0.905, 2);
  rows.erase(rows.begin(), rows.begin() + 200);
  EXPECT_EQ(averages_of(rows).stationarity().result(), TestResult::too_short);
}

// Replicas that all keep a value near 1 for the whole window have not seen the mean 0 that symmetry gives.
TEST(Stationarity, NoticesThatAValueStaysFarFromItsKnownMean) {
  for (const std::size_t replicas : {1, 4})
    for (const std::size_t count : {400, 5000}) {
      auto rows = correlated(count + 100, replicas, 0.5, 4);
      rows.erase(rows.begin(), rows.begin() + 100);
      const auto free = averages_of(rows).stationarity();
      const auto about_mean = averages_of(rows).stationarity(0.4);
      EXPECT_NEAR(about_mean.autocorrelation_rows, free.autocorrelation_rows, 0.25 * free.autocorrelation_rows);
      EXPECT_EQ(about_mean.result(), TestResult::stationary);
      EXPECT_EQ(free.result(), TestResult::stationary);
      for (auto& row : rows)
        for (double& value : row) value += 2;
      EXPECT_EQ(averages_of(rows).stationarity(0.4).result(), TestResult::too_short);
    }
}

// Exact quantiles of the F distribution at 1 - 1/1000.
TEST(RatioOfVariances, HasTheProbabilityOfTheFDistribution) {
  EXPECT_NEAR(probability_of_ratio(10.828, 1, 1e9), 1e-3, 3e-4);  // of the squares of normal numbers
  EXPECT_NEAR(probability_of_ratio(1, 50, 50), 0.5, 0.01);
  const std::vector<std::array<double, 3>> exact{
      {1, 30, 13.293}, {7, 16, 6.4604}, {7, 120, 3.7670}, {31, 62, 2.5169}, {199, 2000, 1.3616}};
  for (const auto& [numerator, denominator, ratio] : exact)
    EXPECT_NEAR(probability_of_ratio(ratio, numerator, denominator), 1e-3, 1e-4) << numerator << ", " << denominator;
  EXPECT_GT(probability_of_ratio(74.137, 1, 4), 1e-3);
  EXPECT_GT(probability_of_ratio(INFINITY, 7, 2), 1e-3);
  EXPECT_LT(probability_of_ratio(INFINITY, 2, INFINITY), 1e-6);  // replicas that do not change
}

// Also of 20 autocorrelation times and less. The seeds are fixed.
TEST(Stationarity, AcceptsReplicasThatDifferByChance) {
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
        alarms += found.result() == TestResult::replicas_differ;
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
TEST(Stationarity, ReportsTrappedReplicas) {
  for (const std::size_t replicas : {2, 4, 8, 64})
    for (const std::size_t count : {400, 5000})  // row by row, and sums over rows
      for (const double errors : {12., 100., 1e5}) {
        auto rows = stationary(count, replicas, 0.6, 5);
        // Standard error of a mean of correlated values with noise of variance 1/12.
        const double apart = errors * std::sqrt(1.0 / 12 / static_cast<double>(count)) / (1 - 0.6);
        for (auto& row : rows)
          for (std::size_t r = 0; r < replicas; ++r) row[r] += r % 2 == 0 ? 0 : apart;
        const auto found = averages_of(rows).stationarity();
        EXPECT_EQ(found.result(), TestResult::replicas_differ) << replicas << ", " << count << ", " << errors;
        EXPECT_EQ(result_text(found.result()), std::string("replicas differ"));
        const double expected = errors * errors / 4 * static_cast<double>(replicas) / static_cast<double>(replicas - 1);
        EXPECT_NEAR(std::sqrt(found.replica_ratio / expected), 1, 0.35) << replicas << ", " << count << ", " << errors;
        EXPECT_EQ(averages_of(rows).stationarity(0.75).result(), TestResult::replicas_differ);
        for (std::size_t i = 0; i < rows.size(); ++i)  // what drifts is not stationary in any replica
          for (double& value : rows[i]) value += i < count / 2 ? 0 : 1e3 * apart;
        EXPECT_EQ(averages_of(rows).stationarity().result(), TestResult::drifting);
      }
}

TEST(Stationarity, ReportsConstantReplicasThatDiffer) {
  EXPECT_EQ(averages_of({100, {0.1, 0.1, 0.3}}).stationarity().result(), TestResult::replicas_differ);
  EXPECT_NE(averages_of({100, {0.1, 0.1, 0.1}}).stationarity().result(), TestResult::replicas_differ);
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

TEST(TimeAverages, ChooseTheStartWithTheSmallestErrorOfTheMean) {
  for (const std::size_t replicas : {1, 3})
    for (unsigned seed = 0; seed < 20; ++seed) {
      auto rows = correlated(403, replicas, 0.5, seed);
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (double& value : rows[i]) value += 5 * std::exp(-static_cast<double>(i) / 20);
      const std::size_t drop = plain_mser(rows);
      EXPECT_GE(drop, 20u);
      EXPECT_LE(drop, 200u);
      const auto averages = averages_of(rows);
      const double from = averages.settled_after(0).after;
      EXPECT_EQ(from, 2.0 * static_cast<double>(drop));
      rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(drop));
      const auto later = averages.after(from), expected = averages_of(rows);
      EXPECT_EQ(later.rows(), expected.rows());
      EXPECT_NEAR(estimate_of(later).value, estimate_of(expected).value, 1e-12);
      EXPECT_NEAR(estimate_of(later).error, estimate_of(expected).error, 1e-12);
    }
  EXPECT_EQ(averages_of({100, {1.0}}).settled_after(-1).after, -1);
  EXPECT_EQ(averages_of({3, {1.0}}).settled_after(0).after, 0);
}

// The rule would leave out more of what drifts.
TEST(TimeAverages, ChooseTheLatestStartForADriftingSeries) {
  for (const std::size_t count : {40, 400}) {
    auto rows = correlated(count, 2, 0.5, 3);
    EXPECT_FALSE(averages_of(stationary(count, 2, 0.5, 3)).settled_after(0).at_bound);
    for (std::size_t i = 0; i < count; ++i)
      for (double& value : rows[i]) value += 30 * static_cast<double>(i) / static_cast<double>(count);
    EXPECT_TRUE(averages_of(rows).settled_after(0).at_bound);
  }
}

TEST(TimeAverages, OfAChosenWindowEqualThoseOfTheSameGivenWindow) {
  auto rows = std::vector(60, std::vector{0.3682, 0.11, 1 / 3.0});
  rows.insert(rows.begin(), 20, {1.7, 2.3, 0.4});
  const auto chosen = averages_of(rows).after(40);
  rows.erase(rows.begin(), rows.begin() + 20);
  const auto by_hand = averages_of(rows);
  EXPECT_EQ(by_hand.stationarity().result(), TestResult::replicas_differ);
  EXPECT_EQ(chosen.stationarity().result(), TestResult::replicas_differ);
  EXPECT_NEAR(estimate_of(chosen).error, estimate_of(by_hand).error, 1e-12);
  // Replicas that are equal within rounding do not differ.
  auto equal = std::vector(60, std::vector(3, 0.3682));
  equal.insert(equal.begin(), 20, {1.7, 2.3, 0.4});
  EXPECT_EQ(averages_of(equal).after(40).stationarity().result(), TestResult::stationary);
  EXPECT_TRUE(std::isnan(estimate_of(averages_of(equal).after(40)).error));
}

// Of many rows the time is known to five of 1/512 to 1/1024 of the run.
TEST(TimeAverages, ChooseTheStartOfLongRuns) {
  auto rows = correlated(10000, 2, 0.5, 3);
  for (std::size_t i = 0; i < 2000; ++i)
    for (double& value : rows[i]) value += 3;
  const auto averages = averages_of(rows);
  const double from = averages.settled_after(0).after;
  EXPECT_GE(from, 2 * 2000);
  EXPECT_LE(from, 2 * 2500);
  const auto later = averages.after(from);
  EXPECT_EQ(later.rows(), 10000 - static_cast<std::uint64_t>(from / 2));
  rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(from / 2));
  EXPECT_NEAR(later.mean(), averages_of(rows).mean(), 1e-11);
}

TEST(TimeAverages, OfSumsOfSeriesEqualThoseOfSummedRows) {
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

TEST(TimeAverages, OfAConstantSeriesHaveNoError) {
  for (const std::size_t replicas : {1, 3, 40})
    for (const std::size_t rows : {2, 5, 100})
      EXPECT_TRUE(std::isnan(estimate_of(averages_of({rows, std::vector(replicas, 0.1)})).error)) << rows;
}

}  // namespace
}  // namespace tessera::analysis
