// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <iostream>
#include <string>
#include <tessera/simulation/simulation_interface.hpp>

namespace tessera::testing {

/// The exit status of a test: 0 if the simulation has done something before this time and measured it.
inline int status_of(SimulationInterface& simulation, double until) {
  simulation.advance(until / 2);
  simulation.advance(until);
  if (!simulation.measure().empty() && simulation.work() > 0) return 0;
  std::cerr << "nothing happened\n";
  return 1;
}

}  // namespace tessera::testing
