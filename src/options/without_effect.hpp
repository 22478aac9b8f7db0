// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

#include "options/option_table.hpp"
#include "options/option_words.hpp"

namespace tessera::program {

/// Options without effect, given the values of other options.
struct WithoutEffect {
  /// Reaction to such an option on the command line. In an input file, which may be used with other values, it is
  /// reported only.
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

}  // namespace tessera::program
