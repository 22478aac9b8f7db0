// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "ranks/spread.hpp"

#include <cstddef>
#include <exception>
#include <map>
#include <tessera/core/error.hpp>
#include <tessera/parallel/world.hpp>
#include <utility>

#include "progress.hpp"
#include "ranks/choose_transport.hpp"
#include "ranks/joined_simulation.hpp"
#include "ranks/rank_settings.hpp"
#include "ranks/shared_simulation.hpp"

namespace tessera::program {

std::string Spread::text(int ranks, Backend backend) const {
  std::string text = counted(ranks, "rank");
  if (!shared()) return text;
  if (shares.size() > 1) text += " in " + counted(static_cast<int>(shares.size()), "group");
  text += ", each system cut into " + write_value(grid.nx) + " x " + write_value(grid.ny);
  return backend == Backend::cuda ? text + ", transport " + parallel::transport_name(transport) : text;
}

namespace {

/// What the group of rank 0 runs: the method, if it has all replicas, or else a part of it, which `part` becomes.
const Method& own_part(const Method& method, Backend backend, const Spread& spread, std::unique_ptr<Method>& part) {
  if (spread.shares.size() == 1) return method;
  part = method.part(backend, 0, spread.shares.front());
  return *part;
}

/// The grid of the ranks of a group. Throws InputError, which names its option unless `of_all`, if the systems of the
/// method cannot be cut so.
parallel::GridShape grid_of(const Method& method, const Sharing& group, bool of_all) {
  try {
    return method.rank_grid(group);
  } catch (const InputError& error) {
    if (of_all || group.grid) throw;
    throw InputError("--ranks-per-replica " + write_value(group.ranks.size()) + ": " + error.what());
  }
}

}  // namespace

Spread spread_replicas(const MethodEntry& entry, const Method& method, const OptionTable& table, const RunOptions& run,
                       int per_replica, bool device_given, const KokkosSettings& settings, Followers& followers,
                       std::vector<std::string>& messages) {
  const auto& world = followers.world();
  const int ranks = followers.count() + 1;
  Spread spread;
  spread.shares = share_replicas(method.replicas(), ranks / per_replica);
  followers.tell(Command::group, Packed::of(per_replica));
  spread.groups = RankGroups(world.communicator(), per_replica);
  std::unique_ptr<Method> part;
  const Method& own = own_part(method, settings.backend, spread, part);
  if (spread.shared()) {
    spread.grid = grid_of(own, {settings.backend, spread.groups.own, run.rank_grid},
                          spread.shares.size() == 1 && !run.ranks_per_replica);
    check_memory_of_shared(world, own, settings, spread.groups.own, spread.grid);
    spread.memory = own.memory({settings.backend, spread.groups.own, spread.grid});
  } else {
    check_memory_of_ranks(world, own, settings);
    spread.memory = own.memory({settings.backend});
  }
  RankPlan plan{entry.name, table.input_text(), backend_name(settings.backend), device_given, 0, spread.shares.front(),
                spread.grid};
  for (int rank = 1; rank < ranks; ++rank) {
    if (rank % per_replica == 0) {
      plan.first += plan.count;
      plan.count = spread.shares[static_cast<std::size_t>(rank / per_replica)];
    }
    if (plan.first > 0) followers.number_replicas(rank - 1, plan.first);
    followers.tell(rank - 1, Command::check, Packed::of(plan));
  }
  std::map<std::string, int> ranks_at{{place_of(settings), 1}};
  for (Packed& place : followers.answers()) ++ranks_at[place.get<std::string>()];
  std::string shared_device;
  for (const auto& [place, number] : ranks_at) {
    if (place.empty() || number == 1) continue;
    shared_device = place;
    messages.push_back(write_value(number) + " ranks share the device " + place + ", and slow each other down");
  }
  spread.transport = choose_transport(run.transport, parallel::transports(), shared_device);
  return spread;
}

std::unique_ptr<SimulationInterface> make_simulation(const Method& method, Backend backend, Followers& followers,
                                                     const Spread& spread) {
  if (followers.count() == 0) return method.make_simulation({backend});
  followers.tell(Command::make, Packed::of(spread.transport));
  followers.leave_to_heads(spread.groups);
  followers.world().use(spread.transport);
  std::unique_ptr<Method> part;
  std::unique_ptr<SimulationInterface> own;
  std::exception_ptr failure;
  try {
    own = make_of_group(own_part(method, backend, spread, part), {backend, spread.groups.own, spread.grid},
                        &followers.members());
  } catch (...) {
    if (spread.shared()) throw;
    failure = std::current_exception();
  }
  auto made = followers.answers();
  if (failure) std::rethrow_exception(failure);
  if (followers.count() == 0) return own;
  return std::make_unique<JoinedSimulation>(std::move(own), followers, spread.shares, std::move(made));
}

}  // namespace tessera::program
