// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>
#include <tessera/core/backend.hpp>
#include <tessera/kmc/parameters.hpp>

#include "method.hpp"
#include "simulation_interface.hpp"

namespace tessera::program {

/// The method and the model that the parameters choose, on a backend unless the method is sequential.
std::unique_ptr<SimulationInterface> make_simulation(const kmc::Parameters& parameters, Backend backend);

/// The tile method on ranks that share out the lattice. Each of them makes one.
std::unique_ptr<SimulationInterface> make_shared_simulation(const kmc::Parameters& parameters, const Sharing& sharing);

}  // namespace tessera::program
