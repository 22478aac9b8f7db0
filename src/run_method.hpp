// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "method.hpp"
#include "ranks/followers.hpp"

namespace tessera::program {

/// This call of the program.
struct Call {
  std::vector<std::string> arguments;  ///< of main()
  std::string command_line;            ///< as the user typed it
  std::vector<std::string> words;      ///< after the name of the method
  std::function<double()> elapsed;     ///< wall seconds since the program started
};

/// `tessera METHOD ...`: reads the options, runs, and returns the exit status. Throws InputError before anything has
/// been computed or written, RunError after.
///
/// With several ranks rank 0 calls this, and `followers` are the others, which follow(): replicas are spread over all.
int run_method(const MethodEntry& entry, const Call& call, Followers& followers);

/// The help of a method.
std::string method_help(const MethodEntry& entry);

}  // namespace tessera::program
