// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <tessera/io/checkpoint.hpp>
#include <tessera/parallel/pieces.hpp>
#include <tessera/simulation/simulation_interface.hpp>
#include <vector>

#include "run/rank_groups.hpp"

/// Checkpoints of replicas that are distributed among groups of ranks. The file equals that of one process with all
/// replicas.
namespace tessera::program {

/// Part of each group in an array whose dimension `dimension` numbers the replicas; an element counts as `size`.
/// `shape` is changed from that of this group's part to that of the whole array.
std::vector<parallel::Pieces> pieces_of_groups(const RankGroups& groups, std::vector<std::size_t>& shape,
                                               std::size_t dimension, std::size_t size = 1);

/// All heads: save their simulations as one to the checkpoint of rank 0. A failure at one head is thrown at all.
void save_groups(const SimulationInterface& part, const RankGroups& groups, io::CheckpointWriter& checkpoint);

/// All heads: load their parts; a failure at one head is thrown at all.
void load_groups(SimulationInterface& part, const RankGroups& groups, const io::CheckpointReader& checkpoint);

}  // namespace tessera::program
