// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

#include "options/option_table.hpp"
#include "options/option_words.hpp"

namespace tessera::program {

/// Options that change nothing under the choices made by others.
struct WithoutEffect {
  /// What to do with one that was typed on the command line. In an input file, which may be used with other choices,
  /// it is told in any case.
  enum class Typed {
    refused,  ///< it cannot have been meant
    told,     ///< it may be meant for another machine, or for the time after a restart
  };

  std::vector<std::string> options;
  bool now = false;    ///< whether they change nothing in this run
  std::string reason;  ///< ends the message "--phi 3: ..."
  Typed typed = Typed::refused;
};

/// Throws InputError for an option that was typed and is refused. Returns the messages about the others that were
/// given and change nothing, but for defaults in an input file: a recorded input holds all options.
std::vector<std::string> check_effects(const std::vector<WithoutEffect>& rows, const std::vector<GivenWord>& given,
                                       const OptionTable& table);

}  // namespace tessera::program
