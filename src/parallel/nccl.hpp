// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <functional>
#include <span>

#include "tessera/parallel/communicator.hpp"

namespace tessera::parallel {

/// Starts messages between the devices of all ranks of a communicator, in the order of a stream.
using InStream = std::function<void(void* stream, std::span<const Communicator::Message> sends,
                                    std::span<const Communicator::Message> receives)>;

/// Whether the library was built with NCCL.
bool have_nccl();

/// All ranks: uses the current device of each rank, which must be distinct. Throws RunError if NCCL fails, and
/// std::logic_error in a build without NCCL.
InStream connect_devices(const Communicator& ranks);

}  // namespace tessera::parallel
