// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend.hpp"
#include "method.hpp"
#include "option_table.hpp"
#include "ranks/followers.hpp"
#include "ranks/joined_checkpoint.hpp"
#include "simulation_interface.hpp"

namespace tessera::program {

/// Spreads the replicas over all ranks, each of which checks that it can run its own, and returns how many each has:
/// none of them where all ranks share out each replica.
/// Adds what the user ought to know to `messages`. Throws InputError if there are too many ranks, or one cannot.
Shares spread_replicas(const MethodEntry& entry, const Method& method, const OptionTable& table, bool device_given,
                       const KokkosSettings& settings, Followers& followers, std::vector<std::string>& messages);

/// The simulation of all replicas, wherever they are.
std::unique_ptr<SimulationInterface> make_simulation(const Method& method, Backend backend, Followers& followers,
                                                     const Shares& shares);

}  // namespace tessera::program
