// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/expression.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <tessera/core/error.hpp>
#include <tessera/core/exact_arithmetic.hpp>
#include <utility>
#include <vector>

#include "options/shown_text.hpp"

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

namespace {

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

/// Dijkstra's shunting yard with Python's precedence: - a ** - b ** c is -(a ** (-(b ** c))).
class Parser {
 public:
  Parser(const std::string& text, const Lookup& lookup) : text_(text), lookup_(lookup) {}

  double all() {
    do {
      while (!take_operand()) {
      }
      while (take(")")) close();
    } while (take_operator());
    return values_.back();
  }

 private:
  /// An operation that waits for its right operand, or, without precedence, a parenthesis, perhaps of a function.
  struct Open {
    char operation;
    int precedence = 0;
    std::string function = "";
    int arguments = 1;
  };

  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError("'" + program::shown(text_, 200) + "': " + what);
  }

  /// Consumes `token` if it is next; returns whether it was.
  bool take(std::string_view token) {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    if (text_.compare(at_, token.size(), token) != 0) return false;
    at_ += token.size();
    return true;
  }

  /// Consumes a sign or parenthesis, and returns false, or a number or name, and returns true.
  bool take_operand() {
    if (take("-")) return wait({'~', 3});
    if (take("+")) return false;
    if (take("(")) return wait({'('});
    if (at_ == text_.size()) refuse("is incomplete at its end");
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (!is_letter(text_[at_])) {
      values_.push_back(number());
      return true;
    }
    std::string name;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) name += text_[at_++];
    if (take("(")) return wait({'(', 0, name});
    const std::optional<double> value = lookup_(name);
    if (!value) {
      std::string known;
      for (const auto& one : constants) known += std::string(one.first) + ", ";
      refuse("'" + name + "' is not defined; known are parameters, " + known + "beta and m_MOLECULE");
    }
    values_.push_back(*value);
    return true;
  }
  bool wait(const Open& open) {
    open_.push_back(open);
    return false;
  }
  double number() {
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range) refuse("a number is out of range");
    if (error != std::errc()) refuse("'" + text_.substr(at_, 1) + "' is unexpected; must be a number, a name or '('");
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  /// After an operand: consumes an operator or the comma between arguments; false at the end.
  bool take_operator() {
    for (const char* token : {"**", "*", "/", "+", "-"}) {
      if (!take(token)) continue;
      const int precedence = token[1] == '*' ? 4 : (token[0] == '*' || token[0] == '/' ? 2 : 1);
      finish(precedence == 4 ? 5 : precedence);  // powers wait for those on their right
      wait({precedence == 4 ? '^' : token[0], precedence});
      return true;
    }
    finish(1);
    if (!open_.empty() && !open_.back().function.empty() && take(",")) return ++open_.back().arguments > 0;
    if (!open_.empty()) refuse("a ')' is missing");
    if (at_ < text_.size()) refuse("'" + text_.substr(at_, 1) + "' is unexpected");
    return false;
  }
  /// Performs the operations that wait, of this precedence or a higher one.
  void finish(int precedence) {
    for (; !open_.empty() && open_.back().precedence >= precedence; open_.pop_back()) perform(open_.back().operation);
  }
  void close() {
    finish(1);
    if (open_.empty()) refuse("')' is unexpected");
    const Open its = open_.back();
    open_.pop_back();
    if (its.function.empty()) return;
    if (its.function == "pow" && its.arguments == 2) return perform('^');
    if (its.arguments != 1 || (its.function != "exp" && its.function != "log" && its.function != "sqrt"))
      refuse("'" + its.function + "' with " + std::to_string(its.arguments) +
             " arguments is not a function; valid functions are exp(x), log(x), sqrt(x) and pow(x, y)");
    perform(its.function[0]);
  }
  void perform(char operation) {
    const double last = values_.back();
    if (std::string_view("+-*/^").find(operation) != std::string_view::npos) values_.pop_back();
    double& value = values_.back();
    value = operation == '+'   ? value + last
            : operation == '-' ? value - last
            : operation == '*' ? value * last
            : operation == '/' ? value / last
            : operation == '^' ? power(value, last)
            : operation == '~' ? -last
            : operation == 'e' ? exponential(last)
            : operation == 'l' ? portable_log(last)
                               : std::sqrt(last);
  }

  const std::string& text_;
  const Lookup& lookup_;
  std::vector<Open> open_;
  std::vector<double> values_;
  std::size_t at_ = 0;
};

struct Element {
  const char* symbol;
  double mass;
};
/// Standard atomic weights (IUPAC) of elements in common gases.
constexpr Element elements[] = {
    {"H", 1.008},      {"He", 4.002602},    {"Li", 6.94},    {"B", 10.81},        {"C", 12.011},   {"N", 14.007},
    {"O", 15.999},     {"F", 18.998403163}, {"Ne", 20.1797}, {"Na", 22.98976928}, {"Mg", 24.305},  {"Al", 26.9815385},
    {"Si", 28.085},    {"P", 30.973761998}, {"S", 32.06},    {"Cl", 35.45},       {"Ar", 39.948},  {"Ti", 47.867},
    {"Fe", 55.845},    {"Ni", 58.6934},     {"Cu", 63.546},  {"Zn", 65.38},       {"Ga", 69.723},  {"Ge", 72.630},
    {"As", 74.921595}, {"Se", 78.971},      {"Br", 79.904},  {"Kr", 83.798},      {"In", 114.818}, {"I", 126.90447},
    {"Xe", 131.293},   {"Hg", 200.592}};

/// Mass of a molecule such as "CO2" or "CH3OH"; 0 if it has an element that is not listed above.
double mass_of(const std::string& formula) {
  double mass = 0;
  for (std::size_t at = 0; at < formula.size();) {
    const Element* found = nullptr;
    std::size_t length = 0;
    for (const Element& element : elements) {
      const std::string symbol = element.symbol;
      if (symbol.size() > length && formula.compare(at, symbol.size(), symbol) == 0) {
        found = &element;
        length = symbol.size();
      }
    }
    if (found == nullptr) return 0;
    at += length;
    int count = 0;
    for (; at < formula.size() && formula[at] >= '0' && formula[at] <= '9' && count < 1000; ++at)
      count = 10 * count + (formula[at] - '0');
    mass += found->mass * (count == 0 ? 1 : count);
  }
  return mass;
}

}  // namespace

double evaluate(const std::string& expression, const Lookup& lookup) { return Parser(expression, lookup).all(); }

std::optional<double> constant(const std::string& name) {
  for (const auto& [known, value] : constants)
    if (name == known) return value;
  if (!name.starts_with("m_")) return std::nullopt;
  const double mass = mass_of(name.substr(2));
  if (mass > 0) return mass;
  throw InputError("'" + name + "' is the mass of an unknown molecule; define its value in umass as [Parameter " +
                   name + "]");
}

}  // namespace tessera::processes
