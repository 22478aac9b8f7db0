// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/expression.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <tessera/core/error.hpp>
#include <tessera/core/exact_arithmetic.hpp>
#include <vector>

#include "options/shown_text.hpp"

namespace tessera::processes {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double exponential(double x) {
  if (x < -708) return 0;
  return x < 709 ? portable_exp(x) : (x >= 709 ? infinity : x);
}

[[noreturn]] void refuse_in(const std::string& text, const std::string& what) {
  throw InputError("'" + program::shown(text, 200) + "': " + what);
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

}  // namespace

/// Dijkstra's shunting yard with Python's precedence: - a ** - b ** c is -(a ** (-(b ** c))).
class Parser {
 public:
  explicit Parser(Expression& expression) : result_(expression), text_(expression.text_) {}

  void all() {
    do {
      while (!take_operand()) {
      }
      while (take(")")) close();
    } while (take_operator());
  }

 private:
  /// An operation that waits for its right operand, or, without precedence, a parenthesis, perhaps of a function.
  struct Open {
    char operation;
    int precedence = 0;
    std::string function = "";
    std::uint32_t arguments = 1;
  };
  static constexpr const char* functions =
      "exp(x), log(x), sqrt(x), pow(x, y), table(time: x, time: x, ...) and piecewise(x, time: x, ...)";

  [[noreturn]] void refuse(const std::string& what) const { refuse_in(text_, what); }

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
      result_.operations_.push_back({'#', 0, number()});
      return true;
    }
    std::string name;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) name += text_[at_++];
    if (take("(")) return wait({'(', 0, name});
    result_.operations_.push_back({'n', static_cast<std::uint32_t>(result_.names_.size())});
    result_.names_.push_back(name);
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

  /// After an operand: consumes an operator or what separates the arguments of a function; false at the end.
  bool take_operator() {
    for (const char* token : {"**", "*", "/", "+", "-"}) {
      if (!take(token)) continue;
      const int precedence = token[1] == '*' ? 4 : (token[0] == '*' || token[0] == '/' ? 2 : 1);
      finish(precedence == 4 ? 5 : precedence);  // powers wait for those on their right
      wait({precedence == 4 ? '^' : token[0], precedence});
      return true;
    }
    finish(1);
    if (!open_.empty() && !open_.back().function.empty()) {
      const std::string& function = open_.back().function;
      const bool is_time = (function == "table" && open_.back().arguments % 2 == 1) ||
                           (function == "piecewise" && open_.back().arguments % 2 == 0);
      if (take(is_time ? ":" : ",")) return ++open_.back().arguments > 0;
    }
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
    const auto is = [&](const char* function, bool arguments) { return its.function == function && arguments; };
    if (its.function.empty()) return;
    if (is("pow", its.arguments == 2)) return perform('^');
    if (is("table", its.arguments % 2 == 0) || is("piecewise", its.arguments % 2 == 1 && its.arguments > 1))
      return perform(its.function[0], its.arguments);
    if (!is("exp", its.arguments == 1) && !is("log", its.arguments == 1) && !is("sqrt", its.arguments == 1))
      refuse("'" + its.function + "' with " + std::to_string(its.arguments) +
             " arguments is not a function; valid functions are " + functions);
    perform(its.function[0]);
  }
  void perform(char operation, std::uint32_t count = 0) { result_.operations_.push_back({operation, count}); }

  Expression& result_;
  const std::string& text_;
  std::vector<Open> open_;
  std::size_t at_ = 0;
};

Expression::Expression(const std::string& text) : text_(text) { Parser(*this).all(); }

void Expression::bind(const Number& number) {
  for (Operation& one : operations_) {
    if (one.code != 'n') continue;
    const auto found = number(names_[one.count]);
    if (!found)
      refuse_in(text_, "'" + names_[one.count] + "' is not defined; known are parameters, time, " +
                           program::joined(constant_names(), ", ") + ", beta and m_MOLECULE");
    one.count = *found;
  }
  names_.clear();
}

namespace {

/// The piece with this time among `count` pairs of a time and a value: the number of pairs before or at this time.
std::size_t pairs_until(double time, const Value* pairs, std::size_t count, const std::string& text,
                        std::set<double>* kinks) {
  std::size_t until = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& [at, changes_until] = pairs[2 * i];
    if (changes_until > 0 || !(at > -infinity && at < infinity) || (i > 0 && at < pairs[2 * i - 2].value))
      refuse_in(text, "the times before ':' must be finite constants that do not decrease");
    if (kinks != nullptr && at > 0) kinks->insert(at);
    until += at <= time ? 1 : 0;
  }
  return until;
}

}  // namespace

Value Expression::at(double time, const std::vector<Value>& named, std::set<double>* kinks) const {
  std::vector<Value> stack;
  stack.reserve(8);
  for (const auto& [code, count, number] : operations_) {
    if (code == '#' || code == 'n') {
      stack.push_back(code == 'n' ? named[count] : Value{number});
      continue;
    }
    if (code == 't' || code == 'p') {
      const bool is_table = code == 't';
      const Value* const first = stack.data() + (stack.size() - count);
      const std::size_t pairs = count / 2, i = pairs_until(time, first + (is_table ? 0 : 1), pairs, text_, kinks);
      Value value = is_table ? first[i == 0 ? 1 : 2 * i - 1] : first[2 * i];
      if (is_table && i > 0 && i < pairs) {
        const double from = first[2 * i - 2].value, to = first[2 * i].value;
        value.value += (first[2 * i + 1].value - value.value) * ((time - from) / (to - from));
      }
      value.until = stack.back().until;
      if (i < pairs) value.until = std::max(value.until, first[count - 2].value);
      stack.resize(stack.size() - count);
      stack.push_back(value);
      continue;
    }
    const Value last = stack.back();
    if (std::string_view("+-*/^").find(code) != std::string_view::npos) stack.pop_back();
    auto& [value, until] = stack.back();
    until = std::max(until, last.until);
    value = code == '+'   ? value + last.value
            : code == '-' ? value - last.value
            : code == '*' ? value * last.value
            : code == '/' ? value / last.value
            : code == '^' ? power(value, last.value)
            : code == '~' ? -last.value
            : code == 'e' ? exponential(last.value)
            : code == 'l' ? portable_log(last.value)
                          : std::sqrt(last.value);
  }
  return stack.back();
}

}  // namespace tessera::processes
