// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <vector>

/// Functions and operators of expressions, with the same bits on all machines.
namespace tessera::processes {

/// What a function or an operator does; the second argument of those that have one is any number.
using Apply = double (*)(double, double);

struct Function {
  const char* name;
  std::uint32_t least, most;  ///< number of arguments; more than two are taken one after the other
  bool jumps;                 ///< where its arguments change continuously
  Apply apply;
};
extern const std::vector<Function> functions;

/// Precedence of operators, as in Python; `a if c else b` has of_choice.
constexpr int of_choice = 1, of_or = 2, of_and = 3, of_not = 4, of_comparison = 5, of_sum = 6, of_product = 7,
              of_sign = 8, of_power = 9;

struct Operator {
  const char* token;
  int precedence;
  bool jumps;
  Apply apply;
};
extern const std::vector<Operator> operators;  ///< between two operands; of those that begin alike the longer one first
extern const Operator negative, negation;      ///< before an operand

/// ln(x) from basic arithmetic, for x = m 2^k with 1/sqrt(2) <= m < sqrt(2), by the series of artanh((m - 1) / (m +
/// 1)).
double portable_log(double x);

/// sin(x + quarter pi/2) for |x| < 1e6 by its Taylor series, and the angle with tangent x by its series.
double portable_sin(double x, int quarter);
double portable_atan(double x);

}  // namespace tessera::processes
