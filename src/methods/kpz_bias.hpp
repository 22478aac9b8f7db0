// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <iterator>
#include <sstream>
#include <string>
#include <tessera/kpz/parameters.hpp>
#include <utility>
#include <vector>

#include "run/known_bias.hpp"

namespace tessera::program {

/// Measured deviations of W^2 and the velocity from those of the exact process at p = 1, q = 0, in percent: in growth
/// after t = 64, then in the steady state of square lattices with sides of 16, 32, 64 and 128; "-" where not measured.
/// They are those of a scheme with the default domain, border and interval: the tables of docs/kpz_exact.md. W^2 in
/// growth is that at t = 256, with which those at t >= 64 agree within two errors; the velocity is that from t = 64 to
/// 256.
struct MeasuredDeviations {
  const char* scheme;
  int cell;  ///< TC=cell,cell
  const char *roughness, *velocity;
};
inline constexpr MeasuredDeviations measured_deviations[] = {
    {"DTrDB", 1, "-2.00(9) -1.94(6) -1.9(1) -1.9(1) -1.8(4)", "0.27(4) -0.51(3) -0.08(4) 0.20(6) 0.1(2)"},
    {"DTrDB", 2, "-0.9(1) - -1.1(1) -0.9(1) -1.2(4)", "0.05(4) - -0.34(4) -0.13(6) -0.1(2)"},
    {"DTrDB", 3, "-0.5(1) - - -0.4(1) -0.5(4)", "-0.04(5) - - -0.16(6) 0.3(2)"},
    {"DTrDB", 4, "-0.2(1) - - - -", "-0.07(4) - - - -"},
    {"DTrDT", 1, "-2.28(9) -1.92(6) -2.3(1) -2.2(1) -1.9(4)", "0.25(5) -0.58(3) -0.16(4) 0.14(7) 0.2(2)"},
    {"DTrDT", 2, "-1.23(9) - -1.2(1) -1.1(1) -0.7(4)", "0.01(4) - -0.36(4) -0.13(6) 0.1(2)"},
    {"DTrDT", 3, "-0.6(1) - - - -", "-0.03(4) - - - -"},
    {"DTrDT", 4, "-0.1(1) - - - -", "-0.06(6) - - - -"},
    {"DTDB", 1, "-1.8(1) -1.74(6) -1.6(1) -1.5(1) -1.0(4)", "0.28(4) -0.61(3) -0.04(4) 0.19(6) 0.3(2)"},
    {"DBDB", 1, "- 17.48(7) 14.7(1) 9.9(2) 5.3(4)", "-0.48(6) -6.48(3) -3.16(4) -1.46(7) -0.8(2)"},
    {"cDBDB", 1, "- 25.88(8) 10.7(1) 3.4(1) 0.3(4)", "-0.57(4) -16.53(3) -5.47(5) -1.78(6) -0.6(2)"}};
inline std::vector<std::string> words_of(const char* deviations) {
  std::istringstream words(deviations);
  return {std::istream_iterator<std::string>(words), {}};
}

/// The known deviations of W^2 and the velocity of a run's scheme; in the steady state of a square lattice as large as
/// the smallest side. Nothing for sequential dynamics and at p = q, where every scheme has the steady state of
/// sequential dynamics.
inline std::vector<KnownBias> known_biases(const kpz::Parameters& p) {
  if (p.method == kpz::Method::sequential || p.p == p.q) return {};
  KnownBias roughness{"roughness", "docs/kpz_exact.md", 64, "", ""}, velocity = roughness;
  velocity.observable = "velocity";
  const auto side = static_cast<unsigned>(std::min(p.nx, p.ny));
  const std::size_t place = static_cast<std::size_t>(std::countr_zero(side)) - 3;  // of this side in a row
  const bool as_measured = kpz::domain_side(p) == kpz::default_domain(p) && p.border == 0 && p.async_interval == 0 &&
                           std::max(p.p, p.q) == 1 && std::min(p.p, p.q) == 0;
  for (const MeasuredDeviations& m : measured_deviations)
    if (as_measured && m.scheme == kpz::scheme_name(p) && kpz::thread_cell(p) == kpz::ThreadCell{m.cell, m.cell})
      for (const auto& [bias, known] : {std::pair(&roughness, m.roughness), std::pair(&velocity, m.velocity)}) {
        const std::vector<std::string> words = words_of(known);
        if (words[0] != "-") bias->growth = words[0];
        if (place >= 1 && place < words.size() && words[place] != "-") bias->steady = words[place];
      }
  return {roughness, velocity};
}

}  // namespace tessera::program
