// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/rates.hpp"

#include <gmock/gmock.h>
#include <pthread.h>

#include <cmath>
#include <string>

#include "processes/compile.hpp"
#include "tests/complaint.hpp"
#include "tests/processes/models.hpp"

namespace tessera::processes {
namespace {

std::string model_with(const std::string& parameters) {
  return square_lattice() + parameters + process("p", "k", "CO@a", "empty@a");
}

double value(const std::string& parameters, const std::string& expression, const Settings& settings = {}) {
  const ModelFile model = read_model(model_with(parameters), "m.ini");
  Values values(model, settings);
  return values.fixed(values.formula({expression, 27}, "rate_constant of p"));
}

TEST(Values, OfParametersMayDependOnOthersAndOnSettings) {
  const std::string parameters = "[Parameter twice]\nvalue = 2*k\n[Parameter T]\nvalue = 600\n";
  EXPECT_EQ(value(parameters, "twice"), 5);
  EXPECT_EQ(value(parameters, "twice + 1", {{"k", 7}}), 15);
  EXPECT_DOUBLE_EQ(value(parameters, "1/(beta*h)*exp(-beta*0.9*eV)"),
                   1.3806488e-23 * 600 / 6.62606957e-34 * std::exp(-0.9 * 1.602176565e-19 / (1.3806488e-23 * 600)));
}

/// Runs an action with a small stack.
template <class Action>
void with_small_stack(const Action& action) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 << 10);
  pthread_t thread;
  const auto run = [](void* what) -> void* { return (*static_cast<const Action*>(what))(), nullptr; };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, const_cast<Action*>(&action)), 0);
  pthread_join(thread, nullptr);
}

// Each parameter is the next one within many parentheses, and the last one first closes the circle.
TEST(Values, OfLongChainsOfParametersDoNotOverflowTheStack) {
  constexpr int length = 990;
  const auto name = [](int i) { return "p" + std::to_string(i); };
  const auto chain = [&](const std::string& last) {
    std::string text;
    for (int i = 0; i < length; ++i)
      text += "[Parameter " + name(i) + "]\nvalue = " + std::string(90, '-') + std::string(100, '(') +
              (i + 1 < length ? name(i + 1) : last) + std::string(100, ')') + "\n";
    return text;
  };
  with_small_stack([&] { EXPECT_EQ(value(chain("7"), "p0"), 7); });
  with_small_stack([&] {
    EXPECT_EQ(complaint([&] { value(chain("p0"), "p0"); }), "m.ini line 28: value of p0: depends on itself");
  });
  EXPECT_THAT(complaint([&] { value(chain("q"), "p0"); }), ::testing::HasSubstr("m.ini line 2006: value of p989: "));
}

TEST(Values, AreRefusedIfImpossible) {
  const auto about = [](const std::string& parameters, const std::string& expression, const Settings& settings = {}) {
    return complaint([&] { value(parameters, expression, settings); });
  };
  EXPECT_EQ(about("", "1", {{"q", 1}}), "--set q=1: the model has no parameter 'q'; adjustable parameters are k");
  EXPECT_EQ(about("[Parameter f]\nvalue = 1\n", "1", {{"f", 2}}),
            "--set f=2: the parameter is not adjustable; add `adjustable = True` at m.ini line 28");
  const std::string temperature = "[Parameter T]\nvalue = 450\nadjustable = True\nmin = 300\nmax = 1500.0\n";
  for (const double set : {299.0, 1501.0})
    EXPECT_EQ(about(temperature, "T", {{"T", set}}),
              "--set T=" + std::to_string(int(set)) + ": T must lie in [300, 1500], its min and max at m.ini line 28");
  EXPECT_EQ(value(temperature, "T", {{"T", 1500}}), 1500);
  EXPECT_EQ(value("[Parameter E]\nvalue = 1\nadjustable = True\nmin = 0.0\nmax = 0.0\n", "E", {{"E", 2}}), 2)
      << "two zeros are kmcos' default";
  EXPECT_EQ(about("[Parameter f]\nvalue = 1\nmin = 2\nmax = 1\n", "1"),
            "m.ini line 30: max: must not be less than min");
  EXPECT_EQ(about("[Parameter f]\nvalue = 1\nmin = low\n", "1"), "m.ini line 29: min = low: must be a number");
  EXPECT_EQ(about("[Parameter f]\nvalue = g\n[Parameter g]\nvalue = f\n", "1"),
            "m.ini line 28: value of f: depends on itself");
  EXPECT_EQ(about("[Parameter f]\nvalue = 1/0\n", "1"), "m.ini line 28: value of f: is inf; it must be finite");
  EXPECT_THAT(about("", "q"),
              ::testing::StartsWith("m.ini line 27: rate_constant of p: 'q': 'q' is not defined; known"));
  EXPECT_EQ(about("", "beta"),
            "m.ini line 27: rate_constant of p: 'beta' is 1/(kboltzmann*T), but [Parameter T] is not defined");
  EXPECT_EQ(about("", "mu_NO3gas"),
            "m.ini line 27: rate_constant of p: 'mu_NO3gas' is not known; define its value in eV as [Parameter "
            "mu_NO3gas]. Known chemical potentials are mu_H2gas, mu_N2gas, mu_O2gas, mu_COgas, mu_CO2gas, mu_NOgas, "
            "mu_NO2gas, mu_H2Ogas, mu_NH3gas, mu_CH4gas, mu_C2H4gas, mu_HClgas and mu_Cl2gas");
  EXPECT_EQ(about("[Parameter T]\nvalue = 600\n", "mu_COgas"),
            "m.ini line 27: rate_constant of p: 'mu_COgas' requires [Parameter T], in K, and [Parameter p_COgas], in "
            "bar");
  const std::string hot = "[Parameter T]\nvalue = 2001\n[Parameter p_COgas]\nvalue = 1\n";
  EXPECT_EQ(about(hot, "mu_COgas"),
            "m.ini line 27: rate_constant of p: mu_COgas: T = 2001: must be a temperature from 200 to 2000 K");
  EXPECT_EQ(about("[Parameter T]\nvalue = 600\n[Parameter p_COgas]\nvalue = 0\n", "mu_COgas"),
            "m.ini line 27: rate_constant of p: mu_COgas: p_COgas = 0: must be a positive pressure in bar");
}

