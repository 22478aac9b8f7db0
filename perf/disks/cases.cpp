// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "cases.hpp"

#include <cstdint>

namespace tessera::perf {

std::string DisksCase::name() const {
  std::string text = "disks/" + space + "/N:" + std::to_string(side) + "^2";
  if (replicas > 1) text += "/replicas:" + std::to_string(replicas);
  return sampled ? text + "/sampled" : text;
}

disks::Parameters DisksCase::parameters() const {
  disks::Parameters p;
  p.particles = std::int64_t{side} * side;
  p.replicas = replicas;
  p.sweeps = 1e9;
  p.equilibrate = sampled ? 0 : 1e9;
  return p;
}

std::vector<DisksCase> all_disks_cases(const std::vector<std::string>& spaces) {
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

std::vector<DisksCase> h200_disks_cases(const std::vector<std::string>& spaces) {
  const std::string& fastest = spaces.back();
  std::vector<DisksCase> cases;
  for (const int side : {3040, 1520}) cases.push_back({fastest, side});
  cases.push_back({fastest, 32, 256});
  for (const auto& space : spaces) cases.push_back({space, 253});
  cases.push_back({"sequential", 253});
  for (const auto& space : spaces)
    if (space != "Serial")
      for (const bool sampled : {false, true}) cases.push_back({space, 760, 1, sampled});
  return cases;
}

}  // namespace tessera::perf
