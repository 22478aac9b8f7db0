// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>
#include <string>
#include <tessera/parallel/rank_grid.hpp>
#include <tessera/parallel/transport.hpp>
#include <vector>

#include "backend.hpp"
#include "method.hpp"
#include "option_table.hpp"
#include "ranks/followers.hpp"
#include "ranks/joined_checkpoint.hpp"
#include "run_options.hpp"
#include "simulation_interface.hpp"

namespace tessera::program {

/// How a run is spread over several ranks.
struct Spread {
  Shares shares;                                                ///< of replicas; none where all share out each one
  parallel::GridShape grid;                                     ///< of the ranks, where they do
  parallel::Transport transport = parallel::Transport::staged;  ///< the way of their data

  bool shared() const { return shares.empty(); }
  /// For people: "4 ranks, each system cut into 2 x 2".
  std::string text(int ranks, Backend backend) const;
};

/// Spreads the replicas over all ranks, each of which checks that it can run its own.
/// Adds what the user ought to know to `messages`. Throws InputError if there are too many ranks, or one cannot.
Spread spread_replicas(const MethodEntry& entry, const Method& method, const OptionTable& table, const RunOptions& run,
                       bool device_given, const KokkosSettings& settings, Followers& followers,
                       std::vector<std::string>& messages);

/// The simulation of all replicas, wherever they are.
std::unique_ptr<SimulationInterface> make_simulation(const Method& method, Backend backend, Followers& followers,
                                                     const Spread& spread);

}  // namespace tessera::program
