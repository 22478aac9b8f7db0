// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <bit>
#include <tessera/kpz/parameters.hpp>
#include <vector>

#include "run/known_bias.hpp"

namespace tessera::program {

/// Deviations of W^2 from that of the exact process at p = 1, q = 0, in percent, for the default domain, border and
/// interval: the tables of docs/kpz_exact.md, from `reproduce kpz-exact --scale paper`. Empty where not measured.
struct MeasuredDeviations {
  const char* scheme;
  int cell;                ///< TC=cell,cell
  const char* growth;      ///< in growth at t = 256; that at t >= 64 agrees with it within two errors
  const char* by_side[4];  ///< in the steady state of square lattices with sides of 16, 32, 64 and 128
};
inline constexpr MeasuredDeviations measured_deviations[] = {
    {"DTrDB", 1, "-2.00(9)", {"-1.94(6)", "-1.9(1)", "-1.9(1)", "-1.8(4)"}},
    {"DTrDB", 2, "-0.9(1)", {"", "-1.1(1)", "-0.9(1)", "-1.2(4)"}},
    {"DTrDB", 3, "-0.5(1)", {"", "", "-0.4(1)", "-0.5(4)"}},
    {"DTrDB", 4, "-0.2(1)", {"", "", "", ""}},
    {"DTrDT", 1, "-2.28(9)", {"-1.92(6)", "-2.3(1)", "-2.2(1)", "-1.9(4)"}},
    {"DTrDT", 2, "-1.23(9)", {"", "-1.2(1)", "-1.1(1)", "-0.7(4)"}},
    {"DTrDT", 3, "-0.6(1)", {"", "", "", ""}},
    {"DTrDT", 4, "-0.1(1)", {"", "", "", ""}},
    {"DTDB", 1, "-1.8(1)", {"-1.74(6)", "-1.6(1)", "-1.5(1)", "-1.0(4)"}},
    {"DBDB", 1, "", {"17.48(7)", "14.7(1)", "9.9(2)", "5.3(4)"}},
    {"cDBDB", 1, "", {"25.88(8)", "10.7(1)", "3.4(1)", "0.3(4)"}},
};

/// The known deviation of W^2 of a run's scheme; that of the steady state for a square lattice as large as the smallest
/// side. Nothing for sequential dynamics and at p = q, where every scheme has the steady state of sequential dynamics.
inline std::vector<KnownBias> known_biases(const kpz::Parameters& p) {
  if (p.method == kpz::Method::sequential || p.p == p.q) return {};
  KnownBias bias{"roughness", "docs/kpz_exact.md", 64, "", ""};
  const int side = std::min(p.nx, p.ny), row = std::countr_zero(static_cast<unsigned>(side)) - 4;
  const bool as_measured = kpz::domain_side(p) == kpz::default_domain(p) && p.border == 0 && p.async_interval == 0 &&
                           std::max(p.p, p.q) == 1 && std::min(p.p, p.q) == 0;
  for (const MeasuredDeviations& m : measured_deviations)
    if (as_measured && m.scheme == kpz::scheme_name(p) && kpz::thread_cell(p) == kpz::ThreadCell{m.cell, m.cell}) {
      bias.growth = m.growth;
      if (row >= 0 && row < 4) bias.steady = m.by_side[row];
    }
  return {bias};
}

}  // namespace tessera::program
