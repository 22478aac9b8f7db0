// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "options/text.hpp"
#include "processes/expression.hpp"
#include "processes/model_file.hpp"

namespace tessera::processes {

/// Value of an adjustable parameter, `--set NAME=VALUE`: a number or an expression.
struct Setting {
  Setting(double number) : text(program::write_value(number)) {}    // NOLINT
  Setting(std::string expression) : text(std::move(expression)) {}  // NOLINT
  std::string text;
};
using Settings = std::map<std::string, Setting>;

/// An expression whose names are those of Values.
struct Formula {
  Expression expression;
  std::string where;      ///< place and subject of messages: "NAME line N: rate_constant of p"
  std::size_t first = 0;  ///< number of the first of its own names
};

/// Values of a model's parameters, and of expressions that contain them, at a time.
class Values {
 public:
  /// The values at time `begin`, the first one; NaN for an unused parameter that is not a number. Throws InputError:
  /// "--set NAME=VALUE: ..." for a setting, "NAME line N: ..." for the file.
  Values(const ModelFile& model, const Settings& settings, double begin = 0);

  /// Changes the time. Throws InputError if a value does not exist then, or is out of its bounds.
  void at(double time);
  /// Encloses the values in a part of time.
  void enclose(const Span& span);

  /// An expression of the file. `own`: additional names; `what`: subject of messages. Throws InputError.
  Formula formula(const Text& expression, const std::string& what, const std::vector<std::string>& own = {});
  /// Its value, with values of its own names. Throws InputError.
  Value of(const Formula& formula, const std::vector<Value>& own = {});
  /// Encloses it in the part of time of enclose().
  Series in(const Formula& formula, const std::vector<Series>& own = {});
  /// The same if it must not change with time. Throws InputError.
  double fixed(const Formula& formula, const std::vector<Value>& own = {});

  /// Value of a parameter, by index.
  const Value& parameter(std::size_t index) const { return values_[index]; }
  /// Expression of a parameter, by index.
  const std::string& text(std::size_t index) const { return quantities_[index].text; }
  /// Times of tables and pieces.
  const std::set<double>& kinks() const { return kinks_; }
  double begin() const { return begin_; }
  /// " at time = 5"; nothing at time 0.
  std::string at_time() const { return time_ > 0 ? " at time = " + program::write_value(time_) : ""; }

 private:
  /// A parameter or another name; without an expression: the time, a constant, or computed from the values `from`.
  struct Quantity {
    std::string name, text = {}, where = {}, bounds = {};
    double min = -std::numeric_limits<double>::infinity(), max = -min;
    enum { open, under_way, done, failed } progress = open;
    Formula formula = {};
    std::vector<std::uint32_t> from = {};
    const Gas* gas = nullptr;
  };
  /// Thrown where the value of a parameter is needed that is not known yet.
  struct Unknown {
    std::uint32_t parameter;
  };
  std::set<std::uint32_t> used_parameters(const ModelFile& model);
  bool is_known(const std::string& name, const std::function<bool(const std::string&)>& use);
  std::string free_energy(const std::string& name) const;
  void evaluate_in_order(std::uint32_t first);
  Expression bound(const std::string& text, const std::vector<std::string>& own, std::size_t first);
  std::optional<std::uint32_t> number_of(const std::string& name);
  std::uint32_t add(Quantity quantity, Value value);
  Value evaluated(const Quantity& its);

  Source source_;
  double begin_, time_ = begin_;
  std::vector<Quantity> quantities_;  ///< parameters, then others
  std::vector<Value> values_;         ///< of these
  Span span_{};
  std::vector<Series> series_;  ///< of these, in this part of time
  std::map<std::string, std::uint32_t> numbers_;
  std::vector<std::uint32_t> changing_;  ///< those that change with time, each after those that it depends on
  std::set<double> kinks_;
};

}  // namespace tessera::processes
