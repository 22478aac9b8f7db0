// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>
#include <span>

#include "tessera/parallel/communicator.hpp"

namespace tessera::parallel {

/// Messages between the devices of all ranks of a communicator, in stream order.
class Nccl {
 public:
  virtual ~Nccl() = default;
  virtual void in_stream(void* stream, std::span<const Communicator::Message> sends,
                         std::span<const Communicator::Message> receives) = 0;
};

/// Whether the library was built with NCCL.
bool have_nccl();

/// All ranks: uses the current device of each rank, which must be distinct. Throws RunError if NCCL fails, and
/// std::logic_error in a build without NCCL.
std::unique_ptr<Nccl> make_nccl(const Communicator& ranks);

}  // namespace tessera::parallel
