// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <filesystem>
#include <string>

namespace tessera::processes {

/// A line with each `table(FILE)` replaced by the table in this file, two columns of numbers for time and value. A
/// first line may have titles with units, `time (min), T (degC)`; # begins a comment. `folder`: that of relative names.
/// Throws InputError with the file and its line.
std::string with_tables(std::string line, const std::filesystem::path& folder);

}  // namespace tessera::processes
