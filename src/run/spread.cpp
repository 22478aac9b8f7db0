// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/spread.hpp"

#include <unistd.h>

#include <array>
#include <cstddef>
#include <map>
#include <span>
#include <tessera/core/error.hpp>
#include <tessera/parallel/agreed.hpp>
#include <tessera/parallel/rank_zero.hpp>
#include <utility>

#include "machine/choose_transport.hpp"
#include "machine/cuda_devices.hpp"
#include "options/number_text.hpp"
#include "run/replica_groups.hpp"

namespace tessera::program {

Sharing Spread::sharing(Backend backend) const {
  if (!groups.shared()) return {backend};
  return {backend, groups.members, grid};
}

std::string Spread::text(int ranks, Backend backend) const {
  std::string text = counted(ranks, "rank");
  if (!groups.shared()) return text;
  if (groups.shares.size() > 1) text += " in " + counted(static_cast<int>(groups.shares.size()), "group");
  text += ", each system divided into " + write_value(grid.nx) + " x " + write_value(grid.ny);
  return backend == Backend::cuda ? text + ", transport " + parallel::transport_name(transport) : text;
}

namespace {

/// Grid of the ranks of a group. Throws InputError, with its option unless `of_all`, if the systems cannot be divided
/// by it.
parallel::GridShape grid_of(const Method& method, const Sharing& group, bool of_all) {
  try {
    return method.rank_grid(group);
  } catch (const InputError& error) {
    if (of_all || group.grid) throw;
    throw InputError("--ranks-per-replica " + write_value(group.ranks.size()) + ": " + error.what());
  }
}

/// Memory of all ranks of a node, each of which requires as much as this one; on the host, only heads of groups count.
MemoryNeeded memory_in_node(const parallel::World& world, const RankGroups& groups, Backend backend,
                            MemoryNeeded memory) {
  if (backend != Backend::cuda) memory.device *= static_cast<std::size_t>(world.ranks_in_node());
  const int heads = (world.ranks_in_node() + groups.members.size() - 1) / groups.members.size();
  memory.host *= groups.is_head() ? static_cast<std::size_t>(heads) : 0;
  return memory;
}

/// Name of the device of these settings, unique among the devices of all nodes; empty for a host backend.
std::string place_of(const KokkosSettings& settings) {
  if (settings.backend != Backend::cuda) return "";
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  std::string reason;
  return cuda_devices(reason).at(static_cast<std::size_t>(settings.device)).bus + " of " + host.data();
}

}  // namespace

int device_of_rank(const parallel::World& world) {
  std::string reason;
  const auto devices = static_cast<int>(cuda_devices(reason).size());
  return devices > 0 ? world.rank_in_node() % devices : 0;
}

void take_part(const parallel::World& world, const Method& method, const RunOptions& run,
               const KokkosSettings& settings, const AvailableMemory& available, Spread& spread) {
  const RankGroups& groups = spread.groups;
  const bool of_all = groups.shares.size() == 1;
  const auto number = static_cast<std::size_t>(groups.number);
  if (!of_all) spread.part = method.part(settings.backend, groups.firsts()[number], groups.share());
  const Method& part = spread.part_of(method);
  if (groups.shared())
    spread.grid = grid_of(part, {settings.backend, groups.members, run.rank_grid}, of_all && !run.ranks_per_replica);
  spread.memory = part.memory(spread.sharing(settings.backend));
  check_memory(memory_in_node(world, groups, settings.backend, spread.memory), settings.backend, available);
}

void connect(const parallel::Communicator& ranks, const RunOptions& run, const KokkosSettings& settings, Spread& spread,
             std::vector<std::string>& messages) {
  if (ranks.size() == 1) return;
  std::map<std::string, int> ranks_at;
  const std::string here = place_of(settings);
  for (const auto& bytes : ranks.gather(std::as_bytes(std::span(here))))
    ++ranks_at[std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())];
  parallel::at_rank_zero(ranks, [&] {
    std::string shared;
    for (const auto& [place, number] : ranks_at) {
      if (place.empty() || number == 1) continue;
      shared = place;
      messages.push_back(write_value(number) + " ranks share the device " + place + ", and slow each other down");
    }
    spread.transport = choose_transport(run.transport, parallel::transports(), shared);
  });
  spread.transport = ranks.broadcast(spread.transport);
}

std::unique_ptr<SimulationInterface> make_simulation(const Method& method, Backend backend,
                                                     const parallel::World& world, const Spread& spread) {
  const parallel::Communicator& ranks = world.communicator();
  if (ranks.size() > 1) world.use(spread.transport);
  std::unique_ptr<SimulationInterface> part;
  parallel::agreed(ranks, spread.groups.name(),
                   [&] { part = spread.part_of(method).make_simulation(spread.sharing(backend)); });
  if (ranks.size() == 1) return part;
  return std::make_unique<ReplicaGroups>(std::move(part), ranks, spread.groups);
}

}  // namespace tessera::program
