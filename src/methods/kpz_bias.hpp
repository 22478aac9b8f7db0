// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <bit>
#include <string>
#include <tessera/kpz/parameters.hpp>

namespace tessera::program {

/// Largest side of a lattice whose runs warn of the deviation of W^2.
inline constexpr int largest_warned_side = 128;

/// Deviations of W^2 from that of the exact process in the steady state of a square lattice at p = 1, q = 0, in
/// percent, for the default domain, border and interval: the table of docs/kpz_exact.md, from `reproduce kpz-exact
/// --scale paper`.
struct MeasuredDeviations {
  const char* scheme;
  int cell;                ///< TC=cell,cell
  const char* by_side[4];  ///< for sides of 16, 32, 64 and 128; empty where it was not measured
};
inline constexpr MeasuredDeviations measured_deviations[] = {
    {"DTrDB", 1, {"-1.94(6)", "-1.9(1)", "-1.9(1)", "-1.8(4)"}},
    {"DTrDB", 2, {"", "-1.1(1)", "-0.9(1)", "-1.2(4)"}},
    {"DTrDB", 3, {"", "", "-0.4(1)", "-0.5(4)"}},
    {"DTrDT", 1, {"-1.92(6)", "-2.3(1)", "-2.2(1)", "-1.9(4)"}},
    {"DTrDT", 2, {"", "-1.2(1)", "-1.1(1)", "-0.7(4)"}},
    {"DTDB", 1, {"-1.74(6)", "-1.6(1)", "-1.5(1)", "-1.0(4)"}},
    {"DBDB", 1, {"17.48(7)", "14.7(1)", "9.9(2)", "5.3(4)"}},
    {"cDBDB", 1, {"25.88(8)", "10.7(1)", "3.4(1)", "0.3(4)"}},
};

/// The deviation for a run's scheme on a square lattice as large as its smallest side; empty if it was not measured.
inline std::string measured_deviation(const kpz::Parameters& p) {
  const int side = std::min(p.nx, p.ny);
  if (side > largest_warned_side || kpz::domain_side(p) != kpz::default_domain(p) || p.border != 0 ||
      p.async_interval != 0)
    return {};
  for (const MeasuredDeviations& m : measured_deviations)
    if (m.scheme == kpz::scheme_name(p) && kpz::thread_cell(p) == kpz::ThreadCell{m.cell, m.cell})
      return m.by_side[std::countr_zero(static_cast<unsigned>(side)) - 4];
  return {};
}

}  // namespace tessera::program
