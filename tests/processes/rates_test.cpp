// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/rates.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <tessera/core/streams.hpp>
#include <vector>

#include "options/text.hpp"
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

/// The rate of the process p that events have at a time, in window i: the accepted part of the bound.
double rate_at(const Rates::Bounds& bounds, double time) {
  const Acceptance& its = bounds.acceptances.back();
  return bounds.rates.back() * (its.is_certain() ? 1 : its.at((time - bounds.begin) / bounds.length));
}

/// Expects that bounds bound this rate in windows to a time, and that the accepted part of it is exact.
template <class Exact>
void expect_exact(const std::string& rate, double until, const Exact& exact, std::size_t most_windows = 500) {
  SCOPED_TRACE(rate);
  const auto windows = windows_of(rate);
  const auto last = ends_of(*windows, until).size();
  EXPECT_LT(last, most_windows);
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(last); ++i) {
    const Rates::Bounds bounds = windows->bounds(i);
    const double bound = bounds.rates.back(), length = std::min(bounds.length, until - bounds.begin);
    double least = bound;
    constexpr int parts = 200;
    for (int k = 0; k < parts; ++k) {
      const double time = bounds.begin + length * (k + 0.5) / parts, expected = exact(time);
      least = std::min(least, expected);
      ASSERT_LE(expected, bound * (1 + 1e-6) + 1e-280) << "time " << time;
      ASSERT_NEAR(rate_at(bounds, time), expected, 2e-6 * bound + 1.1 * Rates::negligible / length) << "time " << time;
    }
    if ((bound - least) * length > 1.1 * Rates::few) {
      EXPECT_LE(bound, 1.11 * least) << "window " << i;
    }
  }
}

TEST(Windows, HaveBoundsAndTheExactRate) {
  const double k_B = 1.3806488e-23 / 1.602176565e-19;
  expect_exact("3*exp(-2*time)", 10, [](double t) { return 3 * std::exp(-2 * t); });
  expect_exact(
      "5*(1 + sin(2*time))", 20, [](double t) { return 5 * (1 + std::sin(2 * t)); }, 2000);
  expect_exact("1e13*exp(-1.2*eV/(kboltzmann*(300 + 5*time)))", 60,
               [&](double t) { return 1e13 * std::exp(-1.2 / (k_B * (300 + 5 * t))); });
  expect_exact("1e13*exp(-1.2*eV/(kboltzmann*(1 + 5*time)))", 100,  // 1e-6000 at first
               [&](double t) { return 1e13 * std::exp(-1.2 / (k_B * (1 + 5 * t))); });
  expect_exact("table(1: 0, 3: 8, 5: 0)", 6, [](double t) { return std::max(0.0, 8 - 4 * std::abs(t - 3)); });
  expect_exact(
      "sqrt(time) + log(1 + time)/(2 + cos(time))", 10,
      [](double t) { return std::sqrt(t) + std::log(1 + t) / (2 + std::cos(t)); }, 2000);
  expect_exact("max(0, abs(time - 3) - 1)*min(2, 5 - time/2)", 9,
               [](double t) { return std::max(0.0, std::abs(t - 3) - 1) * std::min(2.0, 5 - t / 2); });
  expect_exact("1 + atan(time)**3 + (time + 1)**-1.5", 9,
               [](double t) { return 1 + std::pow(std::atan(t), 3) + std::pow(t + 1, -1.5); });
}

// Wherever they are, and however short.
TEST(Windows, MissNoPulse) {
  for (int i = 0; i < 40; ++i) {
    const double place = 50 * (static_cast<double>(hash(1, static_cast<std::uint64_t>(i)) >> 11) * 0x1p-53),
                 width = std::pow(10, -4.0 + 4.0 * i / 39), base = i % 3;
    expect_exact(
        std::to_string(base) + " + 40*exp(-((time-" + program::write_value(place) + ")/" + program::write_value(width) +
            ")**2)",
        50, [&](double t) { return base + 40 * std::exp(-std::pow((t - place) / width, 2)); }, 1000);
  }
}

TEST(Windows, EndWhereTablesAndPiecesHaveKinks) {
  const auto windows = windows_of("table(2: 5, 4: 7, 4: 2, 6: 3)*piecewise(1, 1: 2, 3: 1)");
  std::vector<double> ends = ends_of(*windows, 6);
  for (const double kink : {1., 2., 3., 4., 6.}) EXPECT_THAT(ends, ::testing::Contains(kink));
  EXPECT_EQ(windows->end(0), 1) << "nothing changes before";
  EXPECT_EQ(windows->bounds(0).rates.back(), 5);
  EXPECT_TRUE(windows->bounds(0).acceptances.back().is_certain());
  EXPECT_EQ(windows->end(1), 2);
  EXPECT_EQ(windows->bounds(1).rates.back(), 10);
  const auto last = static_cast<std::int64_t>(ends.size());
  EXPECT_EQ(windows->end(last), HUGE_VAL);
  EXPECT_EQ(windows->bounds(last).rates.back(), 3);
  EXPECT_EQ(windows->end(last + 5), HUGE_VAL);
  EXPECT_EQ(windows->last_change(), 6);
  EXPECT_EQ(windows_of("2"), nullptr);
  EXPECT_EQ(windows_of("piecewise(2, 0: 3)"), nullptr);
}

TEST(Windows, KnowWhichRatesRemainZero) {
  EXPECT_TRUE(windows_of("1 + time")->is_complete(0));
  EXPECT_FALSE(windows_of("piecewise(0, 5: 1)")->is_complete(0));
  EXPECT_TRUE(windows_of("piecewise(1, 5: 0)")->is_complete(1));
  const auto saturates = windows_of("2 - exp(-time)");
  EXPECT_LT(ends_of(*saturates, 1e90).size(), 500u);
}

TEST(Windows, ReportErrorsOfRates) {
  const auto until = [](double time, const std::string& rate, double fraction = 0.1) {
    return complaint([&] { ends_of(*windows_of(rate, fraction), time); });
  };
  EXPECT_EQ(until(9.9, "10 - time"), "");
  EXPECT_EQ(until(3, "0.3 - 0.1*time"), "") << "-5.6e-17 is an error of rounding";
  EXPECT_THAT(until(10.1, "10 - time"), ::testing::MatchesRegex("m.ini line 28: rate_constant of p: is -.* at time = "
                                                                "10.*; it must be finite and not negative"));
  EXPECT_EQ(until(9, "1/(10 - time)"), "");
  EXPECT_THAT(until(11, "1/(10 - time)"),
              ::testing::MatchesRegex("m.ini line 28: rate_constant of p: is -.* at time = 10.*; it must be finite.*"));
  EXPECT_EQ(until(1, "time - 1"), "m.ini line 28: rate_constant of p: is -1; it must be finite and not negative");
  EXPECT_EQ(until(1, "1e-300"), "m.ini line 28: rate_constant of p: is 1e-300; it must be 0 or at least 1e-290");
  EXPECT_THAT(
      until(100, "2 + sin(1e5*time)"),
      ::testing::MatchesRegex("m.ini line 28: rate_constant of p: changes so much that more than 100000 windows "
                              "end before time = .*"));
  EXPECT_THAT(until(1e300, "1/(1 + time)**2"), ::testing::HasSubstr("rates change with time for ever"));
}

}  // namespace
}  // namespace tessera::processes
