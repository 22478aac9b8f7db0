// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tessera::program {

/// `text` for a message: one line without terminal control sequences. Control characters and invalid UTF-8 are written
/// as \n, \t or \x1b; the middle of a text of more than `longest` bytes is replaced by "...".
std::string shown(const std::string& text, std::size_t longest);

/// Length in bytes of the well-formed UTF-8 sequence at `at`; 0 if there is none.
std::size_t utf8_length(const std::string& text, std::size_t at);

/// A word from the command line, for a message: at most 60 bytes.
inline std::string quoted_word(const std::string& word) { return shown(word, 60); }

/// A word in the syntax of a shell.
std::string shell_word(const std::string& word);

/// "a", "a and b", "a, b and c" with `last` = " and ".
std::string joined(const std::vector<std::string>& words, const std::string& last);

}  // namespace tessera::program
