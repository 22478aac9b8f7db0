// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

#include "options/option_table.hpp"
#include "options/option_words.hpp"
#include "options/run_options.hpp"

namespace tessera::program {

/// Places where the options were given, for messages.
using GivenWords = std::vector<GivenWord>;

/// The given word of this key, or null.
const GivenWord* find_word(const GivenWords& words, const std::string& key);

/// Adds the words of the input file if `given` has one, except those that are given; returns these. Throws like
/// read_input_file(). All ranks: rank 0 reads the file.
GivenWords add_input_file(GivenWords& given, const OptionTable& table, const parallel::Communicator& ranks = {});

/// Sets the options from the input of the file to restart from, then from the input file, then from the command line;
/// later ones have precedence. Returns the last two. Throws InputError for unreadable files, and for an option that
/// would change the trajectory of a continued run. All ranks: rank 0 reads the files.
GivenWords read_options(const std::vector<std::string>& words, const std::string& method, const OptionTable& table,
                        RunOptions& run, const parallel::Communicator& ranks = {});

/// `message`, "--key value: what is allowed", with the place in the input file if the value was given there.
std::string with_place(const std::string& message, const GivenWords& given);

}  // namespace tessera::program
