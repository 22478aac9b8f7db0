// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <tessera/io/checkpoint_reader.hpp>
#include <tessera/io/checkpoint_writer.hpp>
#include <tessera/parallel/pieces.hpp>
#include <vector>

#include "run/rank_groups.hpp"
#include "run/simulation_interface.hpp"

/// Arrays of replicas that groups of ranks have: the file holds what one process with all of them would write.
namespace tessera::program {

/// The part of each group in an array of which dimension `dimension` numbers the replicas; an element counts as `size`.
/// `shape`, that of the part of this group, becomes that of the whole.
std::vector<parallel::Pieces> pieces_of_groups(const RankGroups& groups, std::vector<std::size_t>& shape,
                                               std::size_t dimension, std::size_t size = 1);

/// All heads: save their simulations as one, to the checkpoint of rank 0. What goes wrong at one is thrown at all.
void save_groups(const SimulationInterface& own, const RankGroups& groups, io::CheckpointWriter& checkpoint);

/// All heads: load each its part, likewise.
void load_groups(SimulationInterface& own, const RankGroups& groups, const io::CheckpointReader& checkpoint);

}  // namespace tessera::program
