// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <tessera/io/output_file.hpp>

#include "options/run_options.hpp"

namespace tessera::program {

/// The file that a run writes: --output, else that of the restart, else after the input file, else after the method.
/// Throws InputError as OutputFile does.
io::OutputFile open_output(const RunOptions& run, const std::string& method);

}  // namespace tessera::program
