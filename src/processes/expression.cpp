// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/expression.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <string_view>
#include <tessera/core/error.hpp>

#include "options/text.hpp"

namespace tessera::processes {
namespace {

[[noreturn]] void refuse_in(const std::string& text, const std::string& what) {
  throw InputError("'" + program::shown(text, 200) + "': " + what);
}

constexpr const char* unordered_times = "the times before ':' must be finite constants that do not decrease";

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
    Enclose enclose = nullptr;
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
    if (take("-")) return wait({'1', negative.precedence, negative.apply, negative.enclose});
    if (take_word("not")) return wait({'1', negation.precedence, negation.apply, nullptr, true});
    if (take("+")) return false;
    if (take("(")) return wait({'('});
    if (at_ == text_.size()) refuse("is incomplete at its end");
    if (!is_letter(text_[at_])) {
      result_.operations_.push_back({'#', 0, number()});
      return true;
    }
    std::string name;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) name += text_[at_++];
    if (take("(")) return wait({'(', 0, nullptr, nullptr, false, name});
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
    for (const auto& [token, precedence, jumps, apply, enclose] : operators) {
      if (!(is_letter(token[0]) ? take_word(token) : take(token))) continue;
      finish(precedence == of_power ? of_power + 1 : precedence + (precedence == of_comparison ? 1 : 0));
      if (precedence == of_comparison && !open_.empty() && open_.back().precedence == of_comparison)
        refuse("comparisons such as 0 < x < 1 must be written as 0 < x and x < 1");
      return !wait({'2', precedence, apply, enclose, jumps});  // powers wait for those on their right
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
    if (name == "table" && count % 2 == 0 && has_points(count)) return;
    if ((name == "table" && count % 2 == 0) || (name == "piecewise" && count % 2 == 1 && count > 1))
      return perform({name[0], 0, nullptr, nullptr, false, name, count});
    const auto known = std::ranges::find(functions, name, &Function::name);
    if (known == functions.end() || count < known->least || count > known->most) {
      std::string valid;
      for (const Function& one : functions)
        valid += std::string(one.name) + (one.least == 1 ? "(x), " : one.most == 2 ? "(x, y), " : "(x, y, ...), ");
      refuse("'" + name + "' with " + std::to_string(count) + " arguments is not a function; valid functions are " +
             valid + "table(time: x, time: x, ...) and piecewise(x, time: x, ...)");
    }
    for (std::uint32_t i = 1; i < std::max(2u, count); ++i)
      perform({count == 1 ? '1' : '2', 0, known->apply, known->enclose, known->jumps});
  }
  void perform(const Open& one) {
    auto& all = result_.operations_;
    if (one.code == '1' && one.apply == negative.apply && all.back().code == '#')
      all.back().number = -all.back().number;
    else
      all.push_back({one.code, one.arguments, 0, one.apply, one.enclose, one.jumps});
  }
  /// Replaces the arguments of a table by its points if all are numbers.
  bool has_points(std::size_t count) {
    auto& all = result_.operations_;
    const auto first = all.end() - static_cast<std::ptrdiff_t>(std::min(count, all.size()));
    if (all.size() < count || !std::all_of(first, all.end(), [](const auto& one) { return one.code == '#'; }))
      return false;
    const auto points = std::make_shared<std::vector<Expression::Point>>();
    for (auto one = first; one != all.end(); one += 2) {
      if (!points->empty() && one->number < points->back().time) refuse_in(text_, unordered_times);
      points->push_back({one->number, one[1].number});
    }
    all.erase(first, all.end());
    all.push_back({'l'});
    all.back().points = points;
    return true;
  }

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

using Point = Expression::Point;

/// The number of times before or at this one, `count` times that do not decrease.
template <class TimeOf>
std::size_t number_until(double time, std::size_t count, const TimeOf& time_of) {
  std::size_t first = 0;
  for (std::size_t left = count; left > 0;) {
    const std::size_t half = left / 2;
    const bool is_before = time_of(first + half) <= time;
    first += is_before ? half + 1 : 0;
    left = is_before ? left - half - 1 : half;
  }
  return first;
}

/// The values at a time.
struct AtTime {
  using Number = Value;
  double time;
  const std::vector<Value>& all;
  std::set<double>* kinks;
  const std::string& text;

