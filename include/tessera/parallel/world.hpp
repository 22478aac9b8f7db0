// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <tessera/parallel/communicator.hpp>
#include <vector>

namespace tessera::parallel {

/// All ranks of the job. Initializes MPI on construction and finalizes it on destruction, if the library was built with
/// MPI and a launcher (mpirun, srun) started the process. Otherwise it is a single process, and MPI is not used.
/// Construct one per process, in main(), before Kokkos is initialized; destroy it after Kokkos is finalized.
class World {
 public:
  World();   ///< initializes MPI if launched()
  ~World();  ///< finalizes MPI
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// Communicator of all ranks; its copies are invalid after the destruction of this object.
  const Communicator& communicator() const { return communicator_; }

  /// Number of this rank on its node.
  int rank_in_node() const { return rank_in_node_; }
  int ranks_in_node() const { return ranks_in_node_; }  ///< number of ranks on its node

  /// All: sets Communicator::transport(), also of communicators that are split from it later. Throws
  /// std::invalid_argument unless it is one of transports().
  void use(Transport transport) const;

  /// Ends all processes of the job with this status.
  [[noreturn]] void abort(int status) const;

 private:
  Communicator communicator_;
  int rank_in_node_ = 0, ranks_in_node_ = 1;
};

/// Version of the MPI that the library was built with, such as "3.1, Open MPI v4.1.6"; empty without MPI.
std::string mpi_version();

/// Whether the construction of a World would initialize MPI.
bool launched();

/// Available transports, the best one first; before MPI is initialized, those of the build.
std::vector<Transport> transports();

}  // namespace tessera::parallel
