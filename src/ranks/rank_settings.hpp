// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>
#include <string>
#include <tessera/core/backend.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/rank_grid.hpp>
#include <tessera/parallel/world.hpp>
#include <tuple>
#include <vector>

#include "backend.hpp"
#include "method.hpp"
#include "ranks/packed.hpp"

namespace tessera::program {

/// How many replicas each of several ranks or groups of them has. Throws InputError, which says how many ranks would
/// do, if there are more of them than replicas.
std::vector<int> share_replicas(int replicas, int ranks);

/// What a follower is to run: the replicas `first` to `first` + `count` - 1, or its part of each of them.
struct RankPlan {
  std::string method;  ///< its name on the command line
  std::string input;   ///< as OptionTable::input_text() writes it
  std::string backend;
  bool device_given = false;  ///< --device was
  int first = 0, count = 0;   ///< of its group
  parallel::GridShape grid;   ///< of the ranks that share out each of them
};
auto fields(MaybeConst<RankPlan> auto& p) {
  return std::tie(p.method, p.input, p.backend, p.device_given, p.first, p.count, p.grid);
}

/// The device of this rank, unless one is given: its number in the node, modulo the devices that it can see.
int device_of_rank(const parallel::World& world);

/// Checks what a follower is to run, sets `part` to it, and returns its settings. Throws InputError if it cannot run
/// here.
KokkosSettings check_part(const parallel::World& world, const parallel::Communicator& group, const RankPlan& plan,
                          std::unique_ptr<Method>& part);

/// Throws InputError if this rank and the others of its node, who take as much, take more memory than there is.
void check_memory_of_ranks(const parallel::World& world, const Method& part, const KokkosSettings& settings);

/// The same where a group of ranks shares out the systems of a method.
void check_memory_of_shared(const parallel::World& world, const Method& method, const KokkosSettings& settings,
                            const parallel::Communicator& group, const parallel::GridShape& grid);

/// The device that these settings choose, by names that tell it from all others, also of other nodes; empty for a
/// backend of the host.
std::string place_of(const KokkosSettings& settings);

}  // namespace tessera::program
