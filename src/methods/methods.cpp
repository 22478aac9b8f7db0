// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/method.hpp"

namespace tessera::program {

const std::vector<MethodEntry>& methods() {
  static const std::vector<MethodEntry> entries{
      {"kmc", "exact kinetic Monte Carlo on a 2-d lattice", make_kmc},
      {"kpz", "random-sequential octahedron model of surface growth", make_kpz},
      {"disks", "massively parallel Monte Carlo of hard disks", make_disks},
  };
  return entries;
}

}  // namespace tessera::program
