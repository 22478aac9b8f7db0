// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/expression.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <ranges>
#include <string_view>
#include <tessera/core/error.hpp>

#include "options/text.hpp"

namespace tessera::processes {
namespace {

[[noreturn]] void refuse_in(const std::string& text, const std::string& what) {
  throw InputError("'" + program::shown(text, 200) + "': " + what);
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// The number of times before or at this one, `count` times that do not decrease.
template <class TimeOf>
std::size_t number_until(double time, std::size_t count, const TimeOf& time_of) {
  const auto all = std::views::iota(std::size_t{0}, count);
  return static_cast<std::size_t>(std::ranges::upper_bound(all, time, {}, time_of) - all.begin());
}

/// The values at a time.
struct AtTime {
  using Number = Value;
  double time;
  const std::vector<Value>& named;
  std::set<double>* kinks;
  const std::string& text;

  void require_constant(double until) const {
    if (until > 0)
      refuse_in(text,
                "comparisons, floor, ceil, // and % cannot have values that change with time; use "
                "piecewise(x, time: x, ...)");
  }
  Value apply(const Function& what, const Value& a, const Value& b) const {
    const double value = what.apply(a.value, b.value);
    const auto size = [](const Value& one) { return std::max(one.terms, std::abs(one.value)); };
    const double until = std::max(a.until, b.until);
    if (what.enclose == nullptr) require_constant(until);
    if (what.enclose == plus || what.enclose == minus) return {value, until, std::max(size(a), size(b))};
    if (what.enclose == times) return {value, until, size(a) * size(b)};
    return {value, until, what.enclose == divided ? size(a) / std::abs(b.value) : 0};
  }
  Value choice(const Value& condition, const Value& value, const Value& otherwise) const {
    require_constant(condition.until);
    return condition.value == 0 ? otherwise : value;
  }
  double fixed(const Value& one) const { return one.until > 0 ? HUGE_VAL : one.value; }
  template <class TimeOf, class ValueOf>
  Value one_of(char code, std::size_t count, const TimeOf& time_of, const ValueOf& value_of) const {
    const bool is_table = code != 'p';
    for (std::size_t k = 0; k < count && (kinks != nullptr || code != 'l'); ++k) {
      const double at = time_of(k);
      if (!std::isfinite(at) || (k > 0 && at < time_of(k - 1)))
        refuse_in(text, "the times before ':' must be finite constants that do not decrease");
      if (kinks != nullptr && at > 0) kinks->insert(kinks->end(), at);
    }
    const std::size_t i = number_until(time, count, time_of);
    Value value = value_of(is_table && i > 0 ? i - 1 : i);
    if (is_table && i > 0 && i < count) {
      const double from = time_of(i - 1);
      value.value += (value_of(i).value - value.value) * ((time - from) / (time_of(i) - from));
    }
    value.until = std::max(value_of(is_table ? count - 1 : count).until, i < count ? time_of(count - 1) : 0);
    return value;
  }
};

/// What encloses the values in a part of time.
struct InSpan {
  using Number = Series;
  Span span;
  const std::vector<Series>& named;

  Series apply(const Function& what, const Series& a, const Series& b) const {
    if (a.is_constant() && (what.most == 1 || b.is_constant())) return what.apply(a.at(0).lower(), b.at(0).lower());
    return what.enclose == nullptr ? Series::unknown() : what.enclose(a, b);
  }
  Series choice(const Series& condition, const Series& value, const Series& otherwise) const {
    if (!condition.is_constant()) return either(value, otherwise);
    return condition.at(0).lower() == 0 ? otherwise : value;
  }
  double fixed(const Series& one) const { return one.at(0).lower(); }
  template <class TimeOf, class ValueOf>
  Series one_of(char code, std::size_t count, const TimeOf& time_of, const ValueOf& value_of) const {
    const auto piece = [&](std::size_t k) -> Series {
      if (code == 'p') return value_of(k);
      if (k == 0 || k == count) return value_of(k == 0 ? 0 : k - 1);
      const double from = time_of(k - 1), length = time_of(k) - from;
      const double first = std::max(span.begin, from), last = std::min(span.end, from + length);
      const Series part({(first - from) / length, (last - from) / length}, 1 / length);
      return plus(value_of(k - 1), times(minus(value_of(k), value_of(k - 1)), part));
    };
    std::size_t i = number_until(span.begin, count, time_of);
    Series result = piece(i);
    for (; i < count && time_of(i) < span.end; ++i) result = either(result, piece(i + 1));
    return result;
  }
};

}  // namespace

/// Dijkstra's shunting yard with Python's precedence: - a ** - b ** c is -(a ** (-(b ** c))).
class Parser {
 public:
  explicit Parser(Expression& expression) : result_(expression), text_(expression.text_) {}

