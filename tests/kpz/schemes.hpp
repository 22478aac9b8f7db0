// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <tessera/kpz/parameters.hpp>
#include <vector>

namespace tessera::testing {

/// A lattice of 64 x 128 sites, which all schemes can run.
inline kpz::Parameters small_lattice(std::uint64_t seed = 1) {
  kpz::Parameters p;
  p.nx = 64;
  p.ny = 128;
  p.domain = 32;
  p.thread_cell_x = p.thread_cell_y = 1;
  p.seed = seed;
  p.steps = 100;
  return p;
}

/// All combinations of the layers.
inline std::vector<kpz::Parameters> all_schemes(const kpz::Parameters& base) {
  std::vector<kpz::Parameters> schemes;
  for (const auto device : {kpz::DeviceLayer::double_tiling_random, kpz::DeviceLayer::double_tiling,
                            kpz::DeviceLayer::dead_border, kpz::DeviceLayer::coarse_dead_border})
    for (const auto block : {kpz::BlockLayer::dead_border, kpz::BlockLayer::double_tiling}) {
      schemes.push_back(base);
      schemes.back().device_layer = device;
      schemes.back().block_layer = block;
    }
  return schemes;
}

inline std::vector<kpz::Parameters> with_cells(const std::vector<kpz::Parameters>& schemes) {
  std::vector<kpz::Parameters> all;
  for (const auto& [x, y] : {std::pair{1, 1}, {2, 1}, {1, 3}, {2, 2}})
    for (kpz::Parameters p : schemes) {
      p.thread_cell_x = x;
      p.thread_cell_y = y;
      all.push_back(p);
    }
  return all;
}

inline std::vector<kpz::Parameters> with_rates(const std::vector<kpz::Parameters>& schemes) {
  std::vector<kpz::Parameters> all;
  for (const auto& [deposition, removal] : {std::pair{1.0, 0.0}, {0.0, 1.0}, {0.7, 0.0}, {0.5, 0.5}, {1.0, 0.3}})
    for (kpz::Parameters p : schemes) {
      p.p = deposition;
      p.q = removal;
      all.push_back(p);
    }
  return all;
}

inline std::string describe(const kpz::Parameters& p) {
  return kpz::scheme_name(p) + ", TC=" + std::to_string(p.thread_cell_x) + "," + std::to_string(p.thread_cell_y) +
         ", p = " + std::to_string(p.p) + ", q = " + std::to_string(p.q) + ", seed " + std::to_string(p.seed);
}

}  // namespace tessera::testing
