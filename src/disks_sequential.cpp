// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <tessera/disks/sequential.hpp>

#include "disks_adapter.hpp"
#include "disks_backends.hpp"

namespace tessera::program {

std::unique_ptr<SimulationInterface> make_disks_sequential(const disks::Parameters& parameters) {
  using Simulation = disks::SequentialSimulation;
  return std::make_unique<DisksAdapter<Simulation>>(
      parameters, [parameters](const auto& points) { return std::make_unique<Simulation>(parameters, points); });
}

}  // namespace tessera::program
