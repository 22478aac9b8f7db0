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
  text += ", each system cut into " + write_value(grid.nx) + " x " + write_value(grid.ny);
  return backend == Backend::cuda ? text + ", transport " + parallel::transport_name(transport) : text;
}

Spread spread_replicas(const MethodEntry& entry, const Method& method, const OptionTable& table, const RunOptions& run,
                       bool device_given, const KokkosSettings& settings, Followers& followers,
                       std::vector<std::string>& messages) {
  const int ranks = followers.count() + 1;
  Spread spread;
  // Ranks have replicas each if there are enough of them, and else, where the method can be, a part of each replica.
  const bool shared = run.rank_grid || (method.replicas() < ranks && method.can_be_shared(settings.backend));
  if (shared) {
    if (!method.can_be_shared(settings.backend))
      throw InputError("--rank-grid " + write_pair(run.rank_grid->nx, run.rank_grid->ny) +
                       ": ranks cannot share out systems that a core or a team computes as a whole");
    spread.grid = method.rank_grid({settings.backend, followers.world().communicator(), run.rank_grid});
    check_memory_of_shared(followers.world(), method, settings, spread.grid);
  } else {
    spread.shares = share_replicas(method.replicas(), ranks);
    check_memory_of_ranks(followers.world(), *method.part(settings.backend, 0, spread.shares.front()), settings);
  }
  int first = 0;
  for (int follower = 0; follower < followers.count(); ++follower) {
    RankPlan plan{entry.name, table.input_text(), backend_name(settings.backend), device_given, 0, 0,
                  shared,     spread.grid};
    if (!plan.shared) {
      first += spread.shares[static_cast<std::size_t>(follower)];
      plan.first = first;
      plan.count = spread.shares[static_cast<std::size_t>(follower) + 1];
      followers.number_replicas(follower, first);
    }
    followers.tell(follower, Command::check, Packed::of(plan));
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
  if (followers.count() == 0) return method.make_simulation(backend);
  followers.tell(Command::make, Packed::of(spread.transport));
  followers.world().use(spread.transport);
  if (spread.shared()) {
    auto shared = method.make_shared({backend, followers.world().communicator().split(0), spread.grid});
    return std::make_unique<SharedSimulation>(std::move(shared), followers, followers.answers());
  }
  std::unique_ptr<SimulationInterface> own;
  std::exception_ptr failure;
  try {
    own = method.part(backend, 0, spread.shares.front())->make_simulation(backend);
  } catch (...) {
    failure = std::current_exception();
  }
  auto made = followers.answers();
  if (failure) std::rethrow_exception(failure);
  return std::make_unique<JoinedSimulation>(std::move(own), followers, spread.shares, std::move(made));
}

}  // namespace tessera::program
