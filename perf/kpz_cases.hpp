// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <tessera/kpz/parameters.hpp>
#include <vector>

namespace tessera::perf {

/// One thing to measure: a decomposition scheme (figure 7), and where it runs.
struct KpzCase {
  std::string space;   ///< as Kokkos calls it; "sequential" for the reference
  std::string scheme;  ///< "DTrDB"; empty for the reference
  int side;            ///< L
  int replicas = 1;
  bool both = false;      ///< deposition and removal, p = 0.7 and q = 0.3, instead of deposition alone
  bool measured = false;  ///< with a measurement after each Monte Carlo step

  /// As in "kpz/DTrDB/Cuda/L:65536", "kpz/DBDB/Cuda/L:16384/pq", "kpz/sequential/L:1024".
  std::string name() const {
    std::string text = "kpz/" + (scheme.empty() ? space : scheme + "/" + space) + "/L:" + std::to_string(side);
    if (replicas > 1) text += "/replicas:" + std::to_string(replicas);
    if (both) text += "/pq";
    return measured ? text + "/measured" : text;
  }

  /// Attempts in a Monte Carlo step of all replicas.
  double sites() const { return static_cast<double>(side) * side * replicas; }

  kpz::Parameters parameters() const {
    kpz::Parameters p;
    p.nx = p.ny = side;
    p.replicas = replicas;
    p.steps = 1e9;
    if (both) {
      p.p = 0.7;
      p.q = 0.3;
    }
    if (scheme.empty()) {
      p.method = kpz::Method::sequential;
      return p;
    }
    p.device_layer = scheme.starts_with("DTr") ? kpz::DeviceLayer::double_tiling_random : kpz::DeviceLayer::dead_border;
    p.block_layer = scheme.ends_with("DB") ? kpz::BlockLayer::dead_border : kpz::BlockLayer::double_tiling;
    return p;
  }
};

/// All of them, small systems first. `spaces`: slowest first.
inline std::vector<KpzCase> kpz_cases(const std::vector<std::string>& spaces) {
  std::vector<KpzCase> cases{{"sequential", "", 1024}};
  for (const int side : {1024, 4096, 16384, 65536}) {
    for (const auto& space : spaces) {
      for (const char* scheme : {"DTrDB", "DTrDT"}) cases.push_back({space, scheme, side});
      if (side == 1024) cases.push_back({space, "DTrDB", side, 64});
      if (side == 16384) cases.push_back({space, "DBDB", side, 1, true});
      if (side == 65536) cases.push_back({space, "DTrDB", side, 1, false, true});
    }
  }
  return cases;
}

/// Attempts/ns that were stated for one H200, at least; 0 if none.
inline double kpz_h200_target(const KpzCase& c) {
  if (c.space != "Cuda" || c.measured) return 0;
  if (c.both) return c.side == 16384 ? 130 : 0;
  if (c.replicas > 1) return c.replicas == 64 && c.side == 1024 ? 250 : 0;
  return c.side == 65536 ? 350 : c.side == 16384 ? 330 : c.side == 4096 ? 200 : 0;
}

}  // namespace tessera::perf
