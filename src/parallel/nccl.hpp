// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <functional>
#include <span>
#include <stdexcept>

#include "tessera/parallel/communicator.hpp"

namespace tessera::parallel {

/// Starts messages between the devices of all ranks of a communicator, in the order of a stream.
using InStream = std::function<void(void* stream, std::span<const Communicator::Message> sends,
                                    std::span<const Communicator::Message> receives)>;

#if defined(TESSERA_HAVE_NCCL)
inline constexpr bool have_nccl = true;

/// All ranks: uses the current device of each rank, which must be distinct. Throws RunError if NCCL fails.
InStream connect_devices(const Communicator& ranks);
#else
inline constexpr bool have_nccl = false;

inline InStream connect_devices(const Communicator&) { throw std::logic_error("this build has no NCCL"); }
#endif

}  // namespace tessera::parallel
