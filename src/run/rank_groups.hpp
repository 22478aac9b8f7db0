// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <tessera/parallel/communicator.hpp>
#include <vector>

#include "options/run_options.hpp"

namespace tessera::program {

/// The ranks of a job in groups of neighbours. Each group has a share of the replicas, and its ranks share out each one
/// of them. Rank 0 of a group is its head.
struct RankGroups {
  parallel::Communicator own;    ///< the group of this rank
  parallel::Communicator heads;  ///< those of all groups; elsewhere of no use
  int rank = 0;                  ///< this one, among all
  int number = 0;                ///< of the group of this rank
  std::vector<int> shares{0};    ///< of each group in the replicas, in order

  RankGroups() = default;
  /// All ranks: groups of so many, and their shares.
  RankGroups(const parallel::Communicator& all, int size, std::vector<int> of_replicas)
      : own(all.split(all.rank() / size)),
        heads(all.split(all.rank() % size)),
        rank(all.rank()),
        number(all.rank() / size),
        shares(std::move(of_replicas)) {}

  bool is_head() const { return own.rank() == 0; }
  /// Ranks share out each system.
  bool shared() const { return own.size() > 1; }
  int replicas() const;
  /// Of this group.
  int share() const { return shares[static_cast<std::size_t>(number)]; }
  /// The number of the first replica of each group.
  std::vector<int> firsts() const;
  /// What is said of this rank before its errors: "rank 3, whose replica 0 is replica 6: ". Nothing of rank 0.
  std::string name() const;
};

/// How many replicas each of several groups has. Throws InputError, which says how many ranks would do, if there are
/// more of them than replicas.
std::vector<int> share_replicas(int replicas, int groups);

/// How many ranks share out a replica: as --ranks-per-replica says; all if there is a --rank-grid alone; or else one if
/// there are enough replicas, and if not the fewest with which all groups have as many of them. `shareable`: whether
/// ranks can share out replicas. Throws InputError if what is asked for cannot be.
int ranks_per_replica(const RunOptions& run, int ranks, int replicas, bool shareable);

}  // namespace tessera::program
