// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#define OMPI_SKIP_MPICXX 1  // only the C interface, also with old libraries
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "tessera/parallel/communicator.hpp"

namespace tessera::parallel {

/// Pending MPI operations: messages, or an agreement.
struct Communicator::Pending {
  std::vector<MPI_Request> requests;
  /// The numbers of an agreement. If it is destroyed before completion, as at the end of a failed job, MPI keeps them.
  std::unique_ptr<std::vector<std::int64_t>> numbers;

  Pending() = default;
  ~Pending() {
    if (!numbers)
      wait();
    else if (!requests.empty())
      static_cast<void>(numbers.release());
  }
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;

  MPI_Request* add() { return &requests.emplace_back(MPI_REQUEST_NULL); }
  void wait() {
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    requests.clear();
  }
  bool is_complete() {
    int complete = 0;
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &complete, MPI_STATUSES_IGNORE);
    if (complete != 0) requests.clear();
    return complete != 0;
  }
};

}  // namespace tessera::parallel
