// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "machine/end_together.hpp"

#include <array>
#include <cstdint>
#include <thread>

namespace tessera::program {

int end_together(const parallel::Communicator& ranks, const End& mine, std::chrono::milliseconds patience,
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
