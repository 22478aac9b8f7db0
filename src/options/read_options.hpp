// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

#include "options/option_table.hpp"
#include "options/option_words.hpp"
#include "options/run_options.hpp"

namespace tessera::program {

/// Where the options in force were given, so that messages about a value can say it.
using GivenWords = std::vector<GivenWord>;

/// Sets the options from the input of the file to restart from, if any, then from the input file, if any, then from the
/// command line; later ones win. Returns the last two. Throws InputError for what cannot be read, and for an option
/// that would change the trajectory of the run that is to be continued. All ranks: of the files that rank 0 reads.
GivenWords read_options(const std::vector<std::string>& words, const std::string& method, const OptionTable& table,
                        RunOptions& run, const parallel::Communicator& ranks = {});

/// `message`, "--key value: what is allowed", with the place in the input file instead if the value comes from there.
std::string with_place(const std::string& message, const GivenWords& given);

}  // namespace tessera::program
