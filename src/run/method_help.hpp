// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

#include "run/method.hpp"

namespace tessera::program {

/// Help of a method. `words` are those of the call without --help. Without words it lists the options of all models,
/// with "all" every option, and with options those that apply to the run described by them. Throws InputError for
/// invalid options.
std::string method_help(const MethodEntry& entry, const std::vector<std::string>& words);

}  // namespace tessera::program
