// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <filesystem>
#include <string>
#include <tessera/parallel/communicator.hpp>
#include <vector>

#include "options/option_table.hpp"

namespace tessera::program {

/// A key with its value as somebody wrote it, and where, as a message says it: "--phi 1", "growth.ini line 4: phi = 1".
struct GivenWord {
  std::string key;
  std::string value;
  std::string where;
  bool typed = false;  ///< on the command line
};

/// The options of a command line. Throws InputError for an unknown option, naming the nearest known one, for one given
/// twice, for one without its value, and for a word that is no option.
std::vector<GivenWord> read_command_line(const std::vector<std::string>& words, const OptionTable& table);

/// The keys of an input file: lines `key = value`, comments from a `#` at the beginning or after a blank. Throws
/// InputError as read_command_line does, naming file and line, and if the file is missing, is not a text file, or has
/// sections. All ranks: of the file that rank 0 reads.
std::vector<GivenWord> read_input_file(const std::filesystem::path& path, const OptionTable& table,
                                       const parallel::Communicator& ranks = {});

/// The same for a text that was stored in the file `source`.
std::vector<GivenWord> read_input_text(const std::string& text, const std::string& source, const OptionTable& table);

/// Sets the option that the word names. Throws InputError, naming the place and what the value must be: of an option
/// that is recorded also one that a line of an input file can hold.
void set_option(const OptionTable& table, const GivenWord& word);

}  // namespace tessera::program
