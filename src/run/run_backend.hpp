// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include "options/run_options.hpp"
#include "run/method.hpp"

namespace tessera::program {

/// Where a run with these options computes: a sequential algorithm takes no backend but the host's, the default follows
/// it. Throws InputError as choose_backend() does, and if another one is asked for.
Backend backend_for(const RunOptions& run, const Method& method);

}  // namespace tessera::program
