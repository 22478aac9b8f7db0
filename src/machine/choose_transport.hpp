// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <optional>
#include <string>
#include <tessera/parallel/transport.hpp>
#include <vector>

namespace tessera::program {

/// The transport of --transport; by default the first one that connects the ranks, the fastest first. `shared_device`
/// is the name of a device that several ranks share, or empty; NCCL cannot connect such ranks. Throws InputError if the
/// transport is not available.
parallel::Transport choose_transport(const std::optional<parallel::Transport>& asked,
                                     const std::vector<parallel::Transport>& present, const std::string& shared_device);

}  // namespace tessera::program
