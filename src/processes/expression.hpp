// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "processes/functions.hpp"

namespace tessera::processes {

/// A value at a time, and the time from which on it is constant: 0 if it does not change, infinity if it always may.
struct Value {
  double value = 0, until = 0;
};

/// An expression in Python's syntax: numbers, names, + - * / // % **, comparisons, `and`, `or`, `not`, `a if c else b`,
/// parentheses, and functions; and functions of time, table(TIME: VALUE, ...), which is linear between its points and
/// constant before and after them, and piecewise(FIRST, TIME: NEXT, ...). Assignments NAME = EXPRESSION may precede it.
/// Operations are carried out as written, each rounded once; integer powers are products; exp is portable_exp, and log
/// and trigonometric functions are portable likewise. Values have the same bits on all machines. Nesting takes no
/// stack.
class Expression {
 public:
  Expression() = default;
  /// Throws InputError, "'expression': what".
  explicit Expression(const std::string& text);

  /// Number of the value of a name; nullopt if the name is not defined.
  using Number = std::function<std::optional<std::uint32_t>(const std::string&)>;
  /// Replaces names by numbers of values. Throws InputError if a name is not defined.
  void bind(const Number& number);
  /// The names that are not bound, without those that are assigned.
  const std::vector<std::string>& names() const { return names_; }

  /// The value at a time, given those of the names by number. `kinks`: receives the times of tables and pieces. Throws
  /// InputError if these times change or decrease.
  Value at(double time, const std::vector<Value>& named, std::set<double>* kinks = nullptr) const;

 private:
  friend class Parser;
  struct Operation {
    char code;  ///< '#': a number; 'n', 'v', 'w': a name, one that is assigned, its assignment; '1', '2': with operands
    std::uint32_t count = 0;  ///< number of the name, or of arguments
    double number = 0;
    Apply apply = nullptr;
    bool jumps = false;
  };
  std::string text_;
  std::vector<std::string> names_;
  std::vector<Operation> operations_;  ///< each after its operands
};

/// Value of a constant of kmcos or of m_X, the mass of molecule X in umass. Throws InputError if the mass is not known.
std::optional<double> constant(const std::string& name);
/// The constants apart from masses.
std::vector<std::string> constant_names();

}  // namespace tessera::processes
