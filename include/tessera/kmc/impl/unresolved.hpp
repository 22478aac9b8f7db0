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

/// Ends a run whose clock no longer resolves the events of a replica (is_unresolved()). Throws RunError.
[[noreturn]] inline void refuse_unresolved(std::size_t replica, double time) {
  std::ostringstream message;
  message << "replica " << replica << ", time " << time << ": the last digit of the time, " << next_time(time) - time
          << ", is too coarse for the waiting times of the fastest events; --method bkl can order them";
  throw RunError(message.str());
}

/// Throws InputError if a replica with so many unresolved waiting times cannot have come to so many events.
inline void check_loaded_unresolved(std::uint64_t unresolved, std::uint64_t events) {
  if (too_many_unresolved(unresolved, events))
    refuse_loaded("unresolved", "a run with so many would have ended before");
}

}  // namespace tessera::kmc
