// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <tessera/parallel/communicator.hpp>
#include <thread>

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
inline int end_together(const parallel::Communicator& ranks, const End& mine, std::chrono::milliseconds patience,
                        const LastActions& actions) {
  const bool failed = !mine.failure.empty();
  const std::int64_t place = failed ? ranks.size() - ranks.rank() : 0;
  std::array<std::int64_t, 2> all{mine.status, place};
  if (ranks.size() > 1) {
    using Clock = std::chrono::steady_clock;
    const auto latest = Clock::now() + (mine.can_be_agreed ? patience : std::chrono::milliseconds(0));
    const auto agreement = ranks.begin_max(all);
    while (!ranks.is_complete(*agreement, all)) {
      if (failed && Clock::now() > latest) {
        actions.complain("rank " + std::to_string(ranks.rank()) + ": " + mine.failure);
        actions.abort(mine.status);
      }
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }
  if (failed && place == all[1]) actions.complain(mine.failure);
  return static_cast<int>(all[0]);
}

}  // namespace tessera::program
