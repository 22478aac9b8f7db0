// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <cstdlib>
#include <stdexcept>

#include "parallel/ranks.hpp"
#include "tessera/parallel/world.hpp"

namespace tessera::parallel {

World::World() = default;
World::~World() = default;

void World::use(Transport transport) const {
  if (transport != Transport::staged) throw std::invalid_argument("this build has no MPI");
}

void World::abort(int status) const { std::_Exit(status); }

std::string mpi_version() { return ""; }
bool launched() { return false; }
std::vector<Transport> transports() { return {}; }

}  // namespace tessera::parallel
