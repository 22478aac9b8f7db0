// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/rank_groups.hpp"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <tessera/core/error.hpp>
#include <tessera/parallel/block.hpp>

#include "options/number_text.hpp"
#include "options/shown_text.hpp"

namespace tessera::program {
namespace {

/// Sizes of groups that leave no rank and no group without work, "use 2, 3 or 6"; or the largest number of ranks.
std::string valid_sizes(int ranks, int replicas, bool shareable) {
  std::vector<std::string> sizes;
  for (int size = 1; size <= (shareable ? ranks : 1); ++size)
    if (ranks % size == 0 && ranks / size <= replicas) sizes.push_back(std::to_string(size));
  return "use " + (sizes.empty() ? "at most " + counted(replicas, "rank") : joined(sizes, " or "));
}

}  // namespace

int RankGroups::replicas() const { return std::accumulate(shares.begin(), shares.end(), 0); }

std::vector<int> RankGroups::firsts() const {
  std::vector<int> first(shares.size());
  std::exclusive_scan(shares.begin(), shares.end(), first.begin(), 0);
  return first;
}

std::string RankGroups::name() const {
  if (rank == 0) return "";
  const int first = firsts()[static_cast<std::size_t>(number)];
  return "rank " + std::to_string(rank) +
         (first > 0 ? ", whose replica 0 is replica " + std::to_string(first) : std::string()) + ": ";
}

std::vector<int> share_replicas(int replicas, int groups) {
  if (groups > replicas)
    throw InputError("a replica of this run cannot be divided among ranks, and there are " + counted(groups, "rank") +
                     " for " + counted(replicas, "replica") + "; use at most " + counted(replicas, "rank") +
                     " or more --replicas");
  std::vector<int> shares;
  for (int group = 0; group < groups; ++group)
    shares.push_back(static_cast<int>(parallel::block(replicas, groups, group).size()));
  return shares;
}

int ranks_per_replica(const RunOptions& run, int ranks, int replicas, bool shareable) {
  const auto& grid = run.rank_grid;
  const auto& asked = run.ranks_per_replica;
  if (!grid && !asked) return ranks <= replicas || !shareable ? 1 : ranks / std::gcd(ranks, replicas);
  const int size = asked.value_or(ranks);
  const std::string of_grid = grid ? "--rank-grid " + write_pair(grid->nx, grid->ny) + ": " : "";
  const std::string option = asked ? "--ranks-per-replica " + std::to_string(size) + ": " : of_grid;
  if (size > 1 && !shareable)
    throw InputError(option + "a replica of this run cannot be divided among ranks; use --ranks-per-replica 1");
  const std::string instead = "; " + valid_sizes(ranks, replicas, shareable);
  if (ranks % size != 0)
    throw InputError(option + counted(ranks, "rank") + " cannot be divided into groups of this size" + instead);
  if (ranks / size > replicas)
    throw InputError(option + "gives " + counted(ranks / size, "group") + " for " + counted(replicas, "replica") +
                     instead);
  const auto of = grid ? std::int64_t{grid->nx} * grid->ny : size;
  if (of != size)
    throw InputError(
        of_grid + "is a grid of " + counted(of, "rank") + ", but " +
        (asked ? "--ranks-per-replica is " + std::to_string(size) : "the run has " + counted(size, "rank")));
  return size;
}

}  // namespace tessera::program
