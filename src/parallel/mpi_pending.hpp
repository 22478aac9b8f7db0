// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#define OMPI_SKIP_MPICXX 1  // only the C interface, also with old libraries
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tessera/parallel/communicator.hpp"

/// Pending MPI operations: messages, or an agreement.
namespace tessera::parallel {

class Communicator::Pending {
 public:
  virtual ~Pending() = default;
  virtual void wait() = 0;
  /// Whether it is complete; the result of an agreement is then in `values`.
  virtual bool is_complete(std::span<std::int64_t> values) = 0;
};

class PendingRequests : public Communicator::Pending {
 public:
  ~PendingRequests() override { PendingRequests::wait(); }
  void wait() override {
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    requests_.clear();
  }
  bool is_complete(std::span<std::int64_t>) override {
    int complete = 0;
    MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &complete, MPI_STATUSES_IGNORE);
    return complete != 0;
  }
  MPI_Request* add() { return &requests_.emplace_back(MPI_REQUEST_NULL); }
  void expect(std::size_t requests) { requests_.reserve(requests); }

 private:
  std::vector<MPI_Request> requests_;
};

/// A nonblocking agreement. If it is destroyed before completion, as at the end of a failed job, MPI keeps its values.
class PendingAgreement : public Communicator::Pending {
 public:
  PendingAgreement(MPI_Comm communicator, MPI_Op how, std::span<const std::int64_t> values)
      : values_(std::make_unique<std::vector<std::int64_t>>(values.begin(), values.end())) {
    MPI_Iallreduce(MPI_IN_PLACE, values_->data(), static_cast<int>(values.size()), MPI_INT64_T, how, communicator,
                   &request_);
  }
  ~PendingAgreement() override {
    if (request_ != MPI_REQUEST_NULL) static_cast<void>(values_.release());
  }
  void wait() override { MPI_Wait(&request_, MPI_STATUS_IGNORE); }
  bool is_complete(std::span<std::int64_t> values) override {
    int complete = 0;
    MPI_Test(&request_, &complete, MPI_STATUS_IGNORE);
    if (complete != 0) std::ranges::copy(*values_, values.begin());
    return complete != 0;
  }

 private:
  std::unique_ptr<std::vector<std::int64_t>> values_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace tessera::parallel
