// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <tessera/parallel/communicator.hpp>

namespace tessera::program {

/// Exit of a rank.
struct End {
  int status = 0;
  std::string failure = {};  ///< empty: none
  bool can_be_agreed = true;
};

/// Actions of a rank at its exit.
struct LastActions {
  std::function<void(const std::string&)> complain;  ///< prints a failure
  std::function<void(int status)> abort;             ///< ends all ranks
};

/// All ranks: returns the common exit status, the largest one. The first rank with a failure prints it. A failed rank
/// that waits longer than `patience` for the others ends them, as does one whose failure the others cannot share. The
/// communicator `ranks` must be unused before.
int end_together(const parallel::Communicator& ranks, const End& mine, std::chrono::milliseconds patience,
                 const LastActions& actions);

}  // namespace tessera::program
