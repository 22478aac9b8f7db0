// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <tessera/parallel/rank_grid.hpp>
#include <tessera/parallel/transport.hpp>
#include <tessera/parallel/world.hpp>
#include <vector>

#include "machine/backend.hpp"
#include "machine/memory_check.hpp"
#include "options/run_options.hpp"
#include "run/method.hpp"
#include "run/rank_groups.hpp"
#include "run/simulation_interface.hpp"

namespace tessera::program {

/// How a run is spread over the ranks, and what of it this one computes.
struct Spread {
  RankGroups groups;
  std::unique_ptr<Method> part;                                 ///< of this group; null: all of the run
  parallel::GridShape grid;                                     ///< of the ranks of a group, if it has several
  parallel::Transport transport = parallel::Transport::staged;  ///< the way of their data
  MemoryNeeded memory;                                          ///< of this rank; rank 0 takes most

  const Method& own(const Method& method) const { return part ? *part : method; }
  Sharing sharing(Backend backend) const;
  /// For people: "4 ranks in 2 groups, each system cut into 1 x 2".
  std::string text(int ranks, Backend backend) const;
};

/// The device of this rank, unless one is given: its number in the node, modulo the devices that it can see.
int device_of_rank(const parallel::World& world);

/// Gives this rank its part of the run, in the groups of `spread`. Throws InputError if it cannot have it: if systems
/// cannot be cut so, or it and the others of its node take more memory than there is.
void take_part(const parallel::World& world, const Method& method, const RunOptions& run,
               const KokkosSettings& settings, const AvailableMemory& available, Spread& spread);

/// All ranks: chooses the transport, as choose_transport() does. Adds what the user ought to know to `messages`.
void connect(const parallel::Communicator& ranks, const RunOptions& run, const KokkosSettings& settings, Spread& spread,
             std::vector<std::string>& messages);

/// All ranks: the simulation of all replicas, wherever they are. What keeps one rank from making its part is thrown at
/// all.
std::unique_ptr<SimulationInterface> make_simulation(const Method& method, Backend backend,
                                                     const parallel::World& world, const Spread& spread);

}  // namespace tessera::program
