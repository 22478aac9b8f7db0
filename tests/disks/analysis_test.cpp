// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <tessera/analysis/block_sums.hpp>
#include <tessera/analysis/contact_value.hpp>
#include <tessera/analysis/estimate.hpp>
#include <tessera/disks/steps/metropolis.hpp>
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
TEST(ExtrapolationWeights, EqualLeastSquaresFits) {
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
TEST(ContactValue, IsUnbiasedForTheModelDistribution) {
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
  std::vector<double> values;
  for (int sample = 0; sample < 2000; ++sample) {
    std::vector<std::uint64_t> pairs(ContactValue::bins, 0);
    for (int i = 0; i < 500; ++i) {
      const double beyond = -std::log1p(-random.uniform()) / 30;
      const auto bin = static_cast<std::size_t>(beyond / ContactValue::bin_width);
      if (bin < pairs.size()) ++pairs[bin];
    }
    values.push_back(contact.at_contact(std::span<const std::uint64_t>(pairs), 1000, 1));
  }
  const auto [mean, error] = mean_of(values);
  EXPECT_NEAR(mean, 30 / (2 * std::numbers::pi), 4 * error);
  EXPECT_LT(error, 0.05);
}

TEST(ContactValue, SamplingPointsFollowEquation6) {
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

TEST(ContactValue, PressureFollowsEquation4) {
  // Ideal gas, and Z = 1 + 2 eta g.
  EXPECT_EQ(ContactValue::pressure(0, 0.3), 0.3);
  const double eta = 0.6, density = 4 * eta / std::numbers::pi;
  EXPECT_NEAR(ContactValue::pressure(5, density) / density, 1 + 2 * eta * 5, 1e-12);
}

// Blocks of equal length, of which neighbours are joined where they would be too many; a copy continues like the first.
TEST(BlockSums, AddUpSuccessiveSamples) {
  constexpr std::size_t enough = BlockSums::enough;
  BlockSums sums(2);
  std::vector<double> samples;
  for (std::size_t i = 1; i <= 1000; ++i) {
    samples.push_back(static_cast<double>(i * i % 101));
    sums.add(std::vector<double>{samples.back(), 1});
    if (i == 333) {
      BlockSums copy(2);
      copy.set(sums.sums(), sums.samples());
      sums = copy;
    }
    EXPECT_EQ(sums.blocks(), BlockSums::blocks_of(i));
    EXPECT_LE(sums.blocks(), 2 * enough);
    EXPECT_TRUE(sums.blocks() > enough || i < enough) << i;
    for (std::size_t b = 0, first = 0; b < sums.blocks(); ++b) {
      const std::size_t count = b + 1 < sums.blocks() ? sums.length() : i - first;
      double sum = 0;
      for (std::size_t k = 0; k < count; ++k) sum += samples[first++];
      EXPECT_EQ(sums.block(b)[0], sum) << i;
      EXPECT_EQ(sums.block(b)[1], static_cast<double>(count)) << i;
    }
  }
}

}  // namespace
}  // namespace tessera::analysis
