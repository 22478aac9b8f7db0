// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace tessera::processes {

/// Value of a name in an expression; nullopt if the name is not defined.
using Lookup = std::function<std::optional<double>(const std::string&)>;

/// Value of an expression in Python's syntax: numbers, names, + - * / **, parentheses, exp, log, sqrt and pow.
/// Operations are carried out as written, each rounded once; integer powers are products; exp is portable_exp, and log
/// is portable likewise. The result has the same bits on all machines. Nesting takes no stack. Throws InputError,
/// "'expression': what".
double evaluate(const std::string& expression, const Lookup& lookup);

/// ln(x) from basic arithmetic, for x = m 2^k with 1/sqrt(2) <= m < sqrt(2), by the series of artanh((m - 1) / (m +
/// 1)).
double portable_log(double x);

/// Value of a constant of kmcos or of m_X, the mass of molecule X in umass. Throws InputError if the mass is not known.
std::optional<double> constant(const std::string& name);

}  // namespace tessera::processes
