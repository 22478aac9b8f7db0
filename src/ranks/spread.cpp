// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "ranks/spread.hpp"

#include <cstddef>
#include <exception>
#include <map>
#include <utility>

#include "progress.hpp"
#include "ranks/joined_simulation.hpp"
#include "ranks/rank_settings.hpp"
#include "ranks/shared_simulation.hpp"

namespace tessera::program {

Shares spread_replicas(const MethodEntry& entry, const Method& method, const OptionTable& table, bool device_given,
                       const KokkosSettings& settings, Followers& followers, std::vector<std::string>& messages) {
  Shares shares;
  // Ranks have replicas each if there are enough of them, and else, where the method can be, a part of each replica.
  if (method.replicas() <= followers.count() && method.can_be_shared(settings.backend)) {
    check_memory_of_shared(followers.world(), method, settings);
    messages.push_back(method.shared_as(settings.backend, followers.world().communicator()));
  } else {
    shares = share_replicas(method.replicas(), followers.count() + 1);
    check_memory_of_ranks(followers.world(), *method.part(settings.backend, 0, shares.front()), settings);
  }
  int first = 0;
  for (int follower = 0; follower < followers.count(); ++follower) {
    RankPlan plan{entry.name, table.input_text(), backend_name(settings.backend), device_given, 0, 0, shares.empty()};
    if (!plan.shared) {
      first += shares[static_cast<std::size_t>(follower)];
      plan.first = first;
      plan.count = shares[static_cast<std::size_t>(follower) + 1];
      followers.number_replicas(follower, first);
    }
    Packed content;
    plan.put(content);
    followers.tell(follower, Command::check, content);
  }
  std::map<std::string, int> ranks_at{{place_of(settings), 1}};
  for (Packed& place : followers.answers()) ++ranks_at[place.get<std::string>()];
  for (const auto& [place, ranks] : ranks_at)
    if (!place.empty() && ranks > 1)
      messages.push_back(write_value(ranks) + " ranks share the device " + place + ", and slow each other down");
  return shares;
}

std::unique_ptr<SimulationInterface> make_simulation(const Method& method, Backend backend, Followers& followers,
                                                     const Shares& shares) {
  if (followers.count() == 0) return method.make_simulation(backend);
  followers.tell(Command::make);
  if (shares.empty()) {
    auto shared = method.make_shared(backend, followers.world().communicator().split(0));
    return std::make_unique<SharedSimulation>(std::move(shared), followers, followers.answers());
  }
  std::unique_ptr<SimulationInterface> own;
  std::exception_ptr failure;
  try {
    own = method.part(backend, 0, shares.front())->make_simulation(backend);
  } catch (...) {
    failure = std::current_exception();
  }
  auto made = followers.answers();
  if (failure) std::rethrow_exception(failure);
  return std::make_unique<JoinedSimulation>(std::move(own), followers, shares, std::move(made));
}

}  // namespace tessera::program
