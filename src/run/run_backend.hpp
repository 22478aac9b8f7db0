// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include "options/run_options.hpp"
#include "run/method.hpp"

namespace tessera::program {

/// Backend of a run: a sequential algorithm requires a host backend, which is then the default. Throws InputError like
/// choose_backend(), and if another backend is given.
Backend backend_for(const RunOptions& run, const Method& method);

}  // namespace tessera::program