/// The value of an expression at a time, and the time from which on it is constant.
Value value_at(double time, const std::string& parameters, const std::string& expression,
               const Settings& settings = {}) {
  Values values(read_model(model_with(parameters), "m.ini"), settings);
  const Formula formula = values.formula({expression, 27}, "rate_constant of p");
  values.at(time);
  return values.of(formula);
}

TEST(Values, MayChangeWithTime) {
  const std::string ramp =
      "[Parameter T]\nvalue = 300 + b*time\nadjustable = True\nmax = 900\n"
      "[Parameter b]\nvalue = 5\nadjustable = True\n[Parameter p_COgas]\nvalue = 1\n";
  EXPECT_EQ(value_at(20, ramp, "T").value, 400);
  EXPECT_EQ(value_at(20, ramp, "2*T + time", {{"b", 1}}).value, 660);
  EXPECT_EQ(value_at(20, ramp, "T", {{"T", std::string("table(0: 1, 10: b)")}}).value, 5);
  const std::string at_400 = "[Parameter T]\nvalue = 400\n[Parameter p_COgas]\nvalue = 1\n";
  for (const char* of_temperature : {"beta", "mu_COgas", "exp(-beta*0.9*eV)"})
    EXPECT_EQ(value_at(20, ramp, of_temperature).value, value(at_400, of_temperature));
  EXPECT_EQ(value_at(0, ramp, "mu_COgas").until, HUGE_VAL);
  EXPECT_EQ(value_at(0, ramp, "b").until, 0);
  EXPECT_EQ(value_at(20, ramp + "[Parameter time]\nvalue = 3\n", "T").value, 315) << "a parameter has priority";

  EXPECT_EQ(complaint([&] { value(ramp, "2*T"); }),
            "m.ini line 27: rate_constant of p: changes with time; only rates, and parameters for them, may depend on "
            "time");
  EXPECT_EQ(complaint([&] { value_at(3, "", "1/(3 - time)"); }), "");
  EXPECT_EQ(complaint([&] {
              value_at(200, ramp, "T", {{"T", std::string("5*time")}});
            }),
            "--set T=5*time: T = 1000 at time = 200 must lie in [-inf, 900], its min and max at m.ini line 28");
  EXPECT_EQ(complaint([&] { value_at(3, "[Parameter f]\nvalue = 1/(3 - time)\n", "f"); }),
            "m.ini line 28: value of f: is inf at time = 3; it must be finite");
  EXPECT_EQ(complaint([&] {
              value_at(0, ramp, "T", {{"T", std::string("time + q")}}).value;
            }).find("--set T=time + q: 'time + q': 'q' is not defined; known"),
            0u);
  EXPECT_EQ(complaint([&] {
              value_at(60, "[Parameter T]\nvalue = 201 - time\n[Parameter p_COgas]\nvalue = 1\n", "mu_COgas");
            }),
            "mu_COgas: T = 141: must be a temperature from 200 to 2000 K at time = 60");
}

