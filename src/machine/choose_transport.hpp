// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <optional>
#include <string>
#include <tessera/parallel/transport.hpp>
#include <vector>

namespace tessera::program {

/// The transport that --transport asks for, or the first that connects the ranks of those that are there, the best one
/// first. `shared_device`: the name of a device that several ranks have, or empty; NCCL cannot connect them then.
/// Throws InputError if what is asked for is not there.
parallel::Transport choose_transport(const std::optional<parallel::Transport>& asked,
                                     const std::vector<parallel::Transport>& there, const std::string& shared_device);

}  // namespace tessera::program
