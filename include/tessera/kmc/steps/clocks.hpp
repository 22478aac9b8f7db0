// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <set>
#include <span>
#include <tessera/core/host_array.hpp>
#include <tessera/kmc/state/clock.hpp>
#include <tessera/kmc/state/initial_state.hpp>
#include <tessera/kmc/steps/tile_steps.hpp>
#include <tessera/parallel/distribution.hpp>
#include <vector>

namespace tessera::kmc {

/// Collective. Times of the next events of all replicas; infinity where there is none. The ghost ring must be filled.
template <class ExecutionSpace, Model M>
std::vector<double> earliest_times(const TileSteps<ExecutionSpace, M>& steps,
                                   const parallel::Distribution& distribution) {
  find_earliest_times(steps.space_, steps.work_.state, steps.earliest);
  std::vector<double> earliest = to_host(steps.space_, steps.earliest);
  distribution.ranks.min(std::span(earliest));
  // Up to Kokkos 4 a minimum is at most the largest finite number.
  for (double& one : earliest)
    if (one >= std::numeric_limits<double>::max()) one = StepRules::never;
  return earliest;
}

/// Collective. Sets the next steps of these replicas, or of all, to reach their earliest events (equation 5).
template <class ExecutionSpace, Model M>
void guess_steps(const TileSteps<ExecutionSpace, M>& steps, const parallel::Distribution& distribution,
                 std::vector<StepState>& now, const std::vector<std::size_t>& replicas) {
  if (replicas.empty()) return;
  const std::vector<double> earliest = earliest_times(steps, distribution);
  for (const std::size_t r : replicas) now[r].step = earliest[r] - now[r].time;
}
template <class ExecutionSpace, Model M>
void guess_steps(const TileSteps<ExecutionSpace, M>& steps, const parallel::Distribution& distribution,
                 std::vector<StepState>& now) {
  std::vector<std::size_t> all(now.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  guess_steps(steps, distribution, now, all);
}

/// The clocks of all replicas of the tile method, and the rates of the steps. Replicas enter a window of time together,
/// so that all steps are made with the rates of one window; those that were loaded in a later one wait.
template <class ExecutionSpace, Model M>
struct Clocks {
  using Steps = TileSteps<ExecutionSpace, M>;

  Clocks(const M& model, int replicas) : window(model), origins(static_cast<std::size_t>(replicas)) {}

  bool is_in_window(std::size_t r) const { return origins[r].window == window.number; }
  /// Whether a replica without events never has any.
  bool is_complete(const Origin& origin) const {
    return origin.window == window.number ? window.is_complete : window_is_complete(window.model, origin.window);
  }

  /// End of the advance of replica r to total time `until`, or of its epoch or window.
  double stop(std::size_t r, const StepState& its, double until) const {
    if (!is_in_window(r)) return its.time;
    return std::min(origins[r].relative(until), boundary(r, its));
  }

  /// Calls act() for each window that replicas are in, with its rates, while these replicas are active.
  template <class Act>
  void in_each_window(Steps& steps, std::vector<StepState>& now, const Act& act) {
    std::set<std::int64_t> windows;
    for (const Origin& one : origins) windows.insert(one.window);
    for (const std::int64_t one : windows) {
      use(one, steps);
      for (std::size_t r = 0; r < now.size(); ++r) now[r].active = is_in_window(r);
      copy_and_wait(steps.space_, steps.steps, host_array(now));
      act();
    }
    for (StepState& its : now) its.active = 0;
  }

  /// Collective. Takes the replicas that continue to time `until` across their next boundary, or to the stop or the end
  /// of the window if they have no event before. Returns whether any has moved; `now` is not yet on the device then.
  bool cross(Steps& steps, const parallel::Distribution& distribution, std::vector<StepState>& now, double until) {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (std::size_t r = 0; r < now.size(); ++r)
      if (!now[r].finished) first = std::min(first, origins[r].window);
    if (first < std::numeric_limits<std::int64_t>::max()) use(first, steps);
    std::vector<std::size_t> leave, wait;  // the window; in it, for the event after the end of the epoch
    bool all_leave = true;
    for (std::size_t r = 0; r < now.size(); ++r) {
      const double time = now[r].time;
      if (now[r].finished || !is_in_window(r)) continue;
      const bool continues = time < origins[r].relative(until), at_end = time >= origins[r].relative(window.end);
      all_leave = all_leave && continues && at_end;
      if (continues && time >= boundary(r, now[r])) (at_end ? leave : wait).push_back(r);
    }
    if (!all_leave) leave.clear();
    if (leave.empty() && wait.empty()) return false;
    if (!distribution.is_serial()) steps.fill_ghosts();
    std::vector<Passage> passages(now.size());
    const auto pass = [&](std::size_t r, const Passage& passage) {
      passages[r] = passage;
      now[r].time = now[r].last_event = passage.to;
      now[r].ceiling = StepRules::never;
    };
    std::vector<double> next;
    if (!wait.empty()) next = earliest_times(steps, distribution);
    for (const std::size_t r : wait) {
      const double end = std::min(origins[r].relative(until), origins[r].relative(window.end));
      if (next[r] >= end) {
        now[r].time = end;
        continue;
      }
      pass(r, origins[r].enter_epoch_of(next[r], window.epoch));
      now[r].step = std::max(now[r].step, next[r] - passages[r].from);
    }
    const RateWindow<M> before = window;
    if (!leave.empty()) use(window.number + 1, steps);
    for (const std::size_t r : leave) {
      const double last = origins[r].total(now[r].last_event);
      pass(r, origins[r].enter_window(before, window));
      if (now[r].absorbed && before.is_complete) now[r].last_event = origins[r].relative(last);
    }
    if (std::ranges::none_of(passages, &Passage::passes)) return true;
    copy_and_wait(steps.space_, steps.passages, host_array(passages));
    steps.cross(before.model);
    if (!distribution.is_serial()) steps.fill_ghosts();
    std::erase_if(leave, [&](std::size_t r) { return !now[r].absorbed || before.is_complete; });
    guess_steps(steps, distribution, now, leave);
    for (const std::size_t r : leave) now[r].absorbed = 0;
    return true;
  }

  RateWindow<M> window;         ///< the rates of the steps
  std::vector<Origin> origins;  ///< of the replicas

 private:
  /// End of the epoch or the window of replica r, if it will have events afterwards.
  double boundary(std::size_t r, const StepState& its) const {
    return its.absorbed && window.is_last() ? StepRules::never : origins[r].boundary(window);
  }

  void use(std::int64_t number, Steps& steps) {
    if (number == window.number) return;
    window = window.at(number);
    steps.work_.model = window.model;
  }
};

}  // namespace tessera::kmc