// The NIST-JANAF tables have S(T) in J/(mol K) and H(T) - H(298.15 K) in kJ/mol.
TEST(Values, OfChemicalPotentialsEqualTheJanafTables) {
  struct Row {
    const char* gas;
    double temperature, entropy, enthalpy, enthalpy_at_0;
  };
  for (const Row& row : {Row{"H2", 300, 130.858, 0.053, -8.467},    Row{"H2", 1000, 166.216, 20.680, -8.467},
                         Row{"O2", 300, 205.329, 0.054, -8.683},    Row{"O2", 600, 226.451, 9.244, -8.683},
                         Row{"CO", 300, 197.833, 0.054, -8.671},    Row{"CO", 1000, 234.538, 21.690, -8.671},
                         Row{"CO2", 600, 243.283, 12.907, -9.364},  Row{"CO2", 1000, 269.299, 33.397, -9.364},
                         Row{"H2O", 300, 189.042, 0.062, -9.904},   Row{"H2O", 1000, 232.738, 26.000, -9.904},
                         Row{"NO", 300, 210.943, 0.055, -9.192},    Row{"NO", 700, 236.761, 12.307, -9.192},
                         Row{"NO2", 300, 240.262, 0.068, -10.186},  Row{"NO2", 700, 275.988, 17.250, -10.186},
                         Row{"NH3", 500, 212.659, 7.819, -10.045},  Row{"NH3", 1000, 246.486, 32.637, -10.045},
                         Row{"CH4", 300, 186.472, 0.066, -10.024},  Row{"CH4", 700, 224.461, 18.635, -10.024},
                         Row{"C2H4", 300, 219.596, 0.079, -10.518}, Row{"C2H4", 700, 269.783, 24.763, -10.518},
                         Row{"HCl", 300, 187.081, 0.054, -8.640},   Row{"HCl", 700, 211.942, 11.811, -8.640},
                         Row{"Cl2", 300, 223.289, 0.063, -9.181},   Row{"Cl2", 700, 253.509, 14.408, -9.181},
                         Row{"N2", 300, 191.789, 0.054, -8.670},    Row{"N2", 1000, 228.170, 21.463, -8.670}}) {
    const std::string gas = row.gas;
    const std::string parameters =
        "[Parameter T]\nvalue = " + std::to_string(row.temperature) + "\n[Parameter p_" + gas + "gas]\nvalue = 0.02\n";
    const double molar = row.enthalpy - row.enthalpy_at_0 - row.temperature * row.entropy / 1000;
    const double expected = molar / 96.48533 + 8.617333e-5 * row.temperature * std::log(0.02);
    EXPECT_NEAR(value(parameters, "mu_" + gas + "gas"), expected, 5e-5) << gas << " " << row.temperature;
  }
}

// Per O atom, table I of K. Reuter and M. Scheffler, Phys. Rev. B 65, 035406, 2002.
TEST(Values, OfTheChemicalPotentialOfOxygenEqualThePublishedOnes) {
  const double published[][2] = {{200, -0.17}, {300, -0.27}, {500, -0.50}, {700, -0.73}, {1000, -1.10}};
  for (const auto& [temperature, half] : published)
    EXPECT_NEAR(value("[Parameter T]\nvalue = " + std::to_string(temperature) + "\n[Parameter p_O2gas]\nvalue = 1\n",
                      "mu_O2gas/2"),
                half, 0.0051);
}

TEST(Values, ThatAreNotFiniteAreIgnoredIfUnused) {
  const std::string texts = "[Parameter lattice_size]\nvalue = 40 40 1\n[Parameter gas]\nvalue = 'CO'\n";
  EXPECT_EQ(value(texts, "k"), 2.5);
  const auto about = [](const std::string& text) { return complaint([&] { compile(read_model(text, "m.ini"), {}); }); };
  EXPECT_EQ(about(square_lattice() + texts + process("p", "k*lattice_size", "CO@a", "empty@a")),
            "m.ini line 28: value of lattice_size: '40 40 1': '4' is unexpected");
  EXPECT_EQ(about(square_lattice() + texts + process("p", "k", "CO@a", "empty@a")), "");
}

