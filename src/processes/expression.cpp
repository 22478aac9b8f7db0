// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/expression.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <tessera/core/error.hpp>

#include "options/text.hpp"

namespace tessera::processes {
namespace {

[[noreturn]] void refuse_in(const std::string& text, const std::string& what) {
  throw InputError("'" + program::shown(text, 200) + "': " + what);
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

/// Dijkstra's shunting yard with Python's precedence: - a ** - b ** c is -(a ** (-(b ** c))).
class Parser {
 public:
  explicit Parser(Expression& expression) : result_(expression), text_(expression.text_) {}

  /// Assignments NAME = EXPRESSION, the last one of which may have no name, and is the value.
  void all() {
    for (std::string name = assigned();; name = assigned()) {
      do {
        while (!take_operand()) {
        }
        while (take(")")) close();
      } while (take_operator());
      if (at_ == text_.size()) return;
      if (name.empty()) refuse_here();
      result_.operations_.push_back({'w'});
      locals_.push_back(name);
    }
  }

 private:
  /// An operation that waits for its right operand, or, without precedence, a parenthesis, perhaps of a function.
  struct Open {
    char code;
    int precedence = 0;
    Apply apply = nullptr;
    bool jumps = false;
    std::string function = "";
    std::uint32_t arguments = 1;
  };

  [[noreturn]] void refuse(const std::string& what) const { refuse_in(text_, what); }
  [[noreturn]] void refuse_here(const std::string& what = "") const {
    const std::string character = text_.substr(at_, std::max<std::size_t>(1, program::utf8_length(text_, at_)));
    refuse("'" + character + "' is unexpected" +
           (character == "\u2212" ? "; a minus sign must be written as '-'" : what));
  }

  /// Consumes `token` if it is next; returns whether it was.
  bool take(std::string_view token) {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    if (text_.compare(at_, token.size(), token) != 0) return false;
    at_ += token.size();
    return true;
  }

  bool take_word(std::string_view word) {
    take("");
    const std::size_t before = at_;
    if (take(word) && (at_ == text_.size() || !(is_letter(text_[at_]) || is_digit(text_[at_])))) return true;
    at_ = before;
    return false;
  }
  /// Consumes `NAME =`, and returns the name; empty if there is none.
  std::string assigned() {
    take("");
    std::size_t end = at_;
    while (end < text_.size() && (is_letter(text_[end]) || (end > at_ && is_digit(text_[end])))) ++end;
    const std::size_t sign = text_.find_first_not_of(" \t", end), next = sign == std::string::npos ? sign : sign + 1;
    if (end == at_ || sign == std::string::npos || text_[sign] != '=' || (next < text_.size() && text_[next] == '='))
      return "";
    const std::string name = text_.substr(at_, end - at_);
    at_ = next;
    return name;
  }

  /// Consumes a sign or parenthesis, and returns false, or a number or name, and returns true.
  bool take_operand() {
    if (take("-")) return wait({'1', negative.precedence, negative.apply});
    if (take_word("not")) return wait({'1', negation.precedence, negation.apply, negation.jumps});
    if (take("+")) return false;
    if (take("(")) return wait({'('});
    if (at_ == text_.size()) refuse("is incomplete at its end");
    if (!is_letter(text_[at_])) {
      result_.operations_.push_back({'#', 0, number()});
      return true;
    }
    std::string name;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) name += text_[at_++];
    if (take("(")) return wait({'(', 0, nullptr, false, name});
    for (std::size_t i = locals_.size(); i-- > 0;)
      if (locals_[i] == name) {
        result_.operations_.push_back({'v', static_cast<std::uint32_t>(i)});
        return true;
      }
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
    if (error != std::errc()) refuse_here("; must be a number, a name or '('");
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  /// After an operand: consumes an operator or what separates the arguments of a function; false at the end.
  bool take_operator() {
    for (const auto& [token, precedence, jumps, apply] : operators) {
      if (!(is_letter(token[0]) ? take_word(token) : take(token))) continue;
      finish(precedence == of_power ? of_power + 1 : precedence + (precedence == of_comparison ? 1 : 0));
      if (precedence == of_comparison && !open_.empty() && open_.back().precedence == of_comparison)
        refuse("comparisons such as 0 < x < 1 must be written as 0 < x and x < 1");
      return !wait({'2', precedence, apply, jumps});  // powers wait for those on their right
    }
    // a if c else b: `if` is like a parenthesis around c, and `else` an operator with three operands.
    if (take_word("if")) {
      finish(of_or);
      return !wait({'i'});
    }
    finish(of_choice);
    if (take_word("else")) {
      if (open_.empty() || open_.back().code != 'i') refuse("'else' is unexpected");
      open_.back() = {'?', of_choice};
      return true;
    }
    if (!open_.empty() && open_.back().code == 'i') refuse("an 'else' is missing");
    if (!open_.empty() && !open_.back().function.empty()) {
      const std::string& function = open_.back().function;
      const bool is_time = (function == "table" && open_.back().arguments % 2 == 1) ||
                           (function == "piecewise" && open_.back().arguments % 2 == 0);
      if (take(is_time ? ":" : ",")) return ++open_.back().arguments > 0;
    }
    if (!open_.empty()) refuse("a ')' is missing");
    const std::size_t before = at_;
    if (at_ < text_.size() && assigned().empty()) refuse_here();
    at_ = before;
    return false;
  }
  /// Performs the operations that wait, of this precedence or a higher one.
  void finish(int precedence) {
    for (; !open_.empty() && open_.back().precedence >= precedence; open_.pop_back()) perform(open_.back());
  }
  void close() {
    finish(of_choice);
    if (open_.empty()) refuse("')' is unexpected");
    const Open its = open_.back();
    open_.pop_back();
    const std::string& name = its.function;
    const std::uint32_t count = its.arguments;
    if (its.code == 'i') refuse("an 'else' is missing");
    if (name.empty()) return;
    if ((name == "table" && count % 2 == 0) || (name == "piecewise" && count % 2 == 1 && count > 1))
      return perform({name[0], 0, nullptr, false, name, count});
    const auto known = std::ranges::find(functions, name, &Function::name);
    if (known == functions.end() || count < known->least || count > known->most) {
      std::string valid;
      for (const Function& one : functions)
        valid += std::string(one.name) + (one.least == 1 ? "(x), " : one.most == 2 ? "(x, y), " : "(x, y, ...), ");
      refuse("'" + name + "' with " + std::to_string(count) + " arguments is not a function; valid functions are " +
             valid + "table(time: x, time: x, ...) and piecewise(x, time: x, ...)");
    }
    for (std::uint32_t i = 1; i < std::max(2u, count); ++i)
      perform({count == 1 ? '1' : '2', 0, known->apply, known->jumps});
  }
  void perform(const Open& one) { result_.operations_.push_back({one.code, one.arguments, 0, one.apply, one.jumps}); }

  Expression& result_;
  const std::string& text_;
  std::vector<Open> open_;
  std::vector<std::string> locals_;
  std::size_t at_ = 0;
};

Expression::Expression(const std::string& text) : text_(text) { Parser(*this).all(); }

void Expression::bind(const Number& number, const std::vector<std::string>& own) {
  for (Operation& one : operations_) {
    if (one.code != 'n') continue;
    const auto found = number(names_[one.count]);
    if (!found) {
      std::string known;
      for (const std::string& name : own) known += name + (name.empty() ? "" : ", ");
      refuse_in(text_, "'" + names_[one.count] + "' is not defined; known are parameters, " + known + "time, " +
                           constant_names() + ", beta and m_MOLECULE");
    }
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
    if (changes_until > 0 || !std::isfinite(at) || (i > 0 && at < pairs[2 * i - 2].value))
      refuse_in(text, "the times before ':' must be finite constants that do not decrease");
    if (kinks != nullptr && at > 0) kinks->insert(at);
    until += at <= time ? 1 : 0;
  }
  return until;
}

}  // namespace

Value Expression::at(double time, const std::vector<Value>& named, std::set<double>* kinks) const {
  std::vector<Value> stack, locals;
  stack.reserve(8);
  const auto refuse_jump = [&] {
    refuse_in(
        text_,
        "comparisons, floor, ceil, // and % cannot have values that change with time; use piecewise(x, time: x, ...)");
  };
  for (const auto& [code, count, number, apply, jumps] : operations_) {
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
    if (code == 'w' || code == 'v') {
      if (code == 'w') locals.push_back(stack.back());
      code == 'w' ? stack.pop_back() : stack.push_back(locals[count]);
      continue;
    }
    if (code == '?') {
      const Value otherwise = stack.back(), condition = stack[stack.size() - 2];
      stack.resize(stack.size() - 2);
      if (condition.value == 0) stack.back() = otherwise;
      if (condition.until > 0) refuse_jump();
      continue;
    }
    const Value last = stack.back();
    if (code == '2') stack.pop_back();
    auto& [value, until] = stack.back();
    until = std::max(until, last.until);
    value = apply(value, last.value);
    if (until > 0 && jumps) refuse_jump();
  }
  return stack.back();
}

}  // namespace tessera::processes
