// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/ranks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <span>
#include <tessera/core/error.hpp>
#include <tessera/parallel/rank_zero.hpp>
#include <utility>

#include "io/atomic_file.hpp"
#include "options/text.hpp"
#include "run/replica_groups.hpp"

namespace tessera::program {
namespace {

/// Sizes of groups that leave no rank and no group without work, "use 2, 3 or 6"; or the largest number of ranks.
std::string valid_sizes(int ranks, int replicas, bool shareable) {
  std::vector<std::string> sizes;
  for (int size = 1; size <= (shareable ? ranks : 1); ++size)
    if (ranks % size == 0 && ranks / size <= replicas) sizes.push_back(std::to_string(size));
  return "use " + (sizes.empty() ? "at most " + counted(replicas, "rank") : joined(sizes, " or "));
}

/// Grid of the ranks of a group. Throws InputError, with its option, if the systems cannot be divided by it.
parallel::GridShape grid_of(const Method& method, const RunOptions& run, Execution execution) {
  execution.grid = run.rank_grid;
  try {
    return method.distribution(execution).grid.shape();
  } catch (const InputError& error) {
    if (run.rank_grid || (execution.groups.count() == 1 && !run.ranks_per_replica)) throw;
    throw InputError("--ranks-per-replica " + write_value(execution.groups.size) + ": " + error.what());
  }
}

/// Memory of all ranks of a node, each of which requires as much as this one; on the host, only heads of groups count.
MemoryNeeded memory_in_node(const parallel::World& world, const Execution& execution, MemoryNeeded memory) {
  const int ranks = world.ranks_in_node(), size = execution.groups.size;
  if (!is_gpu(execution.backend)) memory.device *= static_cast<std::size_t>(ranks);
  memory.host *= static_cast<std::size_t>(execution.groups.is_head() ? (ranks + size - 1) / size : 0);
  return memory;
}

}  // namespace

int ranks_per_replica(const RunOptions& run, int ranks, int replicas, bool shareable) {
  const auto& grid = run.rank_grid;
  const auto& asked = run.ranks_per_replica;
  if (!grid && !asked && ranks > replicas && !shareable)
    throw InputError("a replica of this run cannot be divided among ranks, and there are " + counted(ranks, "rank") +
                     " for " + counted(replicas, "replica") + "; use at most " + counted(replicas, "rank") +
                     " or more --replicas");
  if (!grid && !asked) return ranks <= replicas ? 1 : ranks / std::gcd(ranks, replicas);
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

int device_of_rank(const parallel::World& world) {
  const auto devices = static_cast<int>(gpu_devices().size());
  return devices > 0 ? world.rank_in_node() % devices : 0;
}

PartOfRank take_part(const parallel::World& world, const Method& method, const RunOptions& run,
                     const AvailableMemory& available, Execution& execution) {
  const parallel::RankGroups& groups = execution.groups;
  const parallel::Block share = groups.share();
  PartOfRank mine;
  if (groups.count() > 1)
    mine.method = method.part(execution.backend, static_cast<int>(share.first), static_cast<int>(share.size()));
  const Method& of_group = mine.method ? *mine.method : method;
  if (groups.size > 1) execution.grid = grid_of(of_group, run, execution);
  mine.memory = of_group.memory(execution);
  check_memory(memory_in_node(world, execution, mine.memory), execution.backend, available);
  return mine;
}

parallel::Transport choose_transport(const std::optional<parallel::Transport>& asked,
                                     const std::vector<parallel::Transport>& present,
                                     const std::string& shared_device) {
  const auto connects = [&](parallel::Transport one) {
    return one != parallel::Transport::nccl || shared_device.empty();
  };
  if (!asked) return *std::ranges::find_if(present, connects);
  const std::string option = "--transport " + parallel::transport_name(*asked) + ": ";
  if (std::ranges::find(present, *asked) == present.end())
    throw InputError(option + "is not available with this build and MPI; valid values are " +
                     joined(present, ", ", parallel::transport_name));
  if (!connects(*asked)) throw InputError(option + "cannot connect ranks that share the device " + shared_device);
  return *asked;
}

void connect(const RunOptions& run, Execution& execution, std::vector<std::string>& messages) {
  const parallel::Communicator& ranks = execution.groups.all;
  if (ranks.size() == 1) return;
  std::string here;  // the device of this rank, by a name that is unique among all nodes; empty for a host backend
  if (is_gpu(execution.backend))
    here = gpu_devices().at(static_cast<std::size_t>(execution.device)).bus + " of " + io::host_name();
  std::map<std::string, int> ranks_at;
  for (const auto& bytes : ranks.gather(std::as_bytes(std::span(here))))
    ++ranks_at[std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())];
  parallel::at_rank_zero(ranks, [&] {
    std::string shared;
    for (const auto& [place, number] : ranks_at) {
      if (place.empty() || number == 1) continue;
      shared = place;
      messages.push_back(write_value(number) + " ranks share the device " + place + ", and slow each other down");
    }
    execution.transport = choose_transport(run.transport, parallel::transports(), shared);
  });
  execution.transport = ranks.broadcast(execution.transport);
}

std::unique_ptr<SimulationInterface> make_simulation(const Method& of_group, const parallel::World& world,
                                                     const Execution& execution) {
  const parallel::RankGroups& groups = execution.groups;
  if (groups.all.size() > 1) world.use(execution.transport);
  std::unique_ptr<SimulationInterface> part;
  parallel::agreed(groups.all, groups.name(), [&] { part = of_group.make_simulation(execution); });
  if (groups.all.any(part == nullptr)) return nullptr;
  if (groups.all.size() == 1) return part;
  return std::make_unique<ReplicaGroups>(std::move(part), groups);
}

std::string ranks_text(const Execution& execution) {
  const parallel::RankGroups& groups = execution.groups;
  if (groups.all.size() == 1) return "";
  std::string text = ", " + counted(groups.all.size(), "rank");
  if (groups.size == 1) return text;
  if (groups.count() > 1) text += " in " + counted(groups.count(), "group");
  text += ", each system divided into " + write_value(execution.grid->nx) + " x " + write_value(execution.grid->ny);
  return is_gpu(execution.backend) ? text + ", transport " + parallel::transport_name(execution.transport) : text;
}

}  // namespace tessera::program
