// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <tessera/parallel/communicator.hpp>

#include "run_options.hpp"

namespace tessera::program {

/// The ranks of a job in groups of neighbours. Each group has a share of the replicas, and its ranks share out each one
/// of them. Rank 0 of a group is its head.
struct RankGroups {
  parallel::Communicator own;    ///< the group of this rank
  parallel::Communicator heads;  ///< those of all groups; elsewhere of no use

  RankGroups() = default;
  /// All ranks: groups of so many.
  RankGroups(const parallel::Communicator& all, int size)
      : own(all.split(all.rank() / size)), heads(all.split(all.rank() % size)) {}
};

/// How many ranks share out a replica: as --ranks-per-replica says; all if there is a --rank-grid alone; or else one if
/// there are enough replicas, and if not the fewest with which all groups have as many of them. `shareable`: whether
/// ranks can share out replicas. Throws InputError if what is asked for cannot be.
int ranks_per_replica(const RunOptions& run, int ranks, int replicas, bool shareable);

}  // namespace tessera::program