  const Value& named(std::uint32_t number) const { return all[number]; }
  void require_constant(double until) const {
    if (until > 0)
      refuse_in(text,
                "comparisons, floor, ceil, // and % cannot have values that change with time; use "
                "piecewise(x, time: x, ...)");
  }
  Value apply(const auto& what, const Value& a, const Value& b) const {
    const double value = what.apply(a.value, b.value);
    const auto size = [](const Value& one) { return std::max(one.terms, std::abs(one.value)); };
    const double until = std::max(a.until, b.until);
    if (what.jumps) require_constant(until);
    if (what.enclose == plus || what.enclose == minus) return {value, until, std::max(size(a), size(b))};
    if (what.enclose == times) return {value, until, size(a) * size(b)};
    return {value, until, what.enclose == divided ? size(a) / std::abs(b.value) : 0};
  }
  Value choice(const Value& condition, const Value& value, const Value& otherwise) const {
    require_constant(condition.until);
    return condition.value == 0 ? otherwise : value;
  }
  void add_kink(double at) const {
    if (kinks != nullptr && at > 0) kinks->insert(kinks->end(), at);
  }
  Value table(const std::vector<Point>& points) const {
    for (std::size_t i = 0; kinks != nullptr && i < points.size(); ++i) add_kink(points[i].time);
    const std::size_t i = number_until(time, points.size(), [&](std::size_t k) { return points[k].time; });
    const double until = i < points.size() ? points.back().time : 0;
    if (i == 0 || i == points.size()) return {points[i == 0 ? 0 : i - 1].value, until};
    const auto& [from, value] = points[i - 1];
    return {value + (points[i].value - value) * ((time - from) / (points[i].time - from)), until};
  }
  /// `first`: `count` arguments of a table or of pieces.
  Value pieces(const Value* first, std::size_t count, bool is_table) const {
    const std::size_t pairs = count / 2;
    const Value* const times = first + (is_table ? 0 : 1);
    for (std::size_t k = 0; k < pairs; ++k) {
      const auto& [at, changes_until, terms] = times[2 * k];
      if (changes_until > 0 || !std::isfinite(at) || (k > 0 && at < times[2 * k - 2].value))
        refuse_in(text, unordered_times);
      add_kink(at);
    }
    const std::size_t i = number_until(time, pairs, [&](std::size_t k) { return times[2 * k].value; });
    Value value = is_table ? first[i == 0 ? 1 : 2 * i - 1] : first[2 * i];
    if (is_table && i > 0 && i < pairs) {
      const double from = first[2 * i - 2].value, to = first[2 * i].value;
      value.value += (first[2 * i + 1].value - value.value) * ((time - from) / (to - from));
    }
    value.until = first[count - 1].until;
    if (i < pairs) value.until = std::max(value.until, first[count - 2].value);
    return value;
  }
};

/// What encloses the values in a part of time.
struct InSpan {
  using Number = Series;
  Span span;
  const std::vector<Series>& all;

  const Series& named(std::uint32_t number) const { return all[number]; }
  Series apply(const auto& what, const Series& a, const Series& b) const {
    if (a.is_constant() && (what.code == '1' || b.is_constant())) return what.apply(a.at(0).lower(), b.at(0).lower());
    return what.enclose == nullptr ? Series::unknown() : what.enclose(a, b);
  }
  Series choice(const Series& condition, const Series& value, const Series& otherwise) const {
    if (!condition.is_constant()) return either(value, otherwise);
    return condition.at(0).lower() == 0 ? otherwise : value;
  }
  /// One of `pieces` + 1 values between times, those at its ends if the values are linear in between.
  template <class TimeOf, class ValueOf>
  Series one_of(std::size_t times, const TimeOf& time_of, const ValueOf& value_of, bool is_table) const {
    std::size_t i = number_until(span.begin, times, time_of);
    const auto piece = [&](std::size_t k) -> Series {
      if (!is_table) return value_of(k);
      if (k == 0 || k == times) return value_of(k == 0 ? 0 : k - 1);
      const double from = time_of(k - 1), length = time_of(k) - from;
      const double first = std::max(span.begin, from), last = std::min(span.end, from + length);
      const Series part({(first - from) / length, (last - from) / length}, 1 / length);
      return plus(value_of(k - 1), processes::times(minus(value_of(k), value_of(k - 1)), part));
    };
    Series result = piece(i);
    for (; i < times && time_of(i) < span.end; ++i) result = either(result, piece(i + 1));
    return result;
  }
  Series table(const std::vector<Point>& points) const {
    return one_of(
        points.size(), [&](std::size_t k) { return points[k].time; },
        [&](std::size_t k) -> Series { return points[k].value; }, true);
  }
  Series pieces(const Series* first, std::size_t count, bool is_table) const {
    return one_of(
        count / 2, [&](std::size_t k) { return first[2 * k + (is_table ? 0 : 1)].at(0).lower(); },
        [&](std::size_t k) { return first[2 * k + (is_table ? 1 : 0)]; }, is_table);
  }
};

}  // namespace

template <class Numbers>
typename Numbers::Number Expression::evaluate(const Numbers& numbers) const {
  std::vector<typename Numbers::Number> stack, locals;
  stack.reserve(8);
  for (const Operation& one : operations_) {
    if (one.code == '#') {
      stack.push_back({one.number});
    } else if (one.code == 'n') {
      stack.push_back(numbers.named(one.count));
    } else if (one.code == 'l') {
      stack.push_back(numbers.table(*one.points));
    } else if (one.code == 't' || one.code == 'p') {
      const auto value = numbers.pieces(stack.data() + (stack.size() - one.count), one.count, one.code == 't');
      stack.resize(stack.size() - one.count);
      stack.push_back(value);
    } else if (one.code == 'v') {
      stack.push_back(locals[one.count]);
    } else {
      const auto last = stack.back();
      if (one.code != '1') stack.pop_back();
      if (one.code == 'w') {
        locals.push_back(last);
      } else if (one.code == '?') {
        const auto condition = stack.back();
        stack.pop_back();
        stack.back() = numbers.choice(condition, stack.back(), last);
      } else {
        stack.back() = numbers.apply(one, stack.back(), last);
      }
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
