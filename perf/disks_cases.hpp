// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

namespace tessera::perf {

/// One thing to measure: a system at packing fraction 0.698 (figure 4), and where it runs.
struct DisksCase {
  std::string space;  ///< as Kokkos calls it; "sequential" for the reference
  int side;           ///< side^2 disks
  int replicas = 1;
  bool sampled = false;  ///< with a sample of pressure and order every 200 sweeps

  /// As in "disks/Cuda/N:253^2", "disks/Cuda/N:32^2/replicas:256", "disks/Cuda/N:760^2/sampled".
  std::string name() const {
    std::string text = "disks/" + space + "/N:" + std::to_string(side) + "^2";
    if (replicas > 1) text += "/replicas:" + std::to_string(replicas);
    return sampled ? text + "/sampled" : text;
  }
  double disks() const { return static_cast<double>(side) * side * replicas; }
};

/// All of them, small systems first. `spaces`: slowest first.
inline std::vector<DisksCase> disks_cases(const std::vector<std::string>& spaces) {
  std::vector<DisksCase> cases;
  for (const int side : {253, 760, 1520, 3040}) {
    if (side == 253) cases.push_back({"sequential", side});
    for (const auto& space : spaces) cases.push_back({space, side});
    if (side == 253)
      for (const auto& space : spaces) cases.push_back({space, 32, 256});
    if (side == 760)
      for (const auto& space : spaces) cases.push_back({space, side, 1, true});
  }
  return cases;
}

/// Trial moves/s that were stated for one H200, at least; 0 if none.
inline double disks_h200_target(const DisksCase& c) {
  if (c.space != "Cuda" || c.sampled) return 0;
  if (c.replicas == 256 && c.side == 32) return 2e10;
  if (c.replicas > 1) return 0;
  return c.side == 253 ? 1.2e10 : c.side == 760 ? 3.5e10 : c.side == 1520 ? 4.5e10 : c.side == 3040 ? 5.2e10 : 0;
}

}  // namespace tessera::perf
