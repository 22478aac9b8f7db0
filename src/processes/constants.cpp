// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <tessera/core/error.hpp>
#include <utility>

#include "processes/expression.hpp"

namespace tessera::processes {
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

std::vector<std::string> constant_names() {
  std::vector<std::string> names;
  for (const auto& one : constants) names.emplace_back(one.first);
  return names;
}

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
