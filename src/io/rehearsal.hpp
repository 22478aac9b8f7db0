// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>

#include "tessera/io/input_file.hpp"

namespace tessera::io {

/// Number of the next restart of a file, from 1. Throws InputError.
std::size_t next_restart(const InputFile& file);

/// Reads a whole file that will be continued, and rehearses the next publication in memory: adds to every group,
/// extends every dataset that grows, replaces the checkpoint. This detects damage in structures that HDF5 reads only
/// when it writes. Throws InputError or Failure.
void rehearse_continuation(const InputFile& file);

}  // namespace tessera::io
