// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <random>
#include <string>
#include <tessera/analysis/time_averages.hpp>
#include <tuple>
#include <vector>

namespace tessera::analysis {
namespace {

using Rows = std::vector<std::vector<double>>;  // [rows][replicas]

/// Sum of a slow part with the variance `part`, autocorrelation time `tau` rows, and of white noise: variance 1.
Rows correlated(std::size_t rows, std::size_t replicas, double tau, unsigned seed, double part = 1) {
  std::mt19937_64 random(seed);
  const auto noise = [&] {
    double sum = -6;
    for (int i = 0; i < 6; ++i, sum += static_cast<double>(random() >> 32) * 0x1p-32)
      sum += static_cast<double>(random() >> 32) * 0x1p-32;
    return sum;  // about normal
  };
  const double kept = (2 * tau - 1) / (2 * tau + 1), others = std::sqrt(1 - part);
  Rows all;
  std::vector<double> x(replicas), row(replicas);
  for (double& one : x) one = noise();
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t r = 0; r < replicas; ++r) {
      x[r] = kept * x[r] + std::sqrt(1 - kept * kept) * noise();
      row[r] = std::sqrt(part) * x[r] + (others > 0 ? others * noise() : 0);
    }
    all.push_back(row);
  }
  return all;
}

TimeAverages averages_of(const Rows& rows) {
  TimeAverages averages(rows.front().size());
  for (std::size_t i = 0; i < rows.size(); ++i) averages.add(2.0 * static_cast<double>(i + 1), rows[i]);
  return averages;
}

TestedMean tested(const Rows& rows, double part = 0) {
  TestedMean found = tested_mean(averages_of(rows).last_part(part), "x");
  found.judge(0, "");
  return found;
}

TEST(TimeAverages, EqualPlainSums) {
  for (const std::size_t replicas : {1, 2, 7, 50})
    for (const std::size_t count : {1, 2, 31, 1000, 5000, 10001}) {
      SCOPED_TRACE(std::to_string(replicas) + " replicas, " + std::to_string(count) + " rows");
      const auto rows = correlated(count, replicas, 2, 5);
      const auto averages = averages_of(rows);
      EXPECT_EQ(averages.rows(), count);
      const Window all = averages.last_part(0), some = averages.last_part(0.25);
      ASSERT_EQ(all.means.size(), replicas);
      for (std::size_t r = 0; r < replicas; ++r) {
        double sum = 0, later = 0;
        for (const auto& row : rows) sum += row[r];
        for (std::size_t i = count - some.rows; i < count; ++i) later += rows[i][r];
        EXPECT_NEAR(all.means[r], sum / static_cast<double>(count), 1e-12);
        if (some.rows > 0) {
          EXPECT_NEAR(some.means[r], later / static_cast<double>(some.rows), 1e-12);
        }
      }
      EXPECT_EQ(some.begin, 2.0 * static_cast<double>(count - some.rows));
      if (count > 4) {
        EXPECT_NEAR(static_cast<double>(some.rows) / static_cast<double>(count), 0.75, 0.03);
      }
    }
}

/// Errors against deviations from the mean 0, of windows of so many autocorrelation times.
struct Bars {
  double ratio, within, bias, passing, without;

  Bars(double times, double tau, std::size_t replicas, double part, int windows) {
    double errors = 0, squares = 0, inside = 0, sum = 0, known = 0, passed = 0;
    for (int i = 0; i < windows; ++i) {
      const auto found = tested(
          correlated(static_cast<std::size_t>(times * tau), replicas, tau, 9000 + static_cast<unsigned>(i), part));
      passed += found.tested.result == TestResult::stationary;
      if (std::isnan(found.error)) continue;
      ++known;
      errors += found.error * found.error;
      squares += found.value * found.value;
      sum += found.value;
      inside += std::abs(found.value) <= 2 * found.error;
    }
    ratio = std::sqrt(errors / squares);
    within = inside / known;
    bias = sum / known / std::sqrt(squares / known);
    passing = passed / windows;
    without = 1 - known / windows;
  }
};

