// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace tessera::processes {

/// The value of a name in an expression; nothing if it has none.
using Lookup = std::function<std::optional<double>(const std::string&)>;

/// The value of an expression as Python reads it: numbers, names, + - * / **, parentheses, exp, log, sqrt and pow. The
/// operations are those written, in their order, each rounded once, whole powers are products, exp is portable_exp and
/// log of the same kind: the same bits on every machine. Throws InputError, "'expression': what".
double evaluate(const std::string& expression, const Lookup& lookup);

/// The value of a name that kmcos defines: pi, c, h, hbar, eV, kboltzmann, umass, angstrom, bar (CODATA 2010, SI), and
/// m_X, the mass of the molecule X in umass. Throws InputError for a mass that it has not.
std::optional<double> constant(const std::string& name);

}  // namespace tessera::processes
