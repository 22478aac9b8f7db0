// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <tessera/parallel/world.hpp>
#include <tessera/simulation/simulation_interface.hpp>
#include <vector>

#include "machine/backend.hpp"
#include "machine/machine.hpp"
#include "options/option_table.hpp"
#include "run/method.hpp"

/// Distribution of a run over the ranks of the job.
namespace tessera::program {

/// Number of ranks that share a replica: --ranks-per-replica if given; all ranks if only --rank-grid is given; else one
/// if there are enough replicas, or the fewest for which all groups have the same number of replicas. `shareable`:
/// whether ranks can share replicas. Throws InputError, with a number of ranks that works, if the options cannot be
/// satisfied, or if there are more groups than replicas.
int ranks_per_replica(const RunOptions& run, int ranks, int replicas, bool shareable);

/// Default device of this rank: its number in the node, modulo the number of visible devices.
int device_of_rank(const parallel::World& world);

/// Part of a run that this rank has with its group.
struct PartOfRank {
  std::unique_ptr<Method> method;  ///< null: the whole run
  MemoryNeeded memory;             ///< of this rank; rank 0 requires the most
};

/// The part of this rank; sets the grid of its group. Throws InputError if the systems cannot be divided in this way,
/// or if the ranks of this node require more memory than available.
PartOfRank take_part(const parallel::World& world, const Method& method, const RunOptions& run,
                     const AvailableMemory& available, Execution& execution);

/// The transport of --transport; by default the fastest one that connects the ranks. `shared_device`: name of a device
/// that several ranks share, which NCCL cannot connect, or empty. Throws InputError if it is not available.
parallel::Transport choose_transport(const std::optional<parallel::Transport>& asked,
                                     const std::vector<parallel::Transport>& present, const std::string& shared_device);

/// All ranks: chooses the transport, as choose_transport() does. Adds notes to `messages`.
void connect(const RunOptions& run, Execution& execution, std::vector<std::string>& messages);

/// All ranks: constructs the simulation of all replicas from those of the groups. A failure is thrown at all.
std::unique_ptr<SimulationInterface> make_simulation(const Method& of_group, const parallel::World& world,
                                                     const Execution& execution);

/// Ranks for the start report: ", 4 ranks in 2 groups, each system divided into 1 x 2". Empty for one rank.
std::string ranks_text(const Execution& execution);

}  // namespace tessera::program
