// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <tessera/analysis/block_averages.hpp>
#include <tessera/analysis/block_sums.hpp>
#include <tessera/analysis/contact_value.hpp>
#include <tessera/analysis/estimate.hpp>
#include <tessera/disks/impl/metropolis.hpp>
#include <vector>

namespace tessera::analysis {
namespace {

// What is a polynomial of that degree is extrapolated exactly.
TEST(ExtrapolationWeights, AreExactForPolynomials) {
  std::vector<double> at;
  for (int i = 0; i < 50; ++i) at.push_back(0.001 * (i + 0.5));
  for (int degree = 0; degree <= 5; ++degree) {
    const auto weights = extrapolation_weights(at, degree);
    for (int power = 0; power <= degree; ++power) {
      double sum = 0;
      for (std::size_t i = 0; i < at.size(); ++i) sum += weights[i] * (3 + std::pow(at[i] / 0.05, power));
      EXPECT_NEAR(sum, power == 0 ? 4 : 3, 1e-9) << "degree " << degree << ", power " << power;
    }
  }
}

// And it is the least-squares fit: of a straight line, the textbook's intercept.
TEST(ExtrapolationWeights, AreThoseOfLeastSquares) {
  const std::vector<double> at{1, 2, 4, 7}, values{3, 1, 4, 1};
  double x = 0, y = 0, xx = 0, xy = 0, sum = 0;
  const auto weights = extrapolation_weights(at, 1);
  for (std::size_t i = 0; i < 4; ++i) {
    x += at[i];
    y += values[i];
    xx += at[i] * at[i];
    xy += at[i] * values[i];
    sum += weights[i] * values[i];
  }
  EXPECT_NEAR(sum, (y * xx - x * xy) / (4 * xx - x * x), 1e-12);
}

/// The paper's model: n(r) = 30 exp(-30 (r - sigma)) pairs per unit length, exactly in each bin, of one pair in all.
std::vector<double> model_histogram() {
  std::vector<double> pairs;
  for (int i = 0; i < ContactValue::bins; ++i)
    pairs.push_back(std::exp(-30 * i * ContactValue::bin_width) - std::exp(-30 * (i + 1) * ContactValue::bin_width));
  return pairs;
}

// The paper's section 4: parameters with a systematic error below 1e-5.
TEST(ContactValue, HasNoBiasOnTheModelDistribution) {
  const ContactValue contact;
  const auto pairs = model_histogram();
  const double measured = contact.at_contact(std::span<const double>(pairs), 2, 1);  // 2 pairs / (N rho) = n
  EXPECT_NEAR(measured / (30 / (2 * std::numbers::pi)), 1, 1e-5);
}

// Random samples of the model: the mean over many of them is the exact value; its own error bar tells how well that is
// known, 4 standard errors have a false-alarm rate of 6e-5 for a new seed.
TEST(ContactValue, IsUnbiasedOverSamples) {
  const ContactValue contact;
  disks::Xoshiro random(3);
  BlockAverages averages;
  for (int sample = 0; sample < 2000; ++sample) {
    std::vector<std::uint64_t> pairs(ContactValue::bins, 0);
    for (int i = 0; i < 500; ++i) {
      const double beyond = -std::log1p(-random.uniform()) / 30;
      const auto bin = static_cast<std::size_t>(beyond / ContactValue::bin_width);
      if (bin < pairs.size()) ++pairs[bin];
    }
    averages.add(contact.at_contact(std::span<const std::uint64_t>(pairs), 1000, 1));
  }
  EXPECT_NEAR(averages.mean(), 30 / (2 * std::numbers::pi), 4 * averages.error());
  EXPECT_LT(averages.error(), 0.05);
}

TEST(ContactValue, SamplingPointsAreThoseOfEquation6) {
  for (const int i : {0, 100, 199}) {
    const double r0 = 1 + i * 1e-4, r1 = r0 + 1e-4;
    // The mean of r over the bin with weight r.
    double moment = 0, norm = 0;
    for (int k = 0; k < 1000; ++k) {
      const double r = r0 + (r1 - r0) * (k + 0.5) / 1000;
      moment += r * r;
      norm += r;
    }
    EXPECT_NEAR(ContactValue::sampling_point(i), moment / norm, 1e-12);
  }
}

TEST(ContactValue, PressureIsEquation4) {
  // Ideal gas, and Z = 1 + 2 eta g.
  EXPECT_EQ(ContactValue::pressure(0, 0.3), 0.3);
  const double eta = 0.6, density = 4 * eta / std::numbers::pi;
  EXPECT_NEAR(ContactValue::pressure(5, density) / density, 1 + 2 * eta * 5, 1e-12);
}

/// A series with exponentially decaying correlations: x' = a x + noise, variance 1, integrated time (1 + a) / (1 - a) /
/// 2.
BlockAverages correlated(double a, int length, std::uint64_t seed) {
  disks::Xoshiro random(seed);
  BlockAverages averages;
  double x = 0;
  for (int i = 0; i < length; ++i) {
    double noise = -6;
    for (int k = 0; k < 12; ++k) noise += random.uniform();
    x = a * x + std::sqrt(1 - a * a) * noise;
    averages.add(x);
  }
  return averages;
}

TEST(BlockAverages, ErrorAndTimeOfACorrelatedSeries) {
  for (const double a : {0.0, 0.5, 0.95}) {
    const double time = (1 + a) / (1 - a) / 2;
    double error = 0, measured_time = 0, chi_square = 0;
    constexpr int series = 40, length = 20'000;
    for (std::uint64_t seed = 0; seed < series; ++seed) {
      const BlockAverages averages = correlated(a, length, seed + 1);
      EXPECT_EQ(averages.count(), static_cast<std::uint64_t>(length));
      error += averages.error() / series;
      measured_time += averages.autocorrelation_time() / series;
      chi_square += std::pow(averages.mean() / averages.error(), 2) / series;
    }
    const double expected = std::sqrt(2 * time / length);
    EXPECT_NEAR(error / expected, 1, 0.1) << a;                    // 13 % each, 2 % for 40 of them
    EXPECT_NEAR(measured_time / time, 1, 0.2) << a;                // 26 % each, 4 %
    EXPECT_NEAR(chi_square, 1, 5 * std::sqrt(2.0 / series)) << a;  // the means are as far off as the errors say
  }
}

TEST(BlockAverages, GoOnFromTheirNumbers) {
  BlockAverages whole, part;
  for (int i = 0; i < 1000; ++i) whole.add(std::sin(i * i));
  for (int i = 0; i < 333; ++i) part.add(std::sin(i * i));
  const auto numbers = part.numbers();
  EXPECT_EQ(numbers.size(), BlockAverages::size);
  BlockAverages rest = BlockAverages::from_numbers(numbers.data());
  for (int i = 333; i < 1000; ++i) rest.add(std::sin(i * i));
  EXPECT_EQ(rest.numbers(), whole.numbers());
  EXPECT_EQ(rest.error(), whole.error());
}

TEST(BlockAverages, WithoutValuesAreNotANumber) {
  BlockAverages none;
  EXPECT_TRUE(std::isnan(none.mean()));
  none.add(3);
  EXPECT_EQ(none.mean(), 3);
  EXPECT_TRUE(std::isnan(none.error()));
}

// Blocks of a single run have the lengths, and the errors, of the blocks of a number.
TEST(BlockSums, HaveTheErrorsOfBlockAverages) {
  disks::Xoshiro random(5);
  BlockSums sums(2, true), total(2, false);
  BlockAverages averages;
  double x = 0;
  for (int i = 1; i <= 5000; ++i) {
    x = 0.9 * x + random.uniform();
    const std::vector<double> sample{x, 1};
    sums.add(sample);
    total.add(sample);
    averages.add(x);
    if (i != 31 && i != 32 && i != 63 && i != 64 && i != 65 && i != 1000 && i != 5000) continue;
    EXPECT_EQ(sums.total()[1], i);
    EXPECT_EQ(sums.total()[0], total.total()[0]);
    EXPECT_EQ(sums.sums().size(), 2 * BlockSums::rows(sums.samples(), true));
    std::vector<double> means;
    for (std::size_t b = 0; b < sums.complete_blocks(); ++b) {
      EXPECT_EQ(sums.block(b)[1], static_cast<double>(sums.length()));
      means.push_back(sums.block(b)[0] / static_cast<double>(sums.length()));
    }
    EXPECT_EQ(means.size() < 32, i < 32);
    EXPECT_LT(means.size(), 64);
    EXPECT_TRUE(i < 32 || std::abs(mean_of(means).error / averages.error() - 1) < 1e-9) << i;
  }
}

TEST(BlockAverages, OfASeriesThatDoesNotChangeHaveNoError) {
  BlockAverages equal;
  for (int i = 0; i < 100; ++i) equal.add(0.1);
  EXPECT_EQ(equal.mean(), 0.1);
  EXPECT_TRUE(std::isnan(equal.error()));
}

}  // namespace
}  // namespace tessera::analysis
