// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <tessera/core/error.hpp>
#include <tessera/kmc/impl/loaded.hpp>
#include <tessera/kmc/impl/waiting_times.hpp>

namespace tessera::kmc {

/// Throws RunError: the clock of a replica no longer resolves its waiting times (is_unresolved()).
[[noreturn]] inline void refuse_unresolved(std::size_t replica, double time) {
  std::ostringstream message;
  message << "replica " << replica << ", time " << time << ": the last digit of the time, " << next_time(time) - time
          << ", is too coarse for the waiting times of the fastest events; use --method bkl";
  throw RunError(message.str());
}

/// Throws InputError if a run with this number of unresolved waiting times would have ended before it reached this
/// number of events.
inline void check_loaded_unresolved(std::uint64_t unresolved, std::uint64_t events) {
  if (too_many_unresolved(unresolved, events)) refuse_loaded("unresolved", "a run with so many has ended earlier");
}

}  // namespace tessera::kmc
