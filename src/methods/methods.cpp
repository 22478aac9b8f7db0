// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <tessera/core/error.hpp>

#include "options/text.hpp"
#include "run/method.hpp"

namespace tessera::program {

const std::vector<MethodEntry>& methods() {
  static const std::vector<MethodEntry> entries{
      {"kmc", "exact kinetic Monte Carlo on lattices",
       "tessera kmc --size 256 --until-time 100 --measure-every 5", make_kmc},
      {"kpz", "random-sequential octahedron model of surface growth",
       "tessera kpz --size 1024 --replicas 4 --steps 1000", make_kpz},
      {"disks", "massively parallel Monte Carlo of hard disks",
       "tessera disks --particles 1024 --packing-fraction 0.65 --sweeps 10000", make_disks},
  };
  return entries;
}

const MethodEntry& method_named(const std::string& name, std::vector<std::string> others, const std::string& advice) {
  for (const auto& method : methods()) {
    if (method.name == name) return method;
    others.push_back(method.name);
  }
  const std::string nearest = nearest_word(name, others);
  throw InputError("unknown method '" + quoted_word(name) + "'; " +
                   (nearest.empty() ? advice : "did you mean '" + nearest + "'?"));
}

}  // namespace tessera::program
