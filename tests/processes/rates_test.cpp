// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/rates.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "processes/compile.hpp"
#include "tests/complaint.hpp"
#include "tests/processes/models.hpp"

namespace tessera::processes {
namespace {

/// The windows of a model with desorption at this rate; null if it does not change.
std::shared_ptr<Rates> windows_of(const std::string& rate, double fraction = 0.1, const std::string& more = "") {
  return compile(read_model(square_lattice() + process("p", rate, "CO@a", "empty@a") + more +
                                process("q", "1", "empty@a", "CO@a"),
                            "m.ini"),
                 {}, {}, fraction)
      .tables.changing;
}

/// The ends of the windows until a time.
std::vector<double> ends_of(Rates& windows, double until) {
  std::vector<double> ends;
  for (std::int64_t i = 0; ends.empty() || ends.back() < until; ++i) ends.push_back(windows.end(i));
  return ends;
}

/// The integral of the rate over the windows until a time at which one ends.
double integral(Rates& windows, double until) {
  double sum = 0;
  for (std::int64_t i = 0; windows.begin(i) < until; ++i)
    sum += (windows.end(i) - windows.begin(i)) * windows.means(i).back();
  return sum;
}

TEST(Windows, OfExponentialGrowthHaveEqualLengths) {
  for (const double fraction : {0.1, 0.01}) {
    const auto windows = windows_of("3*exp(-2*time)", fraction);
    const double longest = std::log1p(fraction) / 2;
    double begin = 0;
    for (const double end : ends_of(*windows, 4)) {
      EXPECT_LE(end - begin, longest * (1 + 1e-9)) << begin;
      EXPECT_GE(end - begin, 0.75 * longest) << begin;
      begin = end;
    }
  }
}

// Each rate is replaced by its mean, not by the value at a point: the integral is exact.
TEST(Windows, HaveTheMeanRates) {
  const auto windows = windows_of("3*exp(-2*time)");
  for (const std::int64_t i : {40, 0, 7}) {  // in any order
    const double begin = windows->begin(i), end = windows->end(i);
    const double mean = 3 * (std::exp(-2 * begin) - std::exp(-2 * end)) / (2 * (end - begin));
    EXPECT_NEAR(windows->means(i).back(), mean, 1e-10 * mean);
    EXPECT_EQ(windows->means(i).front(), 1);
  }
  EXPECT_EQ(windows->end(40), windows_of("3*exp(-2*time)")->end(40));
  // Desorption in a ramp of the temperature, beside the integral by the trapezoidal rule.
  const std::string ramp = "1e13*exp(-1.2*eV/(kboltzmann*(300 + 5*time)))";
  const auto desorption = windows_of(ramp);
  const double end = desorption->end(120);
  constexpr int steps = 200'000;
  double expected = 0;
  for (int i = 0; i <= steps; ++i)
    expected += (i % steps == 0 ? 0.5 : 1) * 1e13 *
                std::exp(-1.2 * 1.602176565e-19 / (1.3806488e-23 * (300 + 5 * end * i / steps)));
  EXPECT_NEAR(integral(*desorption, end), expected * end / steps, 1e-7 * expected * end / steps);
}

TEST(Windows, EndWhereTablesAndPiecesHaveKinks) {
  const auto windows = windows_of("table(2: 5, 4: 7, 4: 2, 6: 3)*piecewise(1, 1: 2, 3: 1)");
  std::vector<double> ends = ends_of(*windows, 6);
  for (const double kink : {1., 2., 3., 4., 6.}) EXPECT_THAT(ends, ::testing::Contains(kink));
  EXPECT_EQ(windows->end(0), 1) << "nothing changes before";
  EXPECT_EQ(windows->means(0).back(), 5);
  EXPECT_EQ(windows->end(1), 2);
  EXPECT_EQ(windows->means(1).back(), 10);
  const auto last = static_cast<std::int64_t>(ends.size());
  EXPECT_EQ(windows->end(last), HUGE_VAL);
  EXPECT_EQ(windows->means(last).back(), 3);
  EXPECT_EQ(windows->end(last + 5), HUGE_VAL);
  EXPECT_EQ(windows->last_change(), 6);
  EXPECT_NEAR(integral(*windows, 6), 5 * 1 + 10 * 1 + 11 * 1 + 6.5 * 1 + 2.5 * 2, 1e-9);
  EXPECT_EQ(windows_of("2"), nullptr);
  EXPECT_EQ(windows_of("piecewise(2, 0: 3)"), nullptr);
}

// Changes of rates that are too small for events make no windows.
TEST(Windows, AreFewWhileRatesAreNegligible) {
  const auto from_zero = windows_of("table(1: 0, 3: 8, 5: 0)");
  EXPECT_EQ(from_zero->end(0), 1);
  EXPECT_LT(ends_of(*from_zero, 5).size(), 500u);
  EXPECT_NEAR(integral(*from_zero, 5), 16, 1e-8);
  const auto cold = windows_of("1e13*exp(-1.2*eV/(kboltzmann*(1 + 5*time)))");  // 1e-6000 at first
  EXPECT_GT(cold->end(0), 30);
  EXPECT_LT(ends_of(*cold, 120).size(), 500u);
  EXPECT_LT(cold->means(0).back() * cold->end(0), 2e-9);
  const auto saturates = windows_of("2 - exp(-time)");
  EXPECT_LT(ends_of(*saturates, 1e100).size(), 500u);
}

TEST(Windows, ReportErrorsOfRates) {
  const auto until = [](double time, const std::string& rate, double fraction = 0.1) {
    return complaint([&] { ends_of(*windows_of(rate, fraction), time); });
  };
  EXPECT_EQ(until(10, "10 - time"), "");
  EXPECT_THAT(until(10.1, "10 - time"), ::testing::MatchesRegex("m.ini line 28: rate_constant of p: is -.* at time = "
                                                                "10.*; it must be finite and not negative"));
  EXPECT_EQ(until(9, "1/(10 - time)"), "");
  EXPECT_THAT(until(11, "1/(10 - time)"),
              ::testing::MatchesRegex("m.ini line 28: rate_constant of p: is inf at time = 10; it must be finite.*"));
  EXPECT_EQ(until(1, "time - 1"), "m.ini line 28: rate_constant of p: is -1; it must be finite and not negative");
  EXPECT_THAT(until(100, "exp(time)", 1e-4),
              ::testing::MatchesRegex("--rate-window 1e-04: the rates change so much that more than 100000 windows "
                                      "end before time .*; use a larger fraction"));
}

// The staircase of one rate is exact, as are rates that change by the same factor.
TEST(Windows, EstimateTheErrorOfConstantRates) {
  const std::string ramp = "exp(-12000/(300 + 5*time))";
  const auto one = windows_of("1e13*" + ramp, 0.1, process("r", "1e12*" + ramp, "CO@a", "O@a"));
  const auto summary = one->summary(one->end(99));
  EXPECT_EQ(summary.windows, 100);
  EXPECT_LE(summary.change, 0.1);
  EXPECT_GT(summary.change, 0.07);
  const auto fine = windows_of("1e13*" + ramp, 0.01), coarse = windows_of("1e13*" + ramp, 0.1);
  const double until = coarse->end(150), error = coarse->summary(until).error;
  EXPECT_GT(error, 1e-6);
  EXPECT_LT(error, 1e-1);
  EXPECT_NEAR(fine->summary(until).error / error, 0.01, 0.008) << "second order";
}

}  // namespace
}  // namespace tessera::processes
