// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <string>

#include "io/hdf5_handle.hpp"
#include "tessera/io/input_file.hpp"

/// Checks of a file that a run continues.
namespace tessera::io {

/// Checkpoint entry with the contents_of() its file.
inline constexpr const char* contents_entry = "contents";

/// Datasets of rows in a file, one line for each: path and number of rows. Throws Failure.
std::string contents_of(hid_t file);

/// Number of the next restart of a file, from 1. Throws InputError.
std::size_t next_restart(const InputFile& file);

/// Reads a whole file that will be continued, checks that it has all datasets of rows that its run wrote, and that all
/// of them can be extended, and rehearses the next publication in memory: adds to every group, extends every dataset
/// that grows, replaces the checkpoint. This detects damage in structures that HDF5 reads only when it writes. Throws
/// InputError or Failure.
void rehearse_continuation(const InputFile& file);

}  // namespace tessera::io
