// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>
#include <string>
#include <tessera/parallel/rank_grid.hpp>
#include <tessera/parallel/transport.hpp>
#include <tessera/parallel/world.hpp>
#include <tessera/simulation/simulation_interface.hpp>
#include <vector>

#include "machine/backend.hpp"
#include "machine/memory_check.hpp"
#include "options/run_options.hpp"
#include "run/method.hpp"
#include "run/rank_groups.hpp"

namespace tessera::program {

/// Distribution of a run over the ranks, and the part of this rank.
struct Spread {
  RankGroups groups;
  std::unique_ptr<Method> part;                                 ///< part of this group; null: the whole run
  parallel::GridShape grid;                                     ///< grid of the ranks of a group, if it has several
  parallel::Transport transport = parallel::Transport::staged;  ///< transport of their data
  MemoryNeeded memory;                                          ///< memory of this rank; rank 0 requires the most

  const Method& part_of(const Method& method) const { return part ? *part : method; }
  Sharing sharing(Backend backend) const;
  /// Text for the start report: "4 ranks in 2 groups, each system divided into 1 x 2".
  std::string text(int ranks, Backend backend) const;
};

/// Default device of this rank: its number in the node, modulo the number of visible devices.
int device_of_rank(const parallel::World& world);

/// Assigns this rank its part of the run, in the groups of `spread`. Throws InputError if the systems cannot be divided
/// in this way, or if the ranks of this node require more memory than available.
void take_part(const parallel::World& world, const Method& method, const RunOptions& run,
               const KokkosSettings& settings, const AvailableMemory& available, Spread& spread);

/// All ranks: chooses the transport, as choose_transport() does. Adds notes to `messages`.
void connect(const parallel::Communicator& ranks, const RunOptions& run, const KokkosSettings& settings, Spread& spread,
             std::vector<std::string>& messages);

/// All ranks: constructs the simulation of all replicas. A failure at one rank is thrown at all ranks.
std::unique_ptr<SimulationInterface> make_simulation(const Method& method, Backend backend,
                                                     const parallel::World& world, const Spread& spread);

}  // namespace tessera::program
