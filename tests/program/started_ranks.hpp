// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

#include "tests/program/process.hpp"

namespace tessera::testing {

/// What starts `tessera` on so many ranks of this machine, as Process does.
Process::Options on_ranks(int ranks);

/// What starts it as one process that no launcher started, with one thread, as those of on_ranks() have.
Process::Options alone();

/// The lines of the program itself: launchers have more to say. Without the notes on devices that ranks share, which
/// depend on the machine.
std::vector<std::string> own_lines(const std::string& text);

/// Sends a signal to rank number `rank` of a run in this folder, once there is one; false if there is none for long.
bool signal_rank(int rank, const TemporaryFolder& folder, int number);

/// Whether, after some seconds at most, no process of a run in this folder is left.
bool none_is_left(const TemporaryFolder& folder);

}  // namespace tessera::testing
