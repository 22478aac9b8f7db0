// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/transport.hpp>
#include <vector>

namespace tessera::parallel {

/// All ranks of the job: MPI from construction to destruction, if the library was built with MPI and the process was
/// started with others by a launcher (mpirun, srun); else this process alone, and MPI is not touched. One for the
/// process, made in main() before Kokkos is initialised and destroyed after it is finalised.
class World {
 public:
  World();
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// All ranks. Its copies are of no use once this object is gone.
  const Communicator& communicator() const { return communicator_; }

  /// Number of this rank among those of its node, and how many they are.
  int rank_in_node() const { return rank_in_node_; }
  int ranks_in_node() const { return ranks_in_node_; }

  /// All: sets what Communicator::transport() says, of communicators split from it later, too. Throws
  /// std::invalid_argument unless it is one of transports().
  void use(Transport transport) const;

  /// Ends the whole job at once, with this status.
  [[noreturn]] void abort(int status) const;

 private:
  Communicator communicator_;
  int rank_in_node_ = 0, ranks_in_node_ = 1;
};

/// The MPI that the library was built with, "3.1, Open MPI v4.1.6"; empty without one.
std::string mpi_version();

/// Whether a World made now would begin MPI.
bool launched();

/// The transports that there are, the best one first; of this build where MPI has not begun.
std::vector<Transport> transports();

/// "staged", "mpi", "nccl".
std::string transport_name(Transport transport);

}  // namespace tessera::parallel