struct Case {
  double times, tau;
  std::size_t replicas;
  double part;
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.times << " times of " << c.tau << " rows, " << c.replicas << " replicas, slow part " << c.part;
}

class ErrorsOf : public ::testing::TestWithParam<Case> {};

// Of 400 windows the ratio is known to 4 %, the fraction within two errors to 1.1 %, the bias to .05. Fixed seeds.
class LongWindows : public ErrorsOf {};
INSTANTIATE_TEST_SUITE_P(Series, LongWindows,
                         ::testing::Values(Case{60, 10, 1, 1}, Case{200, 3, 1, 1}, Case{60, 10, 1, 0.2},
                                           Case{60, 10, 4, 1}, Case{60, 10, 4, 0.1}, Case{60, 5, 32, 1},
                                           Case{400, 0.5, 1, 1}, Case{400, 0.5, 4, 1}));
TEST_P(LongWindows, HaveValidErrors) {
  const Case c = GetParam();
  const Bars found(c.times, c.tau, c.replicas, c.part, 400);
  EXPECT_GT(found.ratio, 0.85);
  EXPECT_LT(found.ratio, 1.25);
  EXPECT_GT(found.within, 0.9);
  EXPECT_LT(found.within, 0.985);
  EXPECT_LT(std::abs(found.bias), 0.2);
  EXPECT_GT(found.passing, 0.9);
}

class ShortWindows : public ErrorsOf {};
INSTANTIATE_TEST_SUITE_P(Series, ShortWindows,
                         ::testing::Values(Case{5, 60, 1, 1}, Case{10, 30, 1, 1}, Case{5, 30, 4, 1}, Case{5, 30, 8, 1},
                                           Case{10, 100, 1, 0.9}));
TEST_P(ShortWindows, HaveNoError) {
  const Case c = GetParam();
  const Bars found(c.times, c.tau, c.replicas, c.part, 200);
  EXPECT_GT(found.without, 0.9);
  EXPECT_LT(found.passing, 0.05);
}

TEST(TimeAverages, OfManyReplicasHaveErrorsInShortWindows) {
  const Bars found(5, 8, 32, 1, 200);
  EXPECT_EQ(found.without, 0);
  EXPECT_LT(found.passing, 0.05);
  EXPECT_NEAR(found.ratio, 1, 0.25);
}

// Of a series that other averages make too short, such as slow modes.
TEST(TimeAverages, AreTooShortForTheSlowestMode) {
  for (const std::size_t replicas : {1, 4, 8, 9}) {
    auto found = tested_mean(averages_of(correlated(400, replicas, 0.5, 3)).last_part(0), "x");
    found.judge(0, "");
    EXPECT_EQ(found.tested.result, TestResult::stationary);
    EXPECT_GT(found.error, 0);
    found.judge(3, "mode");
    EXPECT_EQ(found.tested.result, TestResult::too_short);
    EXPECT_EQ(found.tested.slow, "mode");
    EXPECT_EQ(found.tested.longer, 3);
    EXPECT_EQ(std::isnan(found.error), replicas < 9);
  }
  const auto slow = correlated(300, 1, 30, 1), other = correlated(300, 1, 30, 2);
  const auto one = averages_of(slow).last_part(0), two = averages_of(other).last_part(0);
  const double alone = missing_length({{one.bins}}), both = missing_length({{one.bins, two.bins}});
  EXPECT_GT(alone, 1);
  EXPECT_GT(both, 1);
  EXPECT_LT(missing_length({{one.bins, two.bins}, 1, 2}), both);
  EXPECT_EQ(missing_length({{averages_of(correlated(100, 1, 1, 1)).last_part(0).bins}}), 1.6);  // 160 rows
}

