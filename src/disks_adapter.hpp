// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>
#include <tessera/core/backend.hpp>
#include <tessera/core/memory.hpp>
#include <tessera/disks/parameters.hpp>

#include "method.hpp"
#include "simulation_interface.hpp"

namespace tessera::program {

// Without disks before start() or load(): a random start takes long, and a signal can end it.

std::unique_ptr<SimulationInterface> make_disks_parallel(const disks::Parameters& parameters, Backend backend);
std::unique_ptr<SimulationInterface> make_disks_sequential(const disks::Parameters& parameters);

/// All ranks: shared out among them, of which each takes this much memory.
std::unique_ptr<SimulationInterface> make_disks_shared(const disks::Parameters& parameters, const Sharing& sharing,
                                                       const MemoryNeeded& memory);

}  // namespace tessera::program
