// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/expression.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <regex>
#include <tessera/core/error.hpp>
#include <tessera/core/exact_arithmetic.hpp>
#include <utility>

#include "options/text.hpp"

namespace tessera::processes {
namespace {

/// Python's quotient and remainder, which has the sign of the divisor; `std::fmod` is exact.
double remainder(double a, double b) {
  const double rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
double quotient(double a, double b) { return std::floor((a - remainder(a, b)) / b + 0.5); }

/// Integer powers by repeated squaring, the power 1/2 by the square root, others by exp and log.
double power(double base, double exponent) {
  if (exponent == 0.5) return std::sqrt(base);
  if (exponent != std::floor(exponent) || std::abs(exponent) > largest_whole_power)
    return portable_exponential(exponent * portable_log(base));
  double result = 1, square = base;
  for (auto left = static_cast<unsigned>(std::abs(exponent)); left != 0; left >>= 1) {
    if ((left & 1u) != 0) result *= square;
    square *= square;
  }
  return exponent < 0 ? 1 / result : result;
}

constexpr double half_pi = 0x1.921fb54442d18p0;
double arcsine(double x) { return portable_atan(x / std::sqrt(1 - x * x)); }
Series arcsine(const Series& x, const Series& = {}) {
  return arctangent(divided(x, square_root(minus(1, times(x, x)))));
}

/// CODATA 2010, SI.
constexpr std::pair<const char*, double> constants[] = {{"pi", 3.14159265358979323846},
                                                        {"c", 2.99792458e8},
                                                        {"h", 6.62606957e-34},
                                                        {"hbar", 1.054571726e-34},
                                                        {"eV", 1.602176565e-19},
                                                        {"kboltzmann", 1.3806488e-23},
                                                        {"kB", 1.3806488e-23},
                                                        {"k_B", 1.3806488e-23},
                                                        {"umass", 1.660538921e-27},
                                                        {"amu", 1.660538921e-27},
                                                        {"angstrom", 1e-10},
                                                        {"bar", 1e5},
                                                        {"atm", 101325}};

/// Standard atomic weights (IUPAC) of elements in common gases.
constexpr std::pair<const char*, double> elements[] = {
    {"H", 1.008},      {"He", 4.002602},    {"Li", 6.94},    {"B", 10.81},        {"C", 12.011},   {"N", 14.007},
    {"O", 15.999},     {"F", 18.998403163}, {"Ne", 20.1797}, {"Na", 22.98976928}, {"Mg", 24.305},  {"Al", 26.9815385},
    {"Si", 28.085},    {"P", 30.973761998}, {"S", 32.06},    {"Cl", 35.45},       {"Ar", 39.948},  {"Ti", 47.867},
    {"Fe", 55.845},    {"Ni", 58.6934},     {"Cu", 63.546},  {"Zn", 65.38},       {"Ga", 69.723},  {"Ge", 72.630},
    {"As", 74.921595}, {"Se", 78.971},      {"Br", 79.904},  {"Kr", 83.798},      {"In", 114.818}, {"I", 126.90447},
    {"Xe", 131.293},   {"Hg", 200.592}};

/// Mass of a molecule such as "CO2" or "CH3OH"; 0 if it has an element that is not listed above.
double mass_of(const std::string& formula) {
  static const std::regex part("([A-Z][a-z]?)([0-9]{0,4})");
  double mass = 0;
  std::ptrdiff_t length = 0;
  for (std::sregex_iterator one(formula.begin(), formula.end(), part), end; one != end; ++one) {
    const auto* const element = std::ranges::find(elements, (*one)[1].str(), &std::pair<const char*, double>::first);
    if (element == std::end(elements) || one->position() != length) return 0;
    length += one->length();
    mass += element->second * std::max(1, std::atoi((*one)[2].str().c_str()));
  }
  return length == std::ssize(formula) ? mass : 0;
}

constexpr double coldest = 200;

/// Shomate parameters of the NIST Chemistry WebBook (NIST Standard Reference Database 69), and enthalpies at 0 K of the
/// NIST-JANAF tables (M. W. Chase, J. Phys. Chem. Ref. Data, Monograph 9, 1998), from which the WebBook has them.
constexpr Gas gases[] = {
    {"H2",
     -8.467,
     {{1000, 33.066178, -11.363417, 11.432816, -2.772874, -0.158558, -9.980797, 172.707974, 0},
      {2000, 18.563083, 12.257357, -2.859786, 0.268238, 1.977990, -1.147438, 156.288133, 0}}},
    {"N2",
     -8.670,
     {{500, 28.98641, 1.853978, -9.647459, 16.63537, 0.000117, -8.671914, 226.4168, 0},
      {2000, 19.50583, 19.88705, -8.598535, 1.369784, 0.527601, -4.935202, 212.3900, 0}}},
    {"O2",
     -8.683,
     {{700, 31.32234, -20.23531, 57.86644, -36.50624, -0.007374, -8.903471, 246.7945, 0},
      {2000, 30.03235, 8.772972, -3.988133, 0.788313, -0.741599, -11.32468, 236.1663, 0}}},
    {"CO",
     -8.671,
     {{1300, 25.56759, 6.096130, 4.054656, -2.671301, 0.131021, -118.0089, 227.3665, -110.5271},
      {2000, 35.15070, 1.300095, -0.205921, 0.013550, -3.282780, -127.8375, 231.7120, -110.5271}}},
    {"CO2",
     -9.364,
     {{1200, 24.99735, 55.18696, -33.69137, 7.948387, -0.136638, -403.6075, 228.2431, -393.5224},
      {2000, 58.16639, 2.720074, -0.492289, 0.038844, -6.447293, -425.9186, 263.6125, -393.5224}}},
    {"NO",
     -9.192,
     {{1200, 23.83491, 12.58878, -1.139011, -1.497459, 0.214194, 83.35783, 237.1219, 90.29114},
      {2000, 35.99169, 0.957170, -0.148032, 0.009974, -3.004088, 73.10787, 246.1619, 90.29114}}},
    {"NO2",
     -10.186,
     {{1200, 16.10857, 75.89525, -54.38740, 14.30777, 0.239423, 26.17464, 240.5386, 33.09502},
      {2000, 56.82541, 0.738053, -0.144721, 0.009777, -5.459911, 2.846456, 290.5056, 33.09502}}},
    {"H2O", -9.904, {{1700, 30.09200, 6.832514, 6.793435, -2.534480, 0.082139, -250.8810, 223.3967, -241.8264}}},
    {"NH3", -10.045, {{1400, 19.99563, 49.77119, -15.37599, 1.921168, 0.189174, -53.30667, 203.8591, -45.89806}}},
    {"CH4", -10.024, {{1300, -0.703029, 108.4773, -42.52157, 5.862788, 0.678565, -76.84376, 158.7163, -74.87310}}},
    {"C2H4", -10.518, {{1200, -6.387880, 184.4019, -112.9718, 28.49593, 0.315540, 48.17332, 163.1568, 52.46694}}},
    {"HCl", -8.640, {{1200, 32.12392, -13.45805, 19.86852, -6.853936, -0.049672, -101.6206, 228.6866, -92.31201}}},
    {"Cl2", -9.181, {{1000, 33.05060, 12.22940, -12.06510, 4.385330, -0.159494, -10.83480, 259.0290, 0}}}};

/// Wave numbers of kmcos, from the NIST Computational Chemistry Comparison and Benchmark Database; moments of inertia
/// of the geometries of the G2 test set, which kmcos uses.
constexpr IdealGas ideal_gases[] = {
    {"H2", "4401", 0.273880511, 2},
    {"O2", "1580", 12.4184746, 2, 3},
    {"CO", "2170", 9.07844234, 1},
    {"H2O", "3657, 1595, 3756", 1.35402883, 2, 1, false},
    {"CH4", "2917, 1534, 1534, 3019, 3019, 3019, 1306, 1306, 1306", 32.512040, 12, 1, false},
    {"CH3CHO", "3014, 2923, 2716, 1743, 1433, 1395, 1352, 1114, 867, 509, 2964, 1431, 1102, 764, 150", 25051.1974, 1, 1,
     false},
    {"CH3CH2OH",
     "3653, 2984, 2939, 2900, 1490, 1464, 1412, 1371, 1256, 1091, 1028, 888, 417, 2991, 2910, 1446, 1275, 1161, 812",
     47772.0488, 1, 1, false}};

Series operator+(const Series& a, const Series& b) { return plus(a, b); }
Series operator-(const Series& a, const Series& b) { return minus(a, b); }
Series operator*(const Series& a, const Series& b) { return times(a, b); }
Series operator/(const Series& a, const Series& b) { return divided(a, b); }
double logarithm(double x) { return portable_log(x); }

template <class Number>
Number potential(const Gas& gas, const Gas::Range& in, const Number& temperature, const Number& pressure) {
  const Number t = temperature / 1000.0, t2 = t * t, t3 = t * t2, t4 = t2 * t2;
  // H - H(0 K) - T S in kJ/mol, of which H and S are the Shomate equations for T in 1000 K.
  const Number of_h =
      in.a * t + in.b * t2 / 2.0 + in.c * t3 / 3.0 + in.d * t4 / 4.0 - in.e / t + in.f - in.h - gas.enthalpy;
  const Number s = in.a * logarithm(t) + in.b * t + in.c * t2 / 2.0 + in.d * t3 / 3.0 - in.e / (2.0 * t2) + in.g;
  constexpr double avogadro = 6.02214129e23;
  const double ev = *constant("eV"), boltzmann = *constant("kboltzmann");
  return (of_h - t * s) * 1000.0 / (avogadro * ev) + boltzmann * temperature / ev * logarithm(pressure);
}

}  // namespace

double portable_exponential(double x) {
  if (x < -708) return 0;
  return x < 709 ? portable_exp(x) : (x >= 709 ? HUGE_VAL : x);
}

double portable_log(double x) {
  if (!(x > 0) || x == HUGE_VAL) return x == 0 ? -HUGE_VAL : (x > 0 ? x : std::numeric_limits<double>::quiet_NaN());
  int k = 0;
  double m = std::frexp(x, &k);  // exact
  if (m < 0.70710678118654752) {
    m *= 2;
    --k;
  }
  const double t = (m - 1) / (m + 1), t2 = t * t;
  double series = 0;
  for (int n = 25; n >= 1; n -= 2) series = series * t2 + 1.0 / n;
  return k * 0x1.62e42fefa39efp-1 + 2 * t * series;
}

double portable_atan(double x) {
  if (std::abs(x) > 1) return std::copysign(0x1.921fb54442d18p0, x) - portable_atan(1 / x);
  double t = x;  // the angle is halved twice
  for (int i = 0; i < 2; ++i) t = t / (1 + std::sqrt(1 + t * t));
  double series = 0;
  for (int n = 25; n >= 1; n -= 2) series = 1.0 / n - t * t * series;
  return 4 * t * series;
}

const std::vector<Function> functions{
    {"exp", 1, 1, [](double a, double) { return portable_exponential(a); }, exponential},
    {"log", 1, 1, [](double a, double) { return portable_log(a); }, logarithm},
    {"sqrt", 1, 1, [](double a, double) { return std::sqrt(a); }, square_root},
    {"pow", 2, 2, power, raised},
    {"abs", 1, 1, [](double a, double) { return std::abs(a); }, absolute},
    {"floor", 1, 1, [](double a, double) { return std::floor(a); }, nullptr},
    {"ceil", 1, 1, [](double a, double) { return std::ceil(a); }, nullptr},
    {"min", 2, 999, [](double a, double b) { return b < a ? b : a; }, smaller},
    {"max", 2, 999, [](double a, double b) { return b > a ? b : a; }, larger},
    {"sin", 1, 1, [](double a, double) { return portable_sin(a, 0); }, sine},
    {"cos", 1, 1, [](double a, double) { return portable_sin(a, 1); }, cosine},
    {"tan", 1, 1, [](double a, double) { return portable_sin(a, 0) / portable_sin(a, 1); },
     [](const Series& a, const Series&) { return divided(sine(a), cosine(a)); }},
    {"asin", 1, 1, [](double a, double) { return arcsine(a); }, arcsine},
    {"acos", 1, 1, [](double a, double) { return half_pi - arcsine(a); },
     [](const Series& a, const Series&) { return minus(half_pi, arcsine(a)); }},
    {"atan", 1, 1, [](double a, double) { return portable_atan(a); }, arctangent}};

const std::vector<Function> operators{
    {"**", 2, 2, power, raised, of_power},
    {"//", 2, 2, quotient, nullptr, of_product},
    {"*", 2, 2, [](double a, double b) { return a * b; }, times, of_product},
    {"/", 2, 2, [](double a, double b) { return a / b; }, divided, of_product},
    {"%", 2, 2, remainder, nullptr, of_product},
    {"+", 2, 2, [](double a, double b) { return a + b; }, plus, of_sum},
    {"-", 2, 2, [](double a, double b) { return a - b; }, minus, of_sum},
    {"<=", 2, 2, [](double a, double b) { return a <= b ? 1.0 : 0.0; }, nullptr, of_comparison},
    {">=", 2, 2, [](double a, double b) { return a >= b ? 1.0 : 0.0; }, nullptr, of_comparison},
    {"==", 2, 2, [](double a, double b) { return a == b ? 1.0 : 0.0; }, nullptr, of_comparison},
    {"!=", 2, 2, [](double a, double b) { return a != b ? 1.0 : 0.0; }, nullptr, of_comparison},
    {"<", 2, 2, [](double a, double b) { return a < b ? 1.0 : 0.0; }, nullptr, of_comparison},
    {">", 2, 2, [](double a, double b) { return a > b ? 1.0 : 0.0; }, nullptr, of_comparison},
    {"and", 2, 2, [](double a, double b) { return a != 0 ? b : a; }, nullptr, of_and},
    {"or", 2, 2, [](double a, double b) { return a != 0 ? a : b; }, nullptr, of_or}};
const Function negative{
    "-",    1, 1, [](double a, double) { return -a; }, [](const Series& a, const Series&) { return times(a, -1); },
    of_sign};
const Function negation{"not", 1, 1, [](double a, double) { return a == 0 ? 1.0 : 0.0; }, nullptr, of_not};

std::string constant_names() {
  return program::joined(constants, ", ", [](const auto& one) { return one.first; });
}

std::optional<double> constant(const std::string& name) {
  for (const auto& [known, value] : constants)
    if (name == known) return value;
  const double mass = name.starts_with("m_") ? mass_of(name.substr(2)) : 0;
  return mass > 0 ? std::optional(mass) : std::nullopt;
}

double Gas::chemical_potential(double temperature, double pressure) const {
  const Range& in = temperature <= ranges[0].up_to ? ranges[0] : ranges[1];
  if (!(temperature >= coldest && temperature <= in.up_to))
    throw InputError(std::string("mu_") + name + "gas: T = " + program::write_value(temperature) +
                     ": must be a temperature from " + program::write_value(coldest) + " to " +
                     program::write_value(std::max(ranges[0].up_to, ranges[1].up_to)) + " K");
  if (!(pressure > 0))
    throw InputError(std::string("mu_") + name + "gas: p_" + name + "gas = " + program::write_value(pressure) +
                     ": must be a positive pressure in bar");
  return potential(*this, in, temperature, pressure);
}

Series Gas::chemical_potential(const Series& temperature, const Series& pressure) const {
  const Interval& values = temperature.at(0);
  for (const Range& in : ranges)
    if (values.lower() >= (&in == ranges ? coldest : ranges[0].up_to) && values.upper() <= in.up_to)
      return potential(*this, in, temperature, pressure);
  return Series::unknown();
}

const Gas* gas_of_potential(const std::string& name) {
  for (const Gas& gas : gases)
    if (name == std::string("mu_") + gas.name + "gas") return &gas;
  return nullptr;
}

std::string potential_names() {
  return program::joined(gases, " and ", [](const Gas& gas) { return std::string("mu_") + gas.name + "gas"; });
}

std::string IdealGas::free_energy() const {
  const std::string thermal = "kboltzmann*T/h**2", inertias = program::write_value(inertia),
                    rotations = "8*pi**2*umass*angstrom**2*" + thermal,
                    of_rotations =
                        is_linear ? rotations + "*" + inertias : "sqrt(pi*" + inertias + "*(" + rotations + ")**3)";
  return "-kboltzmann*T/eV*log((2*pi*umass*m_" + std::string(name) + "*" + thermal + ")**1.5*" + of_rotations + "*" +
         std::to_string(spins) + "/" + std::to_string(symmetry_number) + "*kboltzmann*T/(bar*p_" + name + "gas))";
}

const IdealGas* ideal_gas(const std::string& name) {
  for (const IdealGas& gas : ideal_gases)
    if (name == std::string("GibbsGas_") + gas.name + "gas") return &gas;
  return nullptr;
}

}  // namespace tessera::processes
