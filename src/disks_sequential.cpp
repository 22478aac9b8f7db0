// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <tessera/disks/sequential.hpp>

#include "disks_adapter.hpp"
#include "disks_backends.hpp"

namespace tessera::program {

std::unique_ptr<SimulationInterface> make_disks_sequential(const disks::Parameters& parameters) {
  return std::make_unique<DisksAdapter<disks::SequentialSimulation>>(parameters);
}

}  // namespace tessera::program
