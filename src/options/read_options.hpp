// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <tessera/parallel/communicator.hpp>
#include <vector>

#include "options/option_table.hpp"

namespace tessera::program {

/// A key with its value as written, and its place for messages: "--phi 1", "growth.ini line 4: phi = 1". An option that
/// repeats is one word, with a line for each of its values.
struct GivenWord {
  std::string key;
  std::string value;
  std::string where;
  bool typed = false;  ///< on the command line
};

/// The first `most` bytes of a file, without a byte order mark. Throws InputError, `before` + "cannot be read: reason".
std::string start_of_file(const std::filesystem::path& path, std::size_t most, const std::string& before);

/// Reads the options of a command line. Throws InputError for an unknown option, with the nearest known one, an option
/// given twice, a missing value, and a word that is not an option.
std::vector<GivenWord> read_command_line(const std::vector<std::string>& words, const OptionTable& table);

/// Reads an input file: lines `key = value`, comments from a `#` at the beginning or after a blank. Throws InputError
/// like read_command_line, with file and line, and if the file is missing, is not a text file, or has sections. All
/// ranks: rank 0 reads the file.
std::vector<GivenWord> read_input_file(const std::filesystem::path& path, const OptionTable& table,
                                       const parallel::Communicator& ranks = {});

/// The same for a text stored in the file `source`.
std::vector<GivenWord> read_input_text(const std::string& text, const std::string& source, const OptionTable& table);

/// Sets an option. Throws InputError, with the place and the allowed values, if the value is invalid or, for a recorded
/// option, cannot be written as a line of an input file.
void set_option(const OptionTable& table, const GivenWord& word);

/// Options without effect, given the values of other options.
struct WithoutEffect {
  /// Reaction to such an option on the command line. In an input file it is reported only.
  enum class Typed {
    refused,   ///< an error: the user cannot have intended it
    reported,  ///< a message: it may be intended for another machine, or for a restart
  };

  std::vector<std::string> options;
  bool now = false;    ///< whether they have no effect in this run
  std::string reason;  ///< ends the message "--phi 3: ..."
  Typed typed = Typed::refused;
};

/// Throws InputError for a refused option on the command line. Returns messages about other given options without
/// effect, except for defaults in an input file: a recorded input contains all options.
std::vector<std::string> check_effects(const std::vector<WithoutEffect>& rows, const std::vector<GivenWord>& given,
                                       const OptionTable& table);

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
