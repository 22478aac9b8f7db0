// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <tessera/kmc/impl/step_state.hpp>
#include <vector>

namespace tessera::kmc {

/// How many steps to launch before the host looks again: about 50 ms of work. A step may take ten times as long as the
/// one before, and what it takes is known only afterwards: so a batch has at most twice as many steps as the last one,
/// and fewer while the steps grow.
class Batch {
 public:
  /// Steps of the next batch, for replicas that stand at `now` and are to run to `until`: not many more than they need.
  int size(const std::vector<StepState>& now, double until) {
    double needed = 1;
    for (const StepState& s : now)
      if (s.active) needed = std::max(needed, s.ceiling < StepRules::end_of_time ? 8.0 : (until - s.time) / s.step);
    const double most = std::min({needed, seconds_a_step_ > 0 ? planned / seconds_a_step_ : 1.0, double(allowed_)});
    count_ = static_cast<int>(std::clamp(most, 1.0, double{records_per_look}));
    return count_;
  }

  /// The batch has taken so long, and the replicas from `before` to `now`.
  void took(double seconds, const std::vector<StepState>& before, const std::vector<StepState>& now) {
    const double mean = seconds / count_;
    seconds_a_step_ = std::max(mean, (seconds_a_step_ + mean) / 2);
    bool growing = false;
    for (std::size_t r = 0; r < now.size(); ++r) growing = growing || now[r].step > 2 * before[r].step;
    allowed_ = std::clamp(growing ? count_ / 2 : 2 * count_, 1, records_per_look);
  }

 private:
  static constexpr double planned = 0.05;  // seconds

  int count_ = 1, allowed_ = 1;
  double seconds_a_step_ = 0;  // of late, the slow ones for longer
};

}  // namespace tessera::kmc
