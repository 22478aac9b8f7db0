// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace tessera::testing {

/// All that a file of a run holds, byte by byte: of each dataset its shape and elements, and of each object its
/// attributes. Left out is what may depend on the machine: provenance, the input with the options of the machine, and,
/// unless `with_steps`, diagnostics, the history of steps, and of the checkpoint the step control.
std::map<std::string, std::string> file_content(const std::filesystem::path& path, bool with_steps = false);

/// Fails, naming what differs, unless two files hold the same.
void expect_same_content(const std::filesystem::path& path, const std::filesystem::path& expected,
                         bool with_steps = false);

}  // namespace tessera::testing
