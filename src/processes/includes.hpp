// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <filesystem>
#include <string>

namespace tessera::processes {

/// First words of the lines before and after the text of an included file, which are comments of a model file.
constexpr const char* include_begins = "#>>> ";
constexpr const char* include_ends = "#<<<";

/// Text of a model file in which other files stand in place of the lines `include = FILE` before its first section. A
/// file that is included several times stands in the place of the first one. Throws InputError if a file cannot be read
/// or includes itself, or if the text is empty or too large.
std::string text_with_includes(const std::filesystem::path& file);

}  // namespace tessera::processes