TEST(Values, AreRefusedWithAllUndefinedNames) {
  const std::string text = square_lattice() + "[Parameter f]\nvalue = g*k + beta\n" +
                           process("p", "f*q", "CO@a", "empty@a",
                                   "otf_rate = base_rate*nr_CO_n + nr_CO_m\nbystanders = ['CO']@a.(1,0,0)|n\n") +
                           process("r", "q*s", "O@a", "empty@a") + "[Initial]\nCO@a = part\nwhere = x < size\n";
  EXPECT_EQ(complaint([&] { compile(read_model(text, "m.ini"), {}); }),
            "m.ini line 28: 'g' (line 28), 'beta' (line 28), 'q' (line 30), 'nr_CO_m' (line 33), 's' (line 37), 'part' "
            "(line 42) and 'size' (line 43) are not defined; define each as [Parameter NAME]");
}

// kmcos, with ase.thermochemistry.HarmonicThermo.
TEST(Values, OfFreeEnergiesOfAdsorbatesFollowFromFrequencies) {
  const std::string of_co =
      "[Parameter E_CO]\nvalue = 1.5 - k\n[Parameter f_CO]\nvalue = [100, 200.5]\n[Parameter T]\nvalue = 500\n";
  const double kt = 1.3806488e-23 * 500 / 1.602176565e-19;
  double expected = -1;
  for (const double wave_number : {100., 200.5}) {
    const double energy = wave_number * 1.23981e-4;
    expected += energy / 2 + kt * std::log(1 - std::exp(-energy / kt));
  }
  EXPECT_NEAR(value(of_co, "GibbsAds_CO"), expected, 1e-14);
  EXPECT_NEAR(value(of_co, "max(GibbsAds_CO, 0) - 2*GibbsAds_CO"), -2 * expected, 1e-14);
  EXPECT_THAT(complaint([&] { value("", "GibbsAds_CO"); }), ::testing::HasSubstr("[Parameter GibbsAds_CO]"));
}

TEST(Values, MayBeMissingWhereNothingRefersToThem) {
  const std::string text = square_lattice() + "[Parameter none]\nvalue =\n";
  EXPECT_EQ(complaint([&] { compile(read_model(text + process("p", "1", "empty@a", "CO@a"), "m.ini"), {}); }), "");
  EXPECT_THAT(complaint([&] { compile(read_model(text + process("p", "none", "empty@a", "CO@a"), "m.ini"), {}); }),
              ::testing::HasSubstr("none"));
}

// Of the formula of ase.thermochemistry.IdealGasThermo, which kmcos uses, with CODATA 2010.
TEST(Values, OfFreeEnergiesOfGasesAreThoseOfIdealGases) {
  const auto free_energy = [](const std::string& gas, const std::string& temperature, const std::string& pressure) {
    return value("[Parameter E_" + gas + "]\nvalue = 0.5\n[Parameter T]\nvalue = " + temperature + "\n[Parameter p_" +
                     gas + "]\nvalue = " + pressure + "\n",
                 "GibbsGas_" + gas);
  };
  EXPECT_NEAR(free_energy("H2gas", "523", "0.97"), 0.134550879, 1e-8);
  EXPECT_NEAR(free_energy("O2gas", "300", "0.001"), -0.129901495, 1e-8);
  EXPECT_NEAR(free_energy("COgas", "523", "0.97"), -0.370781594, 1e-8);
  EXPECT_NEAR(free_energy("H2Ogas", "523", "0.97"), 0.111322920, 1e-8);
  EXPECT_NEAR(free_energy("CH4gas", "300", "0.001"), 1.021634535, 1e-8);
  EXPECT_NEAR(free_energy("CH3CHOgas", "523", "0.97"), 0.615186004, 1e-8);
  EXPECT_NEAR(free_energy("CH3CH2OHgas", "300", "0.001"), 1.717665078, 1e-8);
  // The chemical potential of the NIST-JANAF tables, relative to E and the zero-point energy; its bond is 2 % shorter.
  const double of_tables = value("[Parameter T]\nvalue = 523\n[Parameter p_COgas]\nvalue = 0.97\n", "mu_COgas");
  EXPECT_NEAR(free_energy("COgas", "523", "0.97") - 0.5 - 2170 * 1.23981e-4 / 2, of_tables, 2e-3);
  EXPECT_THAT(complaint([&] { value("[Parameter E_COgas]\nvalue = 1\n", "GibbsGas_COgas"); }),
              ::testing::HasSubstr("'T'"));
  EXPECT_THAT(complaint([&] { value("", "GibbsGas_NO3gas"); }), ::testing::HasSubstr("[Parameter GibbsGas_NO3gas]"));
}

}  // namespace
}  // namespace tessera::processes
