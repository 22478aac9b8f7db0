// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <tessera/parallel/communicator.hpp>
#include <vector>

#include "options/run_options.hpp"

namespace tessera::program {

/// The ranks of a job in groups of neighbours. Each group has a part of the replicas, and its ranks share each of these
/// replicas. Rank 0 of a group is its head.
struct RankGroups {
  parallel::Communicator members;  ///< the group of this rank
  parallel::Communicator heads;    ///< heads of all groups; valid at heads only
  int rank = 0;                    ///< this rank among all ranks
  int number = 0;                  ///< number of this rank's group
  std::vector<int> shares{0};      ///< number of replicas of each group, in order

  RankGroups() = default;
  /// All ranks: groups of this size, and their numbers of replicas.
  RankGroups(const parallel::Communicator& all, int size, std::vector<int> of_replicas)
      : members(all.split(all.rank() / size)),
        heads(all.split(all.rank() % size)),
        rank(all.rank()),
        number(all.rank() / size),
        shares(std::move(of_replicas)) {}

  bool is_head() const { return members.rank() == 0; }
  /// Whether ranks share each system.
  bool shared() const { return members.size() > 1; }
  int replicas() const;
  /// Number of replicas of this group.
  int share() const { return shares[static_cast<std::size_t>(number)]; }
  /// Number of the first replica of each group.
  std::vector<int> firsts() const;
  /// Prefix of this rank's error messages: "rank 3, whose replica 0 is replica 6: ". Empty at rank 0.
  std::string name() const;
};

/// Number of replicas of each group. Throws InputError, with a number of ranks that works, if there are more groups
/// than replicas.
std::vector<int> share_replicas(int replicas, int groups);

/// Number of ranks that share a replica: --ranks-per-replica if given; all ranks if only --rank-grid is given; else one
/// if there are enough replicas, or the fewest for which all groups have the same number of replicas. `shareable`:
/// whether ranks can share replicas. Throws InputError if the options cannot be satisfied.
int ranks_per_replica(const RunOptions& run, int ranks, int replicas, bool shareable);

}  // namespace tessera::program
