// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/values.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/complaint.hpp"
#include "tests/processes/models.hpp"

namespace tessera::processes {
namespace {

using ::tessera::testing::complaint;

std::string model_with(const std::string& parameters) {
  return ::tessera::testing::square_lattice() + parameters + ::tessera::testing::process("p", "k", "CO@a", "empty@a");
}

double value(const std::string& parameters, const std::string& expression, const Settings& settings = {}) {
  const ModelFile model = read_model(model_with(parameters), "m.ini");
  return Values(model, settings).of({expression, 27}, "rate_constant of p");
}

TEST(Values, OfParametersMayComeFromOthersAndFromSettings) {
  const std::string parameters = "[Parameter twice]\nvalue = 2*k\n[Parameter T]\nvalue = 600\n";
  EXPECT_EQ(value(parameters, "twice"), 5);
  EXPECT_EQ(value(parameters, "twice + 1", {{"k", 7}}), 15);
  EXPECT_DOUBLE_EQ(value(parameters, "1/(beta*h)*exp(-beta*0.9*eV)"),
                   1.3806488e-23 * 600 / 6.62606957e-34 * std::exp(-0.9 * 1.602176565e-19 / (1.3806488e-23 * 600)));
}

TEST(Values, ThatCannotBeAreRefused) {
  const auto about = [](const std::string& parameters, const std::string& expression, const Settings& settings = {}) {
    return complaint([&] { value(parameters, expression, settings); });
  };
  EXPECT_EQ(about("", "1", {{"q", 1}}), "--set q=1: the model has no parameter 'q'; adjustable parameters are k");
  EXPECT_EQ(about("[Parameter f]\nvalue = 1\n", "1", {{"f", 2}}),
            "--set f=2: the parameter is not adjustable; add `adjustable = True` at m.ini line 28");
  EXPECT_EQ(about("[Parameter f]\nvalue = g\n[Parameter g]\nvalue = f\n", "1"),
            "m.ini line 28: value of f: depends on itself");
  EXPECT_EQ(about("[Parameter f]\nvalue = 1/0\n", "1"), "m.ini line 28: value of f: is inf; it must be finite");
  EXPECT_EQ(about("", "q"), "m.ini line 27: rate_constant of p: 'q': 'q' is not defined");
  EXPECT_EQ(about("", "beta"),
            "m.ini line 27: rate_constant of p: 'beta' is 1/(kboltzmann*T), but [Parameter T] is not defined");
  EXPECT_EQ(about("", "mu_COgas"),
            "m.ini line 27: rate_constant of p: 'mu_COgas' is a tabulated value that Tessera does not have; define its "
            "value in eV as [Parameter mu_COgas]");
}

}  // namespace
}  // namespace tessera::processes
