// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#pragma once

#include <string>

#include "io/source.hpp"

namespace tessera::io {

/// The groups of a file in which rows are recorded.
inline constexpr const char* groups_of_rows[] = {"observables", "diagnostics", "fields", "history", "particles"};

/// The entry of the checkpoint that holds contents_of() its file.
inline constexpr const char* contents_entry = "contents";

/// The datasets of rows in a file, a line for each: its path and the number of its rows. Throws Failure.
std::string contents_of(hid_t file);

/// Throws InputError unless a file that is to be continued has the datasets of rows that it had when its run wrote it,
/// and all of them can take further rows.
void require_contents(const CheckpointReader::Source& source);

}  // namespace tessera::io