TEST(TimeAverages, ReportDriftsAndReplicasThatDiffer) {
  for (const std::size_t replicas : {1, 4, 64})
    for (const std::size_t count : {400, 10000}) {
      auto rows = correlated(count, replicas, 1, 1);
      EXPECT_EQ(tested(rows).tested.result, TestResult::stationary);
      if (replicas > 1) {
        auto apart = rows;
        for (auto& row : apart)
          for (std::size_t r = 0; r < replicas; ++r) row[r] += r % 2 == 0 ? 0 : 0.5;
        const auto found = tested(apart);
        EXPECT_EQ(found.tested.result, TestResult::replicas_differ);
        EXPECT_NEAR(found.error / (0.25 / std::sqrt(static_cast<double>(replicas - 1))) /
                        student(1, static_cast<double>(replicas) - 1),
                    1, 0.2);
      }
      const double drift = replicas == 1 ? 30 : 3;  // a weaker one of a single replica widens its error
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (double& value : rows[i]) value += drift * static_cast<double>(i) / static_cast<double>(count);
      const auto found = tested(rows);
      EXPECT_EQ(found.tested.result, TestResult::drifting);
      EXPECT_NEAR((found.tested.second - found.tested.first) / drift, 0.75 - 0.125, 0.1);
      EXPECT_TRUE(replicas > 8 || std::isnan(found.error));
    }
  EXPECT_EQ(result_text(TestResult::replicas_differ), std::string("replicas differ"));
}

TEST(TimeAverages, AcceptReplicasThatDifferByChance) {
  int alarms = 0, drifts = 0;
  for (const std::size_t replicas : {2, 8, 24})
    for (const double tau : {0.5, 2.0, 5.0})
      for (unsigned seed = 0; seed < 100; ++seed) {
        const auto found = tested(correlated(200, replicas, tau, 7000 + seed));
        alarms += found.tested.result == TestResult::replicas_differ;
        drifts += found.tested.result == TestResult::drifting;
      }
  EXPECT_LE(alarms, 6);   // of 900
  EXPECT_LE(drifts, 27);  // 98 % or more pass
}

TEST(TimeAverages, OfConstantsAndRoundingErrorsHaveNoError) {
  for (const std::size_t replicas : {1, 3, 40})
    for (const std::size_t rows : {2, 5, 200})
      EXPECT_TRUE(std::isnan(tested({rows, std::vector(replicas, 0.1)}).error)) << rows;
  EXPECT_TRUE(std::isnan(tested({{2.5}}).error));
  EXPECT_EQ(tested({{2.5}}).value, 2.5);
  EXPECT_EQ(tested({200, {0.1, 0.1, 0.3}}).tested.result, TestResult::replicas_differ);
  auto rows = correlated(200, 2, 0.5, 1), same = rows;
  for (auto& row : same)
    for (double& value : row) value = value * (1 + 1e-16) + 1e-16;
  const auto first = averages_of(rows).last_part(0), second = averages_of(same).last_part(0);
  const FunctionOfMeans difference{"d", "", {}, [](std::span<const double> m) { return m[0] - m[1]; }};
  const auto found = tested_mean(difference, {&first, &second});
  EXPECT_EQ(found.value, 0);
  EXPECT_TRUE(std::isnan(found.error));
}

// <x^2> - <x>^2 = 1, biased by 2 tau / T = 1/30 without the jackknife.
TEST(TimeAverages, OfFunctionsHaveNoBias) {
  const FunctionOfMeans variance{"v", "", {}, [](std::span<const double> m) { return m[1] - m[0] * m[0]; }};
  double sum = 0, squares = 0, errors = 0;
  constexpr int windows = 400;
  for (unsigned seed = 0; seed < windows; ++seed) {
    const auto rows = correlated(600, 1, 10, seed);
    auto powers = rows;
    for (auto& row : powers) row[0] *= row[0];
    const auto x = averages_of(rows).last_part(0), x_2 = averages_of(powers).last_part(0);
    const auto found = tested_mean(variance, {&x, &x_2});
    sum += found.value - 1;
    squares += std::pow(found.value - 1, 2);
    errors += found.error * found.error;
  }
  EXPECT_LT(std::abs(sum / windows), 0.2 * std::sqrt(squares / windows));
  EXPECT_NEAR(std::sqrt(errors / squares), 1.05, 0.2);
}

