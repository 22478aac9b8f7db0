// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/gases.hpp"

#include <algorithm>
#include <tessera/core/error.hpp>

#include "options/text.hpp"
#include "processes/expression.hpp"

namespace tessera::processes {
namespace {

constexpr double coldest = 200;

/// Shomate parameters of the NIST Chemistry WebBook (NIST Standard Reference Database 69), and enthalpies at 0 K of the
/// NIST-JANAF tables (M. W. Chase, J. Phys. Chem. Ref. Data, Monograph 9, 1998), from which the WebBook has them.
constexpr Gas gases[] = {
    {"H2",
     -8.467,
     {{1000, 33.066178, -11.363417, 11.432816, -2.772874, -0.158558, -9.980797, 172.707974, 0},
      {2000, 18.563083, 12.257357, -2.859786, 0.268238, 1.977990, -1.147438, 156.288133, 0}}},
    {"N2",
     -8.670,
     {{500, 28.98641, 1.853978, -9.647459, 16.63537, 0.000117, -8.671914, 226.4168, 0},
      {2000, 19.50583, 19.88705, -8.598535, 1.369784, 0.527601, -4.935202, 212.3900, 0}}},
    {"O2",
     -8.683,
     {{700, 31.32234, -20.23531, 57.86644, -36.50624, -0.007374, -8.903471, 246.7945, 0},
      {2000, 30.03235, 8.772972, -3.988133, 0.788313, -0.741599, -11.32468, 236.1663, 0}}},
    {"CO",
     -8.671,
     {{1300, 25.56759, 6.096130, 4.054656, -2.671301, 0.131021, -118.0089, 227.3665, -110.5271},
      {2000, 35.15070, 1.300095, -0.205921, 0.013550, -3.282780, -127.8375, 231.7120, -110.5271}}},
    {"CO2",
     -9.364,
     {{1200, 24.99735, 55.18696, -33.69137, 7.948387, -0.136638, -403.6075, 228.2431, -393.5224},
      {2000, 58.16639, 2.720074, -0.492289, 0.038844, -6.447293, -425.9186, 263.6125, -393.5224}}},
    {"NO",
     -9.192,
     {{1200, 23.83491, 12.58878, -1.139011, -1.497459, 0.214194, 83.35783, 237.1219, 90.29114},
      {2000, 35.99169, 0.957170, -0.148032, 0.009974, -3.004088, 73.10787, 246.1619, 90.29114}}},
    {"NO2",
     -10.186,
     {{1200, 16.10857, 75.89525, -54.38740, 14.30777, 0.239423, 26.17464, 240.5386, 33.09502},
      {2000, 56.82541, 0.738053, -0.144721, 0.009777, -5.459911, 2.846456, 290.5056, 33.09502}}},
    {"H2O", -9.904, {{1700, 30.09200, 6.832514, 6.793435, -2.534480, 0.082139, -250.8810, 223.3967, -241.8264}}},
    {"NH3", -10.045, {{1400, 19.99563, 49.77119, -15.37599, 1.921168, 0.189174, -53.30667, 203.8591, -45.89806}}},
    {"CH4", -10.024, {{1300, -0.703029, 108.4773, -42.52157, 5.862788, 0.678565, -76.84376, 158.7163, -74.87310}}},
    {"C2H4", -10.518, {{1200, -6.387880, 184.4019, -112.9718, 28.49593, 0.315540, 48.17332, 163.1568, 52.46694}}},
    {"HCl", -8.640, {{1200, 32.12392, -13.45805, 19.86852, -6.853936, -0.049672, -101.6206, 228.6866, -92.31201}}},
    {"Cl2", -9.181, {{1000, 33.05060, 12.22940, -12.06510, 4.385330, -0.159494, -10.83480, 259.0290, 0}}}};

}  // namespace

double Gas::chemical_potential(double temperature, double pressure) const {
  const Range& in = temperature <= ranges[0].up_to ? ranges[0] : ranges[1];
  if (!(temperature >= coldest && temperature <= in.up_to))
    throw InputError(std::string("mu_") + name + "gas: T = " + program::write_value(temperature) +
                     ": must be a temperature from " + program::write_value(coldest) + " to " +
                     program::write_value(std::max(ranges[0].up_to, ranges[1].up_to)) + " K");
  if (!(pressure > 0))
    throw InputError(std::string("mu_") + name + "gas: p_" + name + "gas = " + program::write_value(pressure) +
                     ": must be a positive pressure in bar");
  const double t = temperature / 1000, t2 = t * t, t3 = t * t2, t4 = t2 * t2;
  // H - H(0 K) - T S in kJ/mol, of which H and S are the Shomate equations for T in 1000 K.
  const double of_h = in.a * t + in.b * t2 / 2 + in.c * t3 / 3 + in.d * t4 / 4 - in.e / t + in.f - in.h - enthalpy;
  const double s = in.a * portable_log(t) + in.b * t + in.c * t2 / 2 + in.d * t3 / 3 - in.e / (2 * t2) + in.g;
  constexpr double avogadro = 6.02214129e23;
  const double ev = *constant("eV"), boltzmann = *constant("kboltzmann");
  return (of_h - t * s) * 1000 / (avogadro * ev) + boltzmann * temperature / ev * portable_log(pressure);
}

const Gas* gas_of_potential(const std::string& name) {
  for (const Gas& gas : gases)
    if (name == std::string("mu_") + gas.name + "gas") return &gas;
  return nullptr;
}

std::vector<std::string> potential_names() {
  std::vector<std::string> names;
  for (const Gas& gas : gases) names.push_back(std::string("mu_") + gas.name + "gas");
  return names;
}

}  // namespace tessera::processes
