// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

namespace tessera::program {

/// Edit distance: number of single-character insertions, deletions, replacements and transpositions from `a` to `b`.
std::size_t edit_distance(const std::string& a, const std::string& b);

/// The word of `known` closest to `word`: the smallest edit distance, the first of several. Known words that start with
/// `word` have precedence. Empty if less than two thirds of the letters agree.
std::string nearest_word(const std::string& word, const std::vector<std::string>& known);

}  // namespace tessera::program
