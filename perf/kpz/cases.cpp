// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "cases.hpp"

namespace tessera::perf {

std::string KpzCase::name() const {
  std::string text = "kpz/" + (scheme.empty() ? "sequential" : scheme + "/" + space) + "/L:" + std::to_string(side);
  if (replicas > 1) text += "/replicas:" + std::to_string(replicas);
  if (both) text += "/pq";
  return measured ? text + "/measured" : text;
}

kpz::Parameters KpzCase::parameters() const {
  kpz::Parameters p;
  p.nx = p.ny = side;
  p.replicas = replicas;
  p.steps = 1e8;
  if (measured) p.waiting_times = {1, 2};
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

std::vector<KpzCase> all_kpz_cases(const std::vector<std::string>& spaces) {
  std::vector<KpzCase> cases;
  for (const int side : {1024, 4096, 16384, 65536}) {
    if (side <= 4096) cases.push_back({"", "", side});
    for (const auto& space : spaces) {
      for (const char* scheme : {"DTrDB", "DTrDT"}) cases.push_back({space, scheme, side});
      if (side == 1024) cases.push_back({space, "DTrDB", side, 64});
      if (side == 16384)
        for (const char* scheme : {"DTrDB", "DBDB"}) cases.push_back({space, scheme, side, 1, true});
      if (side == 65536) cases.push_back({space, "DTrDB", side, 1, false, true});
    }
  }
  return cases;
}

std::vector<KpzCase> h200_kpz_cases(const std::vector<std::string>& spaces) {
  const std::string& fastest = spaces.back();
  std::vector<KpzCase> cases;
  for (const int side : {65536, 16384})
    for (const char* scheme : {"DTrDB", "DTrDT"}) cases.push_back({fastest, scheme, side});
  cases.push_back({fastest, "DTrDB", 65536, 1, false, true});
  for (const char* scheme : {"DTrDB", "DBDB"}) cases.push_back({fastest, scheme, 16384, 1, true});
  cases.push_back({fastest, "DTrDB", 1024, 64});
  for (const auto& space : spaces)
    for (const char* scheme : {"DTrDB", "DTrDT"}) cases.push_back({space, scheme, 4096});
  for (const int side : {4096, 1024}) cases.push_back({"", "", side});
  return cases;
}

}  // namespace tessera::perf
