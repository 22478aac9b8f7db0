// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <tessera/parallel/communicator.hpp>

namespace tessera::program {

/// How a rank ends.
struct End {
  int status = 0;
  std::string failure = {};  ///< empty: none
  bool can_be_agreed = true;
};

/// What a rank may have to do at its end.
struct LastActions {
  std::function<void(const std::string&)> complain;  ///< prints a failure
  std::function<void(int status)> abort;             ///< ends all ranks
};

/// All ranks: the status of all, which is the largest one. The first rank with a failure prints it. A rank that has one
/// and waits for the others longer than `patience`, or at all if they cannot have it, ends them. No rank has used the
/// communicator `ranks` before.
int end_together(const parallel::Communicator& ranks, const End& mine, std::chrono::milliseconds patience,
                 const LastActions& actions);

}  // namespace tessera::program
