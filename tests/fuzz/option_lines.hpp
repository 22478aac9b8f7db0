// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <random>
#include <string>
#include <vector>

#include "options/option_table.hpp"
#include "tests/program/process.hpp"

/// Random command lines and input files, made of the options that a method has.
namespace tessera::testing {

/// Values that are at the edge of something or beyond it, without blanks.
const std::vector<std::string>& edge_values();

/// One of a list.
template <class List>
const auto& one_of(const List& list, std::mt19937_64& random) {
  return list[static_cast<std::size_t>(random() % list.size())];
}

/// The options of a method ("kmc") as the program knows them.
std::vector<program::Option> options_of(const std::string& method);

/// A value of an option: one of its words, or an edge value.
std::string value_of(const program::Option& option, std::mt19937_64& random);

/// The words after the method's name: options with and without values, damaged names, words from nowhere.
Words random_words(const std::vector<program::Option>& options, std::mt19937_64& random);

/// An input file: lines `key = value`, some of them damaged.
std::string random_input(const std::vector<program::Option>& options, std::mt19937_64& random);

/// A line of the corpus as words: \_ is a blank, \n a line's end, \x1b a byte, \\ a backslash, a\*1000 that many a, ""
/// an empty word.
Words words_of_line(const std::string& line);

/// Words as a line of the corpus.
std::string line_of(const Words& words);

}  // namespace tessera::testing
