// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>
#include <tessera/core/backend.hpp>
#include <tessera/kpz/parameters.hpp>

#include "method.hpp"
#include "simulation_interface.hpp"

namespace tessera::program {

/// Whether the program writes the heights of all sites.
enum class HeightFields { at_the_end, never };

/// The method that the parameters choose, on a backend unless it is sequential; `one_of_several`: its histories are for
/// join_histories().
std::unique_ptr<SimulationInterface> make_simulation(const kpz::Parameters& parameters, HeightFields fields,
                                                     Backend backend, bool one_of_several = false);

/// The parallel method on ranks that share out the lattice. Each of them makes one.
std::unique_ptr<SimulationInterface> make_shared_simulation(const kpz::Parameters& parameters, HeightFields fields,
                                                            const Sharing& sharing, bool one_of_several = false);

}  // namespace tessera::program
