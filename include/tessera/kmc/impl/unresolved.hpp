// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <sstream>
#include <tessera/core/error.hpp>
#include <tessera/kmc/impl/waiting_times.hpp>

namespace tessera::kmc {

/// Throws RunError: the clock of a replica no longer resolves its waiting times (is_unresolved()).
[[noreturn]] inline void refuse_unresolved(std::size_t replica, double time) {
  std::ostringstream message;
  message << "replica " << replica << ", time " << time << ": the last digit of the time, " << next_time(time) - time
          << ", is too coarse for the waiting times of the fastest events; continue by --start FILE, in a new run from "
             "time 0, or with --method bkl there";
  throw RunError(message.str());
}

}  // namespace tessera::kmc
