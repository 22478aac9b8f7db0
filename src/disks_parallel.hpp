// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>
#include <tessera/disks/simulation.hpp>

#include "disks_adapter.hpp"

namespace tessera::program {

/// The parallel method on an execution space.
template <class ExecutionSpace>
std::unique_ptr<SimulationInterface> make_disks_parallel(const disks::Parameters& parameters) {
  return std::make_unique<DisksAdapter<disks::Simulation<ExecutionSpace>>>(parameters, ExecutionSpace());
}

}  // namespace tessera::program
