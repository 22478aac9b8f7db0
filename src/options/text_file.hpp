// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace tessera::program {

/// The first `most` bytes of a file, or all of a shorter one, without a byte order mark. Throws InputError, `before` +
/// "cannot be read: reason".
std::string start_of_file(const std::filesystem::path& path, std::size_t most, const std::string& before);

}  // namespace tessera::program
