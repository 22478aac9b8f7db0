// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <tessera/analysis/contact_value.hpp>
#include <tessera/analysis/estimate.hpp>
#include <tessera/disks/steps/metropolis.hpp>
#include <vector>

namespace tessera::analysis {
namespace {

using Histogram = std::vector<std::uint64_t>;
constexpr double particles = 1000, density = 0.9;

/// r^2 - 1 where a bin begins.
double edge(int bin) { return static_cast<double>(bin) / ContactFits::bins_per_square; }

/// The pairs that g(r) gives, in each bin; `integral` is that of g over r^2 - 1.
std::vector<double> pairs_of(const std::function<double(double)>& integral) {
  std::vector<double> pairs;
  for (int i = 0; i < ContactFits::bins; ++i)
    pairs.push_back(particles * density / 2 * std::numbers::pi * (integral(edge(i + 1)) - integral(edge(i))));
  return pairs;
}

ContactFits::Values at_contact(const std::vector<double>& pairs) {
  return ContactFits().at_contact(std::span<const double>(pairs), particles, density);
}

// Polynomials of degree 5 in r^2 are extrapolated exactly, although bins are wide and begin beyond contact.
TEST(ContactFits, AreExactForPolynomials) {
  for (int power = 0; power <= ContactFits::degree; ++power)
    for (const double value :
         at_contact(pairs_of([=](double s) { return 3 * s + std::pow(s / 0.2, power + 1) * 0.2 / (power + 1); })))
      EXPECT_NEAR(value, power == 0 ? 4 : 3, 1e-8) << power;
}

// Of all unbiased weights those of least squares have the least sum of squares: the intercept's variance is that of the
// textbook, here by the normal equations of a straight line.
TEST(ContactFits, EqualLeastSquaresFits) {
  constexpr int bins = 7;
  const auto weights = bin_extrapolation_weights(bins, 1);
  double x = 0, xx = 0;
  for (int i = 0; i < bins; ++i) {
    x += i + 0.5;  // the mean of a straight line over a bin is that at its middle
    xx += (i + 0.5) * (i + 0.5);
  }
  for (int i = 0; i < bins; ++i)
    EXPECT_NEAR(weights[static_cast<std::size_t>(i)], (xx - x * (i + 0.5)) / (bins * xx - x * x), 1e-13);
}

/// A g(r) like that of disks, and how its pairs are had: at contact 1 / norm times what it is at first; falls by
/// exp(-fall s).
struct Model {
  double fall, bend;
  double operator()(double s) const { return std::exp(-fall * s + bend / 2 * s * s); }
};
/// Of the fluid at eta = 0.7 and 0.2, and of a solid at 0.78, as it was measured.
constexpr Model dense{3.48, 2.7}, dilute{0.31, 0.6}, solid{3.05, -8.7};

/// The integral of a model from 0 on, by Simpson's rule.
double integral(const Model& g, double s) {
  constexpr int steps = 64;
  double sum = g(0) + g(s);
  for (int i = 1; i < steps; ++i) sum += (i % 2 == 1 ? 4 : 2) * g(s * i / steps);
  return sum * s / steps / 3;
}

TEST(ContactFits, AreUnbiasedForTheDistributionOfDisks) {
  for (const Model& g : {dense, dilute, solid})
    for (const double value : at_contact(pairs_of([=](double s) { return integral(g, s); })))
      EXPECT_NEAR(value, 1, 5e-6) << g.fall;
}

/// The paper's model, n(r) = 30 exp(-30 (r - sigma)) pairs per unit length, exactly in each bin, of `all` pairs beyond
/// contact.
std::vector<double> model_histogram(double all) {
  const auto beyond = [](int bin) { return std::exp(-30 * (std::sqrt(1 + edge(bin)) - 1)); };
  std::vector<double> pairs;
  for (int i = 0; i < ContactFits::bins; ++i) pairs.push_back(all * (beyond(i) - beyond(i + 1)));
  return pairs;
}

// However many pairs there are: the range that they choose has a bias far below the error that it has then.
TEST(ContactFits, ChooseARangeWithABiasBelowTheErrorForTheModelDistribution) {
  for (double all = 100; all < 1e13; all *= 3) {
    const auto model = model_histogram(all);
    Histogram pairs;
    for (const double one : model) pairs.push_back(static_cast<std::uint64_t>(std::llround(one)));
    const std::size_t k = ContactFits::choose(pairs);
    const double exact = 30 * all / std::numbers::pi / (particles * density);
    const double bias = at_contact(model)[k] / exact - 1;
    double in_range = 0;
    for (int i = 0; i < ContactFits::ranges[k]; ++i) in_range += model[static_cast<std::size_t>(i)];
    const double error = (ContactFits::degree + 1) / std::sqrt(in_range);
    EXPECT_LT(std::abs(bias), std::max(0.1 * error, 1e-6)) << all << " pairs, range " << k;
  }
}

// The widest range with a last quarter that has half the pairs of the first, or more, if not by four standard errors.
TEST(ContactFits, ChooseTheWidestRangeInWhichTheDistributionFallsLittle) {
  const auto step_at = [](int bin, std::uint64_t before, std::uint64_t after) {
    Histogram pairs(ContactFits::bins, before);
    std::fill(pairs.begin() + bin, pairs.end(), after);
    return ContactFits::choose(pairs);
  };
  EXPECT_EQ(ContactFits::choose(Histogram(ContactFits::bins, 0)), 0u);
  EXPECT_EQ(step_at(100, 1000, 500), 0u);
  EXPECT_EQ(step_at(100, 1'000'000, 499'000), 1u);
  EXPECT_EQ(step_at(60, 1'000'000, 499'000), 2u);
  EXPECT_EQ(step_at(30, 1'000'000, 100'000), 3u);
  EXPECT_EQ(step_at(10, 1'000'000, 100'000), 3u) << "there is none narrower";
  EXPECT_EQ(step_at(100, 100, 48), 0u) << "5000 and 2400 pairs: 200 +- 121";
  EXPECT_EQ(step_at(100, 100, 44), 1u) << "5000 and 2200 pairs: 600 +- 117, by four standard errors";
}

/// Independent pairs of a model, `mean` in all to s = 0.2 on average.
class RandomPairs {
 public:
  RandomPairs(const Model& g, double mean, std::uint64_t seed) : g_(g), mean_(mean), random_(seed) {}

  /// The values of r^2 - 1 of a sample. By rejection; their number has the Poisson distribution.
  std::vector<double> operator()() {
    std::vector<double> all;
    for (double left = mean_; (left += std::log1p(-random_.uniform())) > 0;) {
      const double s = 0.2 * random_.uniform();
      if (random_.uniform() < g_(s)) all.push_back(s);
    }
    return all;
  }
  /// The mean of what is counted, as g(sigma+) has it.
  double at_contact() const { return mean_ * 2 / (0.2 * particles * density * std::numbers::pi); }

 private:
  Model g_;
  double mean_;
  disks::Xoshiro random_;
};

Histogram by_area(const std::vector<double>& all) {
  Histogram pairs(ContactFits::bins, 0);
  for (const double s : all)
    if (s < edge(ContactFits::bins)) ++pairs[static_cast<std::size_t>(s * ContactFits::bins_per_square)];
  return pairs;
}
Histogram by_distance(const std::vector<double>& all) {
  Histogram pairs(ContactValue::bins, 0);
  for (const double s : all) {
    const auto bin = static_cast<std::size_t>((std::sqrt(1 + s) - 1) / ContactValue::bin_width);
    if (bin < pairs.size()) ++pairs[bin];
  }
  return pairs;
}

// A third of the samples gives the error that the paper's fit has: a variance less than a third of its.
TEST(ContactFits, NeedAThirdOfTheSamplesOfThePapersFit) {
  const ContactFits fits;
  const ContactValue paper;
  for (const Model& g : {dense, dilute, solid}) {
    RandomPairs draw(g, 2000, 11);
    std::vector<double> wide, narrow;
    for (int sample = 0; sample < 2000; ++sample) {
      const auto all = draw();
      const Histogram area = by_area(all), distance = by_distance(all);
      wide.push_back(fits.at_contact(std::span<const std::uint64_t>(area), particles, density)[0]);
      narrow.push_back(paper.at_contact(std::span<const std::uint64_t>(distance), particles, density));
    }
    const auto [mean, error] = mean_of(wide);
    EXPECT_LT(3 * std::pow(error, 2), std::pow(mean_of(narrow).error, 2)) << g.fall;
    EXPECT_LT(std::abs(mean - draw.at_contact()), 4 * error) << g.fall;
  }
}

// Many short runs, each sample with the range that those up to it choose: they are as far off as their errors say, the
// mean of all of them is right, and what a further degree would add is as far from 0 as its error says.
TEST(ContactFits, ErrorsEqualTheScatterOfManyShortRuns) {
  const ContactFits fits;
  constexpr int runs = 400, samples = 50;
  for (const Model& g : {dense, solid, Model{14.5, 0.0}}) {
    RandomPairs draw(g, 400, 5);
    std::vector<double> all;
    double squares = 0, next_squares = 0;
    for (int run = 0; run < runs; ++run) {
      Histogram sum(ContactFits::bins, 0);
      std::vector<double> values;
      for (int sample = 0; sample < samples; ++sample) {
        const Histogram pairs = by_area(draw());
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += pairs[i];
        const auto of_ranges = fits.at_contact(std::span<const std::uint64_t>(pairs), particles, density);
        values.push_back(of_ranges[ContactFits::choose(sum)]);
      }
      const std::size_t range = ContactFits::choose(sum);
      const auto [mean, error] = mean_of(values);
      all.push_back(mean);
      squares += std::pow((mean - draw.at_contact()) / error, 2) / runs;
      const Estimate next = fits.fit_bias(sum, particles * samples, density, range);
      next_squares += std::pow(next.value / next.error, 2) / runs;
    }
    EXPECT_NEAR(squares, 1, 5 * std::sqrt(2.0 / runs)) << g.fall;
    EXPECT_NEAR(next_squares, 1, 5 * std::sqrt(2.0 / runs)) << g.fall;
    EXPECT_LT(std::abs(mean_of(all).value - draw.at_contact()), 4 * mean_of(all).error) << g.fall;
  }
}

// With it the extrapolation is exact for a polynomial of degree 6.
TEST(ContactFits, HaveNoErrorWithoutPairs) {
  const Estimate none = ContactFits().fit_bias(std::vector<std::uint64_t>(ContactFits::bins), 2, 0.1, 0);
  EXPECT_EQ(none.value, 0);
  EXPECT_TRUE(std::isnan(none.error));
}

TEST(ContactFits, BiasIsTheTermThatTheFitLacks) {
  const ContactFits fits;
  const auto exact = pairs_of([](double s) { return 1e12 * (2 * s - std::pow(s / 0.2, 7) * 0.2 / 7); });
  Histogram pairs;
  for (const double one : exact) pairs.push_back(static_cast<std::uint64_t>(std::llround(one)));
  const auto values = fits.at_contact(std::span<const std::uint64_t>(pairs), particles, density);
  for (std::size_t k = 0; k < ContactFits::number_of_ranges; ++k) {
    const double next = fits.fit_bias(pairs, particles, density, k).value;
    EXPECT_NEAR((values[k] + next) / 1e12, 2, 1e-9) << k;
    if (k == 0) {
      EXPECT_GT(std::abs(next) / 1e12, 1e-5);
    }
  }
}

}  // namespace
}  // namespace tessera::analysis
