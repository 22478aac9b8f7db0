// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <algorithm>
#include <array>
#include <cmath>
#include <tessera/analysis/moments.hpp>
#include <vector>

#include "tests/matchers.hpp"

namespace tessera::analysis {
namespace {

using ::testing::Pointwise;

Observable named(const std::vector<Observable>& all, const std::string& name) {
  return *std::find_if(all.begin(), all.end(), [&](const Observable& o) { return o.name == name; });
}

/// The moments of a set of heights, by plain sums.
Moments plain_moments(const std::vector<double>& heights) {
  Moments m{0, 0, 0, 0};
  const auto count = static_cast<double>(heights.size());
  for (const double h : heights) m.mean += h / count;
  for (const double h : heights) {
    m.variance += std::pow(h - m.mean, 2) / count;
    m.third += std::pow(h - m.mean, 3) / count;
    m.fourth += std::pow(h - m.mean, 4) / count;
  }
  return m;
}

const std::vector<std::vector<double>> surfaces{{0, 0, 1, 5}, {2, 2, 2, 3}, {-7, 0, 1, 9}, {1, 4, 4, 8}};

// Two surfaces without any skewness of their own, and the moments 1, 0, 1 and 4, 0, 16: Q = 8.5 / 6.25 - 3.
TEST(Cumulants, OfTheEnsembleDifferFromTheMeanOverItsSurfaces) {
  const auto all = height_observables("layers", {0, 0}, {plain_moments({-1, 1}), plain_moments({-2, 2})});
  EXPECT_EQ(named(all, "skewness").values, (std::vector<double>{0}));
  EXPECT_EQ(named(all, "kurtosis").values, (std::vector<double>{8.5 / 6.25 - 3}));  // of each surface it is -2
}

TEST(Cumulants, FollowFromMomentsAveragedOverAllSurfaces) {
  std::vector<Moments> moments;
  double m[3] = {};
  for (const auto& surface : surfaces) {
    moments.push_back(plain_moments(surface));
    m[0] += moments.back().variance / 4;
    m[1] += moments.back().third / 4;
    m[2] += moments.back().fourth / 4;
  }
  const auto all = height_observables("nm", {1, 2, 3, 4}, moments);
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(named(all, "height_mean").values, (std::vector<double>{1, 2, 3, 4}));
  for (const auto& [name, member, unit] : {std::tuple{"roughness", &Moments::variance, "nm^2"},
                                           {"moment_3", &Moments::third, "nm^3"},
                                           {"moment_4", &Moments::fourth, "nm^4"}}) {
    const Observable o = named(all, name);
    EXPECT_EQ(o.unit, unit);
    EXPECT_THAT(o.errors, IsEmpty());
    for (std::size_t r = 0; r < 4; ++r) EXPECT_EQ(o.values[r], moments[r].*member);
  }
  const Observable skewness = named(all, "skewness"), kurtosis = named(all, "kurtosis");
  ASSERT_EQ(skewness.values.size(), 1u);
  EXPECT_NEAR(skewness.values[0], m[1] / std::pow(m[0], 1.5), 1e-14);
  EXPECT_NEAR(kurtosis.values.at(0), m[2] / (m[0] * m[0]) - 3, 1e-14);
  EXPECT_EQ(skewness.unit, "");
}

// Leaving out one surface after the other, by the textbook: (n - 1) / n times the sum of squares.
TEST(Cumulants, HaveJackknifeErrorsOverSurfaces) {
  std::vector<Moments> moments;
  for (const auto& surface : surfaces) moments.push_back(plain_moments(surface));
  const auto all = height_observables("", {0, 0, 0, 0}, moments);
  std::vector<double> skewness, kurtosis;
  for (std::size_t out = 0; out < 4; ++out) {
    double m2 = 0, m3 = 0, m4 = 0;
    for (std::size_t r = 0; r < 4; ++r)
      if (r != out) {
        m2 += moments[r].variance / 3;
        m3 += moments[r].third / 3;
        m4 += moments[r].fourth / 3;
      }
    skewness.push_back(m3 / std::pow(m2, 1.5));
    kurtosis.push_back(m4 / (m2 * m2) - 3);
  }
  const auto error = [](const std::vector<double>& without) {
    double mean = 0, squares = 0;
    for (const double value : without) mean += value / 4;
    for (const double value : without) squares += std::pow(value - mean, 2);
    return std::sqrt(3 * squares / 4);
  };
  EXPECT_NEAR(named(all, "skewness").errors.at(0), error(skewness), 1e-13);
  EXPECT_NEAR(named(all, "kurtosis").errors.at(0), error(kurtosis), 1e-13);
}

TEST(Cumulants, OfOneSurfaceHaveNoErrorAndOfAFlatSurfaceAreUndefined) {
  const auto one = height_observables("", {1.5}, {plain_moments(surfaces[0])});
  const Moments m = plain_moments(surfaces[0]);
  EXPECT_EQ(named(one, "skewness").values.at(0), m.third / (m.variance * std::sqrt(m.variance)));
  EXPECT_THAT(named(one, "skewness").errors, IsEmpty());
  const auto flat = height_observables("", {1}, {plain_moments({1, 1, 1})});
  EXPECT_TRUE(std::isnan(named(flat, "skewness").values.at(0)));
  EXPECT_TRUE(std::isnan(named(flat, "kurtosis").values.at(0)));
  // One that is not flat is enough.
  const auto both = height_observables("", {1, 0}, {plain_moments({1, 1}), plain_moments({-1, 1})});
  EXPECT_EQ(named(both, "kurtosis").values.at(0), 0.5 / 0.25 - 3);
}

TEST(MeanOfSamples, HasTheErrorOfTheirScatterAndNoneForEqualSamples) {
  const auto [mean, error] = mean_of(std::vector{1.0, 2.0, 6.0});
  EXPECT_DOUBLE_EQ(mean, 3);
  EXPECT_DOUBLE_EQ(error, std::sqrt((4 + 1 + 9) / 2.0 / 3.0));
  for (const std::size_t count : {1, 2, 3, 7}) {
    const auto equal = mean_of(std::vector<double>(count, 0.1));  // whose sum of three is rounded
    EXPECT_DOUBLE_EQ(equal.value, 0.1);
    EXPECT_TRUE(std::isnan(equal.error)) << count;
  }
}

TEST(JackknifeError, OfAMeanIsItsStandardError) {
  const std::array<std::vector<double>, 1> samples{{{1, 2, 6, -3, 8}}};
  EXPECT_NEAR(jackknife_error(samples, [](const auto& mean) { return mean[0]; }), mean_of(samples[0]).error, 1e-14);
  for (const std::vector<double>& alike : {std::vector{1.0}, std::vector{0.1, 0.1, 0.1}})
    EXPECT_TRUE(std::isnan(jackknife_error(std::array{alike}, [](const auto& mean) { return mean[0]; })));
}

}  // namespace
}  // namespace tessera::analysis
