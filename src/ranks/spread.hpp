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
#include "ranks/rank_groups.hpp"
#include "run_options.hpp"
#include "simulation_interface.hpp"

namespace tessera::program {

/// How a run is spread over several ranks.
struct Spread {
  RankGroups groups;
  Shares shares;                                                ///< of the groups in the replicas
  parallel::GridShape grid;                                     ///< of the ranks of a group, if it has several
  parallel::Transport transport = parallel::Transport::staged;  ///< the way of their data
  MemoryNeeded memory;                                          ///< of rank 0, which takes most

  bool shared() const { return groups.own.size() > 1; }
  /// For people: "4 ranks in 2 groups, each system cut into 1 x 2".
  std::string text(int ranks, Backend backend) const;
};

/// Spreads the replicas over groups of so many ranks, each of which checks that it can run its own, or its part of
/// them. Adds what the user ought to know to `messages`. Throws InputError if there are too many ranks, or one cannot.
Spread spread_replicas(const MethodEntry& entry, const Method& method, const OptionTable& table, const RunOptions& run,
                       int per_replica, bool device_given, const KokkosSettings& settings, Followers& followers,
                       std::vector<std::string>& messages);

/// The simulation of all replicas, wherever they are.
std::unique_ptr<SimulationInterface> make_simulation(const Method& method, Backend backend, Followers& followers,
                                                     const Spread& spread);

}  // namespace tessera::program
