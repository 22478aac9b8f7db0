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

/// Ranks that compute each at its own pace, and stop together: once all have arrived, or one of them wants all to stop.
/// All make one for each stop, and call wait() once they have arrived.
class Meeting {
 public:
  explicit Meeting(const Communicator& ranks) : ranks_(ranks) {}

  /// Called now and then by a rank that computes; `stop`: it wants all to stop. Whether to go on.
  bool goes_on(bool stop) { return !over(stop, true) && !stop; }

  /// Called by a rank that has arrived, or stopped; returns once it is over for all. stop() is asked now and then.
  /// Whether all have arrived, and none has asked to stop.
  template <class Stop>
  bool wait(const Stop& stop) {
    while (!over(stop(), false)) std::this_thread::sleep_for(std::chrono::microseconds(50));
    return !stopped_;
  }

 private:
  /// Agrees round by round, each of which ends when all ranks have looked, whether one wants to stop or one computes.
  bool over(bool stop, bool computes) {
    stop_ = stop_ || stop;
    if (over_) return true;
    // Who is about to arrive begins no round that takes another one.
    if (!round_ && computes && !stop_ && Clock::now() < begin_ + std::chrono::milliseconds(1)) return false;
    if (!round_) round_ = ranks_.begin_max(std::array<std::int64_t, 2>{stop_, computes});
    std::array<std::int64_t, 2> any{};
    if (!ranks_.has_come(*round_, any)) return false;
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
