// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>

#include "io/source.hpp"
#include "tessera/io/input_file.hpp"

namespace tessera::io {

/// Groups of a file that contain rows.
inline constexpr const char* groups_of_rows[] = {"observables", "diagnostics", "fields", "history", "particles", "parameters"};

/// Checkpoint entry with the contents_of() its file.
inline constexpr const char* contents_entry = "contents";

/// Datasets of rows in a file, one line for each: path and number of rows. Throws Failure.
std::string contents_of(hid_t file);

/// Throws InputError unless a file to be continued has all datasets of rows that its run wrote, and all of them can be
/// extended.
void require_contents(const InputFile& input);

}  // namespace tessera::io
