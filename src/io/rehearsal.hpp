// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#pragma once

#include <cstddef>

#include "tessera/io/input_file.hpp"

namespace tessera::io {

/// The number of the restart that would continue a file, from 1. Throws InputError.
std::size_t next_restart(const InputFile& file);

/// Reads all of a file that is to be continued, and does in memory what the next publication will do to its structure:
/// adds to every group, lets every growing dataset grow, replaces the checkpoint. So what HDF5 looks at only when it
/// writes is found damaged before the run. Throws InputError or Failure.
void rehearse_continuation(const InputFile& file);

}  // namespace tessera::io