  /// Assignments NAME = EXPRESSION, the last one of which may have no name, and is the value.
  void all() {
    std::uint32_t number = 0;
    for (std::string name = assigned(), next;; name = next) {
      do {
        while (!take_operand()) {
        }
        while (take(")")) close();
      } while (take_operator());
      if (at_ == text_.size()) return;
      if (name.empty() || (next = assigned()).empty()) refuse_here();
      result_.operations_.push_back({'w'});
      locals_[name] = number++;
    }
  }

 private:
  /// An operation that waits for its right operand, or, without precedence, a parenthesis, perhaps of a function.
  struct Open {
    char code;
    int precedence = 0;
    const Function* what = nullptr;
    std::string function = "";
    std::size_t right = 0;  ///< number of operations before those of the right operand
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
  /// The name that is next; empty if there is none.
  std::string next_name() {
    take("");
    std::size_t end = at_;
    for (char c = text_[end]; is_letter(c) || (end > at_ && c >= '0' && c <= '9'); c = text_[end]) ++end;
    return text_.substr(at_, end - at_);
  }
  bool take_word(std::string_view word) { return next_name() == word && take(word); }
  /// Consumes `NAME =`, and returns the name; empty if there is none.
  std::string assigned() {
    const std::string name = next_name();
    const std::size_t before = at_;
    if (!name.empty() && take(name) && take("=") && text_[at_] != '=') return name;
    at_ = before;
    return "";
  }

  /// Consumes a sign or parenthesis, and returns false, or a number or name, and returns true.
  bool take_operand() {
    if (take("-")) return wait({'f', of_sign, &negative});
    if (take_word("not")) return wait({'f', of_not, &negation});
    if (take("+")) return false;
    if (take("(")) return wait({'('});
    if (at_ == text_.size()) refuse("is incomplete at its end");
    if (!is_letter(text_[at_])) {
      double value = 0;
      const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
      if (error == std::errc::result_out_of_range) refuse("a number is out of range");
      if (error != std::errc()) refuse_here("; must be a number, a name or '('");
      at_ = static_cast<std::size_t>(end - text_.data());
      result_.operations_.push_back({'#', 0, value});
      return true;
    }
    const std::string name = next_name();
    take(name);
    if (take("(")) return wait({'(', 0, nullptr, name});
    const auto local = locals_.find(name);
    const bool is_local = local != locals_.end();
    result_.operations_.push_back(
        {is_local ? 'v' : 'n', is_local ? local->second : static_cast<std::uint32_t>(result_.names_.size())});
    if (!is_local) result_.names_.push_back(name);
    return true;
  }
  bool wait(const Open& open) {
    open_.push_back(open);
    return false;
  }

