// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tessera/io/checkpoint_reader.hpp>
#include <tessera/io/checkpoint_writer.hpp>
#include <vector>

#include "ranks/followers.hpp"
#include "simulation_interface.hpp"

/// Checkpoints of replicas that several ranks have: the file holds what one rank with all of them would have written.
namespace tessera::program {

/// The shares of the ranks, or groups of them, in all replicas, in order: share[rank] of them.
using Shares = std::vector<int>;

/// An array of all replicas, of which each rank has those of its share in dimension `dimension`.
struct JoinedShape {
  std::size_t outer = 1;         ///< blocks: elements of the dimensions before
  std::size_t of_a_replica = 1;  ///< elements of a replica in a block
  std::size_t replicas = 0;

  /// Of the shape that a rank with so many replicas has. `joined` becomes that of all of them.
  JoinedShape(std::vector<std::size_t>& joined, std::size_t dimension, int share, int all);
};

/// Saves the simulation of rank 0, and with each of its entries those of the followers, to which Command::save was
/// told.
void save_joined(const SimulationInterface& own, Followers& followers, const Shares& shares,
                 io::CheckpointWriter& checkpoint);

/// Loads the simulation of rank 0, and gives the followers, to which Command::load was told, what they ask for. Throws
/// the first error, once none of them waits for anything. Returns the answers of the followers.
std::vector<Packed> load_joined(SimulationInterface& own, Followers& followers, const Shares& shares,
                                const io::CheckpointReader& checkpoint);

}  // namespace tessera::program
