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

#include "parallel/ranks.hpp"

/// Pending MPI operations.
namespace tessera::parallel {

class PendingRequests : public Communicator::Pending {
 public:
  ~PendingRequests() override { PendingRequests::wait(); }
  void wait() override {
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    requests_.clear();
  }
  bool has_come(std::span<std::int64_t>) override {
    int come = 0;
    MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &come, MPI_STATUSES_IGNORE);
    return come != 0;
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
  bool has_come(std::span<std::int64_t> values) override {
    int come = 0;
    MPI_Test(&request_, &come, MPI_STATUS_IGNORE);
    if (come != 0) std::ranges::copy(*values_, values.begin());
    return come != 0;
  }

 private:
  std::unique_ptr<std::vector<std::int64_t>> values_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace tessera::parallel
