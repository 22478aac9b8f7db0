// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/expression.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <set>
#include <string>
#include <tessera/core/error.hpp>
#include <utility>
#include <vector>

#include "tests/complaint.hpp"

namespace tessera::processes {
namespace {

/// Value at a time, where x = 3.
Value at(double time, const std::string& text, std::set<double>* kinks = nullptr) {
  Expression expression(text);
  std::vector<Value> values;
  expression.bind([&](const std::string& name) -> std::optional<std::uint32_t> {
    const auto known = name == "x" ? 3 : constant(name);
    if (!known && name != "time") return std::nullopt;
    values.push_back(known ? Value{*known} : Value{time, HUGE_VAL});
    return static_cast<std::uint32_t>(values.size() - 1);
  });
  return expression.at(time, values, kinks);
}
double value(const std::string& text) { return at(0, text).value; }

TEST(Expression, HasTheValueThatPythonGives) {
  EXPECT_EQ(value("1 + 2*3"), 7);
  EXPECT_EQ(value("(1 - .25)/2."), 0.375);
  EXPECT_EQ(value("10**10"), 1e10);
  EXPECT_EQ(value("2**-1"), 0.5);
  EXPECT_EQ(value("-2**2"), -4);
  EXPECT_EQ(value("2**3**2"), 512);
  EXPECT_EQ(value("1e-3 - -x"), 1e-3 + 3);
  EXPECT_EQ(value("12/3/2"), 2);
  EXPECT_EQ(value("20.0616*angstrom**2"), 20.0616 * (1e-10 * 1e-10));
  EXPECT_EQ(value("kB"), value("kboltzmann"));
  EXPECT_EQ(value("k_B"), value("kboltzmann"));
  EXPECT_EQ(value("amu"), value("umass"));
  EXPECT_EQ(value("atm/bar"), 1.01325);
  EXPECT_EQ(value("pow(x, 4) + sqrt(16)"), 85);
  EXPECT_EQ(value("-2**-1**2*4 + +x - -1/2"), -2 + 3 + 0.5);
  EXPECT_EQ(value("pow(1 + 1, -(x - 1))*exp(0)**2**-1"), 0.25);
  for (const char* base : {"2", "5", "7.3", "1e-9", "1e40"})
    EXPECT_EQ(value(base + std::string("**.5")), std::sqrt(std::stod(base))) << base;
  EXPECT_DOUBLE_EQ(value("exp(-x)"), std::exp(-3.0));
  EXPECT_EQ(value("exp(-1000)"), 0);
  EXPECT_EQ(value("exp(1000)"), HUGE_VAL);
  for (const char* number : {"1e-300", "0.1", "0.7", "1", "2", "1.5e10", "3e300"}) {
    const double x = std::stod(number);
    EXPECT_NEAR(value(std::string("log(") + number + ")"), std::log(x), 1e-15 * std::abs(std::log(x))) << number;
  }
  EXPECT_NEAR(value("x**1.7"), std::pow(3, 1.7), 1e-13);
}

// None of it may take a stack that grows with it.
TEST(Expression, MayBeNestedAsDeeplyAsAFileIsLong) {
  constexpr int deep = 200'000;
  const auto times = [](const std::string& part) {
    std::string text;
    for (int i = 0; i < deep; ++i) text += part;
    return text;
  };
  EXPECT_EQ(value(times("(") + "x" + times(")")), 3);
  EXPECT_EQ(value(times("-") + "x"), 3);
  EXPECT_EQ(value(times("1**") + "x"), 1);
  EXPECT_EQ(value(times("-(1+") + "x" + times(")")), 3);
  EXPECT_EQ(value(times("sqrt(") + "1" + times(")")), 1);
  EXPECT_THAT(complaint([&] { value(times("(")); }), ::testing::HasSubstr("is incomplete at its end"));
}

TEST(Expression, KnowsTheMassesOfMolecules) {
  EXPECT_NEAR(value("m_CO"), 28.010, 1e-9);
  EXPECT_NEAR(value("m_O2"), 31.998, 1e-9);
  EXPECT_NEAR(value("m_CH3OH"), 12.011 + 4 * 1.008 + 15.999, 1e-9);
  EXPECT_THAT(complaint([] { value("m_COgas"); }), ::testing::HasSubstr("[Parameter m_COgas]"));
}

TEST(Expression, SaysWhatIsWrongWithIt) {
  const auto about = [](const std::string& expression) { return complaint([&] { value(expression); }); };
  EXPECT_EQ(about("2*"), "'2*': is incomplete at its end");
  EXPECT_EQ(about("2*(x+1"), "'2*(x+1': a ')' is missing");
  EXPECT_EQ(about("2 x"), "'2 x': 'x' is unexpected");
  EXPECT_EQ(about("k_CO*2"),
            "'k_CO*2': 'k_CO' is not defined; known are parameters, time, pi, c, h, hbar, eV, kboltzmann, kB, k_B, "
            "umass, amu, "
            "angstrom, bar, atm, beta and m_MOLECULE");
  EXPECT_EQ(about("2//3"), "'2//3': '/' is unexpected; must be a number, a name or '('");
  EXPECT_EQ(
      about("sin(x)"),
      "'sin(x)': 'sin' with 1 arguments is not a function; valid functions are exp(x), log(x), sqrt(x), pow(x, y), "
      "table(time: x, time: x, ...) and piecewise(x, time: x, ...)");
  EXPECT_EQ(about("(1, 2)"), "'(1, 2)': a ')' is missing");
  EXPECT_EQ(about("1, 2"), "'1, 2': ',' is unexpected");
  EXPECT_EQ(about("(1))"), "'(1))': ')' is unexpected");
  EXPECT_EQ(about("exp()"), "'exp()': ')' is unexpected; must be a number, a name or '('");
  EXPECT_THAT(about("1e999"), ::testing::HasSubstr("out of range"));
  for (const char* wrong : {"table(0, 1)", "table(0: 1, 2)", "piecewise(1)", "piecewise(1: 2, 3)", "exp(0: 1)"})
    EXPECT_NE(about(wrong), "") << wrong;
  for (const char* wrong : {"table(1: 0, 0: 1)", "table(time: 0, 5: 1)", "piecewise(1, 1/0: 2)"})
    EXPECT_EQ(about(wrong),
              "'" + std::string(wrong) + "': the times before ':' must be finite constants that do not decrease");
}

TEST(Expression, OfTimeMayBeATableOrHavePieces) {
  const std::string table = "2*table(10: 300, 20: 400, 20: 500, 10*x: 600)";
  for (const auto& [time, expected] :
       {std::pair{0, 600.}, {10, 600.}, {15, 700.}, {20, 1000.}, {25, 1100.}, {99, 1200.}})
    EXPECT_EQ(at(time, table).value, expected) << time;
  EXPECT_EQ(at(std::nextafter(20, 0), table).value, 800);
  const std::string pieces = "1 + piecewise(time, 4: 7, 5: 12 - time, 10: x)";
  for (const auto& [time, expected] : {std::pair{0, 1.}, {3, 4.}, {4, 8.}, {5, 8.}, {9, 4.}, {10, 4.}, {11, 4.}})
    EXPECT_EQ(at(time, pieces).value, expected) << time;
  std::set<double> kinks;
  at(0, table + "*" + pieces, &kinks);
  EXPECT_EQ(kinks, (std::set<double>{4, 5, 10, 20, 30}));
}

// A rate that is constant from some time on has no window that ends later.
TEST(Expression, KnowsWhenItIsConstant) {
  EXPECT_EQ(at(0, "x + 2").until, 0);
  EXPECT_EQ(at(0, "x + 2*time").until, HUGE_VAL);
  EXPECT_EQ(at(0, "exp(table(0: 1, 7: 2)) + table(0: 1, 3: 2)").until, 7);
  EXPECT_EQ(at(7, "exp(table(0: 1, 7: 2))").until, 0);
  EXPECT_EQ(at(0, "piecewise(time, 5: 1)").until, 5);
  EXPECT_EQ(at(5, "piecewise(time, 5: 1)").until, 0);
  EXPECT_EQ(at(0, "piecewise(1, 5: time)").until, HUGE_VAL);
}

}  // namespace
}  // namespace tessera::processes
