// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/expression.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <tessera/core/error.hpp>

#include "tests/complaint.hpp"

namespace tessera::processes {
namespace {

double value(const std::string& expression) {
  return evaluate(expression, [](const std::string& name) -> std::optional<double> {
    if (name == "x") return 3;
    return constant(name);
  });
}

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
  EXPECT_EQ(
      about("k_CO*2"),
      "'k_CO*2': 'k_CO' is not defined; known are parameters, pi, c, h, hbar, eV, kboltzmann, kB, k_B, umass, amu, "
      "angstrom, bar, atm, beta and m_MOLECULE");
  EXPECT_EQ(about("2//3"), "'2//3': '/' is unexpected; must be a number, a name or '('");
  EXPECT_EQ(
      about("sin(x)"),
      "'sin(x)': 'sin' with 1 arguments is not a function; valid functions are exp(x), log(x), sqrt(x) and pow(x, y)");
  EXPECT_EQ(about("(1, 2)"), "'(1, 2)': a ')' is missing");
  EXPECT_EQ(about("1, 2"), "'1, 2': ',' is unexpected");
  EXPECT_EQ(about("(1))"), "'(1))': ')' is unexpected");
  EXPECT_EQ(about("exp()"), "'exp()': ')' is unexpected; must be a number, a name or '('");
  EXPECT_THAT(about("1e999"), ::testing::HasSubstr("out of range"));
}

}  // namespace
}  // namespace tessera::processes
