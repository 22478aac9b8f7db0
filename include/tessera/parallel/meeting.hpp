// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <tessera/parallel/communicator.hpp>
#include <thread>

namespace tessera::parallel {

/// Synchronization of ranks that compute at their own pace until all have arrived, or one of them requests a stop. All
/// ranks construct one for each stop, and call wait() on arrival.
class Meeting {
 public:
  explicit Meeting(const Communicator& ranks) : ranks_(ranks) {}

  /// Called regularly by a computing rank; `stop` requests a stop. Returns whether to continue.
  bool continues(bool stop) { return !over(stop, true) && !stop; }

  /// Called by a rank that has arrived or stopped; returns when all have. Calls stop() regularly. Returns whether all
  /// ranks have arrived and none has requested a stop.
  template <class Stop>
  bool wait(const Stop& stop) {
    while (!over(stop(), false)) std::this_thread::sleep_for(std::chrono::microseconds(50));
    return !stopped_;
  }

 private:
  /// Runs rounds of a collective. Each round determines whether any rank requests a stop and whether any rank computes.
  bool over(bool stop, bool computes) {
    stop_ = stop_ || stop;
    if (over_) return true;
    // A computing rank starts no round in the first millisecond: one round suffices if it arrives soon.
    if (!round_ && computes && !stop_ && Clock::now() < begin_ + std::chrono::milliseconds(1)) return false;
    if (!round_) round_ = ranks_.begin_max(std::array<std::int64_t, 2>{stop_, computes});
    std::array<std::int64_t, 2> any{};
    if (!ranks_.is_complete(*round_, any)) return false;
    round_.reset();
    stopped_ = any[0] != 0;
    over_ = stopped_ || any[1] == 0;
    return over_;
  }

  using Clock = std::chrono::steady_clock;

  Communicator ranks_;
  Clock::time_point begin_ = Clock::now();
  std::shared_ptr<Communicator::Pending> round_;
  bool stop_ = false, stopped_ = false, over_ = false;
};

}  // namespace tessera::parallel
