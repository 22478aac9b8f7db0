// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

namespace tessera::program {

/// The number of single-character insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
std::size_t edit_distance(const std::string& a, const std::string& b);

/// The word of `known` that a person who typed `word` most likely meant: the smallest edit distance, the first among
/// equals; a known word that starts with `word` comes before all others. Empty if there is none that has two of three
/// letters right.
std::string nearest_word(const std::string& word, const std::vector<std::string>& known);

}  // namespace tessera::program