  /// After an operand: consumes an operator or what separates the arguments of a function; false at the end.
  bool take_operator() {
    for (const Function& one : operators) {
      if (!(is_letter(one.name[0]) ? take_word(one.name) : take(one.name))) continue;
      const bool compares = one.precedence == of_comparison, is_power = one.precedence == of_power;
      finish(one.precedence + (compares || is_power ? 1 : 0));  // powers wait for those on their right
      if (compares && !open_.empty() && open_.back().precedence == of_comparison) chain();
      return !wait({'f', one.precedence, &one, "", result_.operations_.size()});
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
    if (open_.empty()) return false;
    auto& [code, precedence, what, function, right, arguments] = open_.back();
    if (code == 'i') refuse("an 'else' is missing");
    const bool is_time = function == "table" ? arguments % 2 == 1 : function == "piecewise" && arguments % 2 == 0;
    if (function.empty() || !take(is_time ? ":" : ",")) refuse("a ')' is missing");
    return ++arguments > 0;
  }
  /// Before another comparison: a < b < c is a < b and b < c.
  void chain() {
    auto& all = result_.operations_;
    const std::vector middle(all.begin() + static_cast<std::ptrdiff_t>(open_.back().right), all.end());
    perform(open_.back());
    open_.back().what = &*std::ranges::find(operators, std::string_view("and"), &Function::name);
    all.insert(all.end(), middle.begin(), middle.end());
  }
  /// Performs the operations that wait, of this precedence or a higher one.
  void finish(int precedence) {
    for (; !open_.empty() && open_.back().precedence >= precedence; open_.pop_back()) perform(open_.back());
  }
  void close() {
    finish(of_choice);
    if (open_.empty()) refuse("')' is unexpected");
    const auto [code, precedence, what, name, right, count] = open_.back();
    open_.pop_back();
    if (code == 'i') refuse("an 'else' is missing");
    if (name.empty()) return;
    const bool is_table = name == "table" && count % 2 == 0;
    if (is_table && is_list(count)) return;
    if (is_table || (name == "piecewise" && count % 2 == 1 && count > 1))
      return result_.operations_.push_back({name[0], count});
    const auto known = std::ranges::find(functions, name, &Function::name);
    if (known == functions.end() || count < known->least || count > known->most) {
      const auto written = [](const Function& one) {
        return std::string(one.name) + (one.least == 1 ? "(x)" : one.most == 2 ? "(x, y)" : "(x, y, ...)");
      };
      refuse("'" + name + "' with " + std::to_string(count) + " arguments is not a function; valid functions are " +
             program::joined(functions, ", ", written) +
             ", table(time: x, time: x, ...) and piecewise(x, time: x, ...)");
    }
    for (std::uint32_t i = 1; i < std::max(2u, count); ++i) perform({'f', 0, &*known});
  }
  void perform(const Open& one) {
    auto& all = result_.operations_;
    if (one.what == &negative && all.back().code == '#')
      all.back().number = -all.back().number;
    else
      all.push_back({one.code, 0, 0, one.what});
  }
  /// Turns the arguments of a table into a list if all are numbers.
  bool is_list(std::uint32_t count) {
    auto& all = result_.operations_;
    const auto arguments = all | std::views::drop(std::ssize(all) - count);
    if (!std::ranges::all_of(arguments, [](const auto& one) { return one.code == '#'; })) return false;
    for (auto& one : arguments) one.code = 'd';
    all.insert(arguments.begin(), {'l', count});
    return true;
  }

  Expression& result_;
  const std::string& text_;
  std::vector<Open> open_;
  std::map<std::string, std::uint32_t> locals_;
  std::size_t at_ = 0;
};

Expression::Expression(const std::string& text) : text_(text) { Parser(*this).all(); }

void Expression::bind(const Number& number, const std::vector<std::string>& own, std::size_t first) {
  for (Operation& one : operations_) {
    if (one.code != 'n') continue;
    const std::string& name = names_[one.count];
    const auto place = static_cast<std::size_t>(std::ranges::find(own, name) - own.begin());
    const auto found = place == own.size() ? number(name) : static_cast<std::uint32_t>(first + place);
    if (!found && name.starts_with("m_"))
      refuse_in(text_, "'" + name + "' is the mass of an unknown molecule; define its value in umass as [Parameter " +
                           name + "]");
    if (!found) {
      std::string known;
      for (const std::string& its : own) known += its + (its.empty() ? "" : ", ");
      refuse_in(text_, "'" + name + "' is not defined; known are parameters, " + known + "time, " + constant_names() +
                           ", beta and m_MOLECULE");
    }
    one.count = *found;
  }
  names_.clear();
}

template <class Numbers>
typename Numbers::Number Expression::evaluate(const Numbers& numbers) const {
  using Its = typename Numbers::Number;
  std::vector<Its> stack, locals;
  stack.reserve(8);
  const auto taken = [&] {
    const Its last = stack.back();
    stack.pop_back();
    return last;
  };
  for (auto at = operations_.begin(); at < operations_.end(); ++at) {
    const Operation& one = *at;
    if (one.code == '#') {
      stack.push_back({one.number});
    } else if (one.code == 'n') {
      stack.push_back(numbers.named[one.count]);
    } else if (one.code == 'v') {
      stack.push_back(locals[one.count]);
    } else if (one.code == 'w') {
      locals.push_back(taken());
    } else if (one.code == 'f') {
      const Its last = one.what->most == 1 ? stack.back() : taken();
      stack.back() = numbers.apply(*one.what, stack.back(), last);
    } else if (one.code == '?') {
      const Its last = taken(), condition = taken();
      stack.back() = numbers.choice(condition, stack.back(), last);
    } else {
      const bool is_list = one.code == 'l';
      const std::size_t begin = stack.size() - (is_list ? 0 : one.count), of_value = one.code == 'p' ? 0 : 1;
      const auto argument = [&](std::size_t k) -> Its {
        return is_list ? Its{(&one)[k + 1].number} : stack[begin + k];
      };
      const Its value = numbers.one_of(
          one.code, one.count / 2, [&](std::size_t k) { return numbers.fixed(argument(2 * k + 1 - of_value)); },
          [&](std::size_t k) { return argument(2 * k + of_value); });
      stack.resize(begin);
      stack.push_back(value);
      if (is_list) at += one.count;
    }
  }
  return stack.back();
}

Value Expression::at(double time, const std::vector<Value>& named, std::set<double>* kinks) const {
  return evaluate(AtTime{time, named, kinks, text_});
}

Series Expression::in(const Span& span, const std::vector<Series>& named) const {
  return evaluate(InSpan{span, named});
}

}  // namespace tessera::processes
