// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <tessera/core/observable.hpp>
#include <tessera/kmc/state/clock.hpp>
#include <tessera/kmc/steps/step_state.hpp>
#include <vector>

namespace tessera::kmc {

/// Mean number of events in the accepted steps between the states `before` and `now` of the replicas; 0 without steps.
inline double events_of_a_step(const std::vector<StepState>& before, const std::vector<StepState>& now) {
  double events = 0, steps = 0;
  for (std::size_t r = 0; r < now.size(); ++r) {
    events += static_cast<double>(now[r].events - before[r].events);
    steps += static_cast<double>(now[r].accepted - before[r].accepted);
  }
  return steps > 0 ? events / steps : 0;
}

/// Number of steps that are launched together, before the host reads their results: about 50 ms of work. The duration
/// of a step is known only afterwards, and may be ten times that of the step before. A batch therefore has at most
/// twice as many steps as the previous one, and fewer while the step size grows.
class Batch {
 public:
  /// Number of steps in the next batch, for replicas in the states `now`; hardly more than they need.
  int size(const std::vector<StepState>& now) {
    double needed = 1;
    for (const StepState& s : now)
      if (s.active) needed = std::max(needed, s.ceiling < StepRules::never ? 8.0 : (s.stop - s.time) / s.step);
    const double most = std::min({needed, seconds_a_step_ > 0 ? planned / seconds_a_step_ : 1.0, double(allowed_)});
    count_ = static_cast<int>(std::clamp(most, 1.0, double{most_steps_of_batch}));
    is_last_ = count_ + 1 > needed;
    return count_;
  }
  bool is_last() const { return is_last_; }  ///< whether the replicas need at most one step more

  /// Records the duration of the batch in seconds, and the states of the replicas before and after it.
  void record(double seconds, const std::vector<StepState>& before, const std::vector<StepState>& now) {
    const double mean = seconds / count_;
    seconds_a_step_ = std::max(mean, (seconds_a_step_ + mean) / 2);
    // Positive if the sum of all steps has more than doubled. The step of one of many replicas may do so by chance.
    double growth = 0;
    for (std::size_t r = 0; r < now.size(); ++r) growth += now[r].step - 2 * before[r].step;
    allowed_ = std::clamp(growth > 0 ? count_ / 2 : 2 * count_, 1, most_steps_of_batch);
  }

 private:
  static constexpr double planned = 0.05;  // seconds

  int count_ = 1, allowed_ = 1;
  bool is_last_ = false;
  double seconds_a_step_ = 0;  // recent mean, with a slow step remembered for several batches
};

/// The history of the steps of all replicas without rows, one per step: start, length, fraction of repaired tiles,
/// events, whether accepted.
inline History history_of_steps(const char* time_unit) {
  return {"steps",
          {"replica", "time", "step", "repaired_fraction", "events", "accepted"},
          {"", time_unit, time_unit, "", "", ""},
          std::vector<std::vector<double>>(6),
          true};
}

/// Adds the first `count` columns of `records` [replicas, steps], in host memory, up to the times `ends` of the
/// replicas. `origins`: of the times of the records.
template <class Records>
void add_steps(const Records& records, int count, const std::vector<double>& ends, const std::vector<Origin>& origins,
               History& history) {
  for (int i = 0; i < count; ++i)
    for (std::size_t r = 0; r < origins.size(); ++r) {
      const StepRecord& line = records(r, i);
      const double time = origins[r].total(line.time);
      if (line.accepted < 0 || time > ends[r]) continue;
      const double values[] = {double(r), time, line.step, line.repaired, double(line.events), double(line.accepted)};
      for (std::size_t c = 0; c < std::size(values); ++c) history.columns[c].push_back(values[c]);
    }
}

}  // namespace tessera::kmc
