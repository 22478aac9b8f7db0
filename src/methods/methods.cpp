// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <tessera/core/error.hpp>

#include "options/text.hpp"
#include "run/method.hpp"

namespace tessera::program {

const std::vector<MethodEntry>& methods() {
  static const std::vector<MethodEntry> entries{
      {"kmc", "exact kinetic Monte Carlo on lattices", make_kmc},
      {"kpz", "random-sequential octahedron model of surface growth", make_kpz},
      {"disks", "massively parallel Monte Carlo of hard disks", make_disks},
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
