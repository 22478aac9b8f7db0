// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <string>

namespace tessera::program {

/// `text` as a message may hold it: in one line, and such that a terminal obeys none of it. Control characters and what
/// is not UTF-8 are written as \n, \t or \x1b; a text of more than `longest` bytes loses its middle to "...".
std::string shown(const std::string& text, std::size_t longest);

/// A word that somebody typed, to be quoted in a message: at most 60 bytes of it.
inline std::string quoted_word(const std::string& word) { return shown(word, 60); }

/// A word as a shell reads it back.
std::string shell_word(const std::string& word);

}  // namespace tessera::program
