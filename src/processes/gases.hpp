// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

namespace tessera::processes {

/// A gas whose chemical potential is known between two temperatures.
struct Gas {
  const char* name;  ///< such as "CO"
  double enthalpy;   ///< H(0 K) - H(298.15 K) in kJ/mol
  /// Parameters A to H of the Shomate equation, below a temperature in K and from there on.
  struct Range {
    double up_to, a, b, c, d, e, f, g, h;
  } ranges[2];

  /// Chemical potential in eV at a temperature in K and a pressure in bar, relative to the enthalpy at 0 K. The result
  /// has the same bits on all machines. Throws InputError if the temperature is out of range.
  double chemical_potential(double temperature, double pressure) const;
};

/// The gas of a name such as "mu_COgas"; null if it is not known.
const Gas* gas_of_potential(const std::string& name);

/// The names "mu_COgas" of all gases.
std::vector<std::string> potential_names();

}  // namespace tessera::processes
