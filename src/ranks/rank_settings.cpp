// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "ranks/rank_settings.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <tessera/core/error.hpp>
#include <tessera/parallel/block.hpp>
#include <utility>

#include "bound_method.hpp"
#include "cuda_devices.hpp"
#include "memory_check.hpp"
#include "option_words.hpp"
#include "threads.hpp"

namespace tessera::program {

std::vector<int> share_replicas(int replicas, int ranks) {
  if (ranks > replicas) {
    const std::string most = write_value(replicas);
    throw InputError("there are " + write_value(ranks) + " ranks for " + most +
                     (replicas == 1 ? " replica" : " replicas") + ", and one replica runs on one rank: start " + most +
                     (replicas == 1 ? " rank" : " ranks or fewer") + ", or give more --replicas");
  }
  std::vector<int> shares;
  for (int rank = 0; rank < ranks; ++rank)
    shares.push_back(static_cast<int>(parallel::block(replicas, ranks, rank).size()));
  return shares;
}

int device_of_rank(const parallel::World& world) {
  std::string reason;
  const auto devices = static_cast<int>(cuda_devices(reason).size());
  return devices > 0 ? world.rank_in_node() % devices : 0;
}

KokkosSettings check_part(const parallel::World& world, const parallel::Communicator& group, const RankPlan& plan,
                          std::unique_ptr<Method>& part) {
  const auto entry = std::ranges::find(methods(), plan.method, &MethodEntry::name);
  auto [method, run, table] = BoundMethod(*entry);
  for (const auto& word : read_input_text(plan.input, "the input of rank 0", table)) set_option(table, word);
  KokkosSettings settings;
  settings.backend = choose_backend(plan.backend);
  settings.threads = choose_threads(settings.backend, run.threads, world.ranks_in_node());
  settings.device = plan.device_given ? run.device : device_of_rank(world);
  check_kokkos(settings);
  part = plan.count < method->replicas() ? method->part(settings.backend, plan.first, plan.count) : std::move(method);
  if (group.size() > 1) {
    check_memory_of_shared(world, *part, settings, group, plan.grid);
  } else {
    check_memory_of_ranks(world, *part, settings);
  }
  return settings;
}

void check_memory_of_ranks(const parallel::World& world, const Method& part, const KokkosSettings& settings) {
  MemoryNeeded needed = part.memory({settings.backend});
  needed.host *= static_cast<std::size_t>(world.ranks_in_node());
  if (settings.backend != Backend::cuda) needed.device *= static_cast<std::size_t>(world.ranks_in_node());
  check_memory(needed, settings.backend, available_for(settings));
}

void check_memory_of_shared(const parallel::World& world, const Method& method, const KokkosSettings& settings,
                            const parallel::Communicator& group, const parallel::GridShape& grid) {
  MemoryNeeded needed = method.memory({settings.backend, group, grid});
  if (settings.backend != Backend::cuda) needed.device *= static_cast<std::size_t>(world.ranks_in_node());
  const int heads = (world.ranks_in_node() + group.size() - 1) / group.size();
  needed.host *= group.rank() == 0 ? static_cast<std::size_t>(heads) : 0;
  check_memory(needed, settings.backend, available_for(settings));
}

std::string place_of(const KokkosSettings& settings) {
  if (settings.backend != Backend::cuda) return "";
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  std::string reason;
  return cuda_devices(reason).at(static_cast<std::size_t>(settings.device)).bus + " of " + host.data();
}

}  // namespace tessera::program
