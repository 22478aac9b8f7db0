// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <tessera/io/output_file.hpp>

#include "options/run_options.hpp"

namespace tessera::program {

/// Opens the output file of the run: --output, else that of the restart, else named after the input file, else after
/// the method. Throws InputError like OutputFile.
io::OutputFile open_output(const RunOptions& run, const std::string& method);

}  // namespace tessera::program
