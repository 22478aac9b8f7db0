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

TEST(Expression, HasTheValueOfPython) {
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

// Values by Python 3.
TEST(Expression, HasTheOperatorsAndFunctionsOfPython) {
  EXPECT_EQ(value("7 // 2 + -7 // 2"), -1);
  EXPECT_EQ(value("-7 % 3"), 2);
  EXPECT_EQ(value("7 % -3"), -2);
  EXPECT_EQ(value("1 // 0.1"), 9);
  EXPECT_EQ(value("-2 ** 2 % 3"), 2);
  EXPECT_EQ(value("min(4, x, 5) + max(1, 2) * abs(-x)"), 9);
  EXPECT_EQ(value("floor(-1.5) + ceil(1.2)"), 0);
  EXPECT_EQ(value("(x < 4) + (x <= 3) + (x > 3) + (x >= 3) + (x == 3) + (x != 3)"), 4);
  EXPECT_EQ(value("(2 < x < 4) + (0 < x <= 3 < 4) + (5 > x > 3) + (1 < 2 > x) + (not 4 < x < 5)"), 3);
  EXPECT_EQ(value("1 + x < 2*x - 1 < 3*x and 2 < x == 3 != 4"), 1);
  EXPECT_EQ(value("(0 < x) < 2 if 9 > x > 4 or 3 <= x < 3 + 1 else 7"), 1);
  EXPECT_EQ(value("1 if x < 2 else 2 if x < 4 else 3"), 2);
  EXPECT_EQ(value("1 if x < 2 else 2 if x < 3 else 3 + 4"), 7);
  EXPECT_EQ(value("(1 if x > 2 else 2) * 5"), 5);
  EXPECT_EQ(value("1 if not x < 2 and x + 1 == 4 or 1/0 < 0 else 2"), 1);
  EXPECT_EQ(value("0 or x and 5"), 5);
  EXPECT_EQ(value("not x"), 0);
}

TEST(Expression, HasTrigonometricFunctions) {
  for (double x = -40; x < 40; x += 0.37) {
    const std::string text = "(" + std::to_string(x) + ")";
    const double read = std::stod(std::to_string(x));
    EXPECT_NEAR(value("sin" + text), std::sin(read), 4e-16) << x;
    EXPECT_NEAR(value("cos" + text), std::cos(read), 4e-16) << x;
    EXPECT_NEAR(value("tan" + text), std::tan(read), 1e-15 * (1 + std::pow(std::tan(read), 2))) << x;
    EXPECT_NEAR(value("atan" + text), std::atan(read), 1e-15) << x;
    EXPECT_NEAR(value("asin(" + text + "/41) - acos(" + text + "/41)"), std::asin(read / 41) - std::acos(read / 41),
                2e-15);
  }
  EXPECT_NEAR(value("sin(1e6)"), -0.3499935021712930, 1e-15);
  EXPECT_NEAR(value("acos(-1) - 4*atan(1)"), 0, 1e-15);
  EXPECT_NEAR(value("asin(1)*2"), 3.141592653589793, 1e-15);
  // The bits of all machines.
  EXPECT_EQ(value("sin(0.5)"), 0x1.eaee8744b05f0p-2);
  EXPECT_EQ(value("cos(10)"), -0x1.ad9ac890c6b1fp-1);
  EXPECT_EQ(value("atan(0.3)"), 0x1.2a73a661eaf06p-2);
}

TEST(Expression, MayUseUserDefinedNames) {
  EXPECT_EQ(value("E = x + 1 y = 2*E rate = E*y"), 32);
  EXPECT_EQ(value("x = x + 1 x = x*2 f = -x"), -8) << "a name has its last value";
  EXPECT_EQ(value("f = 5 if x == 3 else 7"), 5);
}

TEST(Expression, OfTimeIsContinuousExceptBetweenPieces) {
  EXPECT_EQ(at(2, "max(time, x)").value, 3);
  EXPECT_EQ(at(2, "time if x < 4 else 7").value, 2);
  for (const char* wrong : {"time < 5", "1 if time < 5 else 2", "floor(time)", "time // 2", "time % 2", "not time"})
    EXPECT_EQ(complaint([&] { at(0, wrong); }), "'" + std::string(wrong) +
                                                    "': comparisons, floor, ceil, // and % cannot have values that "
                                                    "change with time; use piecewise(x, time: x, ...)");
}

// None of it may take a stack that grows with it.
TEST(Expression, MayBeNestedToAnyDepth) {
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

TEST(Expression, HasTheMassesOfMolecules) {
  EXPECT_NEAR(value("m_CO"), 28.010, 1e-9);
  EXPECT_NEAR(value("m_O2"), 31.998, 1e-9);
  EXPECT_NEAR(value("m_CH3OH"), 12.011 + 4 * 1.008 + 15.999, 1e-9);
  EXPECT_THAT(complaint([] { value("m_COgas"); }), ::testing::HasSubstr("[Parameter m_COgas]"));
}

TEST(Expression, ReportsItsErrors) {
  std::set<double> kinks;
  const auto about = [&](const std::string& expression) { return complaint([&] { at(0, expression, &kinks); }); };
  EXPECT_EQ(about("2*"), "'2*': is incomplete at its end");
  EXPECT_EQ(about("2*(x+1"), "'2*(x+1': a ')' is missing");
  EXPECT_EQ(about("2 x"), "'2 x': 'x' is unexpected");
  EXPECT_EQ(about("2 + \u03b1"), "'2 + \u03b1': '\u03b1' is unexpected; must be a number, a name or '('");
  EXPECT_EQ(about("3 \u2212 1"), "'3 \u2212 1': '\u2212' is unexpected; a minus sign must be written as '-'");
  EXPECT_EQ(about("k_CO*2"),
            "'k_CO*2': 'k_CO' is not defined; known are parameters, time, pi, c, h, hbar, eV, kboltzmann, kB, k_B, "
            "umass, amu, "
            "angstrom, bar, atm, beta and m_MOLECULE");
  EXPECT_EQ(about("2///3"), "'2///3': '/' is unexpected; must be a number, a name or '('");
  EXPECT_EQ(
      about("sinh(x)"),
      "'sinh(x)': 'sinh' with 1 arguments is not a function; valid functions are exp(x), log(x), sqrt(x), pow(x, y), "
      "abs(x), floor(x), ceil(x), min(x, y, ...), max(x, y, ...), sin(x), cos(x), tan(x), asin(x), acos(x), atan(x), "
      "table(time: x, time: x, ...) and piecewise(x, time: x, ...)");
  EXPECT_EQ(about("(1, 2)"), "'(1, 2)': a ')' is missing");
  EXPECT_EQ(about("1, 2"), "'1, 2': ',' is unexpected");
  EXPECT_EQ(about("(1))"), "'(1))': ')' is unexpected");
  EXPECT_EQ(about("exp()"), "'exp()': ')' is unexpected; must be a number, a name or '('");
  EXPECT_EQ(about("1 if x"), "'1 if x': an 'else' is missing");
  EXPECT_EQ(about("(1 if x)"), "'(1 if x)': an 'else' is missing");
  EXPECT_EQ(about("1 else x"), "'1 else x': 'else' is unexpected");
  EXPECT_EQ(about("a = 1 2"), "'a = 1 2': '2' is unexpected");
  EXPECT_EQ(about("2 a = 1"), "'2 a = 1': 'a' is unexpected");
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
TEST(Expression, HasTheTimeFromWhichItIsConstant) {
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
