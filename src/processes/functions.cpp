// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/expression.hpp"

#include <cmath>
#include <limits>
#include <tessera/core/exact_arithmetic.hpp>

namespace tessera::processes {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double exponential(double x) {
  if (x < -708) return 0;
  return x < 709 ? portable_exp(x) : (x >= 709 ? infinity : x);
}

}  // namespace

double portable_log(double x) {
  if (!(x > 0) || x == infinity) return x == 0 ? -infinity : (x > 0 ? x : std::numeric_limits<double>::quiet_NaN());
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

double portable_sin(double x, int quarter) {
  // The nearest multiple k of pi/2, in three parts of pi/2 of which k times the first and the second are exact.
  const double k = std::floor(x * 0x1.45f306dc9c883p-1 + 0.5);
  if (!(std::abs(k) < 0x1p20)) return std::numeric_limits<double>::quiet_NaN();
  const double r = ((x - k * 0x1.921fb544p0) - k * 0x1.0b4611a6p-34) - k * 0x1.3198a2e037073p-69;
  const auto phase = (static_cast<std::int64_t>(k) + quarter) & 3;
  const double r2 = r * r;
  double series = 0;  // of sin(r)/r or cos(r)
  for (int n = 20 + static_cast<int>(phase & 1 ? 0 : 1); n > 1; n -= 2) series = (1 + series) * (-r2 / (n * (n - 1)));
  const double value = (phase & 1) != 0 ? 1 + series : r + r * series;
  return phase < 2 ? value : -value;
}

double portable_atan(double x) {
  if (std::abs(x) > 1) return std::copysign(0x1.921fb54442d18p0, x) - portable_atan(1 / x);
  double t = x;  // the angle is halved twice
  for (int i = 0; i < 2; ++i) t = t / (1 + std::sqrt(1 + t * t));
  double series = 0;
  for (int n = 25; n >= 1; n -= 2) series = 1.0 / n - t * t * series;
  return 4 * t * series;
}

namespace {

/// Python's quotient and remainder, which has the sign of the divisor; `std::fmod` is exact.
double remainder(double a, double b) {
  const double rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
double quotient(double a, double b) { return std::floor((a - remainder(a, b)) / b + 0.5); }

/// Integer powers by repeated squaring, the power 1/2 by the square root, others by exp and log.
double power(double base, double exponent) {
  constexpr double largest_whole = 1 << 20;
  if (exponent == 0.5) return std::sqrt(base);
  if (exponent != std::floor(exponent) || std::abs(exponent) > largest_whole)
    return exponential(exponent * portable_log(base));
  double result = 1, square = base;
  for (auto left = static_cast<unsigned>(std::abs(exponent)); left != 0; left >>= 1) {
    if ((left & 1u) != 0) result *= square;
    square *= square;
  }
  return exponent < 0 ? 1 / result : result;
}

constexpr double half_pi = 0x1.921fb54442d18p0;
double arcsine(double x) { return portable_atan(x / std::sqrt(1 - x * x)); }

}  // namespace

const std::vector<Function> functions{
    {"exp", 1, 1, false, [](double a, double) { return exponential(a); }},
    {"log", 1, 1, false, [](double a, double) { return portable_log(a); }},
    {"sqrt", 1, 1, false, [](double a, double) { return std::sqrt(a); }},
    {"pow", 2, 2, false, power},
    {"abs", 1, 1, false, [](double a, double) { return std::abs(a); }},
    {"floor", 1, 1, true, [](double a, double) { return std::floor(a); }},
    {"ceil", 1, 1, true, [](double a, double) { return std::ceil(a); }},
    {"min", 2, 999, false, [](double a, double b) { return b < a ? b : a; }},
    {"max", 2, 999, false, [](double a, double b) { return b > a ? b : a; }},
    {"sin", 1, 1, false, [](double a, double) { return portable_sin(a, 0); }},
    {"cos", 1, 1, false, [](double a, double) { return portable_sin(a, 1); }},
    {"tan", 1, 1, false, [](double a, double) { return portable_sin(a, 0) / portable_sin(a, 1); }},
    {"asin", 1, 1, false, [](double a, double) { return arcsine(a); }},
    {"acos", 1, 1, false, [](double a, double) { return half_pi - arcsine(a); }},
    {"atan", 1, 1, false, [](double a, double) { return portable_atan(a); }}};

const std::vector<Operator> operators{
    {"**", of_power, false, power},
    {"//", of_product, true, quotient},
    {"*", of_product, false, [](double a, double b) { return a * b; }},
    {"/", of_product, false, [](double a, double b) { return a / b; }},
    {"%", of_product, true, remainder},
    {"+", of_sum, false, [](double a, double b) { return a + b; }},
    {"-", of_sum, false, [](double a, double b) { return a - b; }},
    {"<=", of_comparison, true, [](double a, double b) { return a <= b ? 1.0 : 0.0; }},
    {">=", of_comparison, true, [](double a, double b) { return a >= b ? 1.0 : 0.0; }},
    {"==", of_comparison, true, [](double a, double b) { return a == b ? 1.0 : 0.0; }},
    {"!=", of_comparison, true, [](double a, double b) { return a != b ? 1.0 : 0.0; }},
    {"<", of_comparison, true, [](double a, double b) { return a < b ? 1.0 : 0.0; }},
    {">", of_comparison, true, [](double a, double b) { return a > b ? 1.0 : 0.0; }},
    {"and", of_and, true, [](double a, double b) { return a != 0 ? b : a; }},
    {"or", of_or, true, [](double a, double b) { return a != 0 ? a : b; }}};
const Operator negative{"-", of_sign, false, [](double a, double) { return -a; }};
const Operator negation{"not", of_not, true, [](double a, double) { return a == 0 ? 1.0 : 0.0; }};

}  // namespace tessera::processes
