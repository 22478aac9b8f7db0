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

namespace tessera::program {

Shares spread_replicas(const MethodEntry& entry, const Method& method, const OptionTable& table, bool device_given,
                       const KokkosSettings& settings, Followers& followers, std::vector<std::string>& messages) {
  Shares shares = share_replicas(method.replicas(), followers.count() + 1);
  int first = 0;
  for (int follower = 0; follower < followers.count(); ++follower) {
    first += shares[static_cast<std::size_t>(follower)];
    RankPlan plan{entry.name, table.input_text(), backend_name(settings.backend), device_given, first, 0};
    plan.count = shares[static_cast<std::size_t>(follower) + 1];
    Packed content;
    plan.put(content);
    followers.number_replicas(follower, first);
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