// Increments are averaged as counts over time, whatever the interval, here with an odd one at the end.
TEST(TimeAverages, OfCountersAreExactRatesWhateverTheInterval) {
  std::mt19937_64 random(3);
  double count = 5;
  std::vector<double> counts;
  for (int i = 0; i < 4000; ++i) counts.push_back(count += static_cast<double>(random() >> 62));
  std::vector<double> errors;
  for (const int interval : {1, 4}) {
    TimeAverages averages(1, 2, 7);
    double before = 5;
    for (int i = interval; i <= 4000; i += interval) {
      averages.add(7 + i, std::array{counts[static_cast<std::size_t>(i) - 1] - before});
      before = counts[static_cast<std::size_t>(i) - 1];
    }
    averages.add(4007.001, std::array{1.0});
    const auto found = tested_mean(averages.last_part(0), "rate");
    EXPECT_NEAR(found.value, (counts.back() + 1 - 5) / 4000.001 / 2, 1e-12);
    errors.push_back(found.error);
  }
  EXPECT_NEAR(errors[1] / errors[0], 1, 0.05);
}

/// The error of a rate over the deviations from 0, and how often it drifts: of a count that is a random walk, or that
/// of a value with the autocorrelation time 1/2 or 20 rows, which does not go far.
struct RateBars {
  double errors = 0, squares = 0, passing = 0;

  RateBars(double tau, std::size_t rows, std::size_t replicas) {
    constexpr unsigned windows = 300;
    for (unsigned seed = 0; seed < windows; ++seed) {
      const auto count = correlated(rows + 1, replicas, std::max(tau, 0.5), seed);
      TimeAverages averages(replicas, 1, 0);
      std::vector<double> growth(replicas);
      for (std::size_t i = 1; i <= rows; ++i) {
        for (std::size_t r = 0; r < replicas; ++r) growth[r] = count[i][r] - (tau > 0 ? count[i - 1][r] : 0);
        averages.add(static_cast<double>(i), growth);
      }
      auto found = tested_mean(averages.last_part(0), "rate");
      found.judge(0, "");
      errors += found.error * found.error;
      squares += found.value * found.value;
      passing += found.tested.result == TestResult::stationary ? 1.0 / windows : 0;
    }
  }
};

// Of 300 windows the ratio is known to 4 %.
TEST(TimeAverages, OfCountersHaveValidErrors) {
  for (const auto& [tau, rows, replicas] :
       {std::tuple{0.0, 1000, 1}, {0.5, 500, 1}, {2.0, 4000, 4}, {20.0, 20000, 1}}) {
    const RateBars found(tau, static_cast<std::size_t>(rows), static_cast<std::size_t>(replicas));
    EXPECT_NEAR(std::sqrt(found.errors / found.squares), 1.07, 0.2) << tau << ", " << rows << ", " << replicas;
    EXPECT_GT(found.passing, 0.93) << tau << ", " << rows << ", " << replicas;
  }
}

// Exact quantiles of the F distribution at 1 - 1/1000, and of Student's.
TEST(RatioOfVariances, HasTheProbabilityOfTheFDistribution) {
  EXPECT_NEAR(probability_of_ratio(10.828, 1, 1e9), 1e-3, 3e-4);  // of the squares of normal numbers
  EXPECT_NEAR(probability_of_ratio(1, 50, 50), 0.5, 0.01);
  const std::vector<std::array<double, 3>> exact{
      {1, 30, 13.293}, {7, 16, 6.4604}, {7, 120, 3.7670}, {31, 62, 2.5169}, {199, 2000, 1.3616}};
  for (const auto& [numerator, denominator, ratio] : exact)
    EXPECT_NEAR(probability_of_ratio(ratio, numerator, denominator), 1e-3, 1e-4) << numerator << ", " << denominator;
  EXPECT_GT(probability_of_ratio(INFINITY, 7, 2), 1e-3);
  EXPECT_LT(probability_of_ratio(INFINITY, 2, INFINITY), 1e-6);  // replicas that do not change
  EXPECT_NEAR(student(1, 8), 1.0665, 1e-3);
  EXPECT_NEAR(student(1.959964, 8), 2.306, 0.01);
  EXPECT_NEAR(student(1, 1), 1.837, 0.05);
}

}  // namespace
}  // namespace tessera::analysis
