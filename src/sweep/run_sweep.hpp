// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

#include "run_method.hpp"

namespace tessera::program {

/// `tessera sweep METHOD ...` and `tessera sweep --table FOLDER`: returns the exit status. Throws InputError before
/// anything has been computed or written, RunError after.
int run_sweep(const Call& call);

/// What `tessera sweep --help` says.
std::string sweep_help();

}  // namespace tessera::program
