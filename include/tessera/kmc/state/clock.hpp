// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tessera/core/error.hpp>
#include <tessera/kmc/model.hpp>
#include <tessera/kmc/state/waiting_times.hpp>
#include <vector>

/// The clock. Times of cells and steps are relative to an origin, which moves with the replica, so that their last
/// digit resolves waiting times at any time. It does so at boundaries that the model and the trajectory define, never
/// the steps, stops or ranks: before the first event after the end of an epoch, and at the end of each window of rates
/// that change with time. All waiting times then become those after the boundary, by the same arithmetic in all methods
/// (passed()).
namespace tessera::kmc {

/// The largest multiple of `of` up to `time`; 0 if `of` is infinite.
inline double floor_to_multiple(double time, double of) { return of < HUGE_VAL ? std::floor(time / of) * of : 0; }

/// A window of time in which the rates are constant (ChangesInTime), or all times.
template <Model M>
struct RateWindow {
  /// `cells`: largest number of cells with one waiting time.
  explicit RateWindow(const M& its_model, double cells = 1, std::int64_t its_number = 0)
      : model(its_model), cells_of_time(cells), number(its_number) {
    const double mean = 1 / (cells * model.largest_rate());
    if (!(mean > 0)) throw InputError("the rates of the model are too large: their sum must be finite");
    epoch = mean < HUGE_VAL ? std::ldexp(1.0, std::ilogb(mean) + 33) : HUGE_VAL;
    end = end_of_window(model, number);
    is_complete = window_is_complete(model, number);
  }
  /// Another window of the model.
  RateWindow at([[maybe_unused]] std::int64_t other) const {
    if constexpr (ChangesInTime<M>)
      return RateWindow(model.at_window(other), cells_of_time, other);
    else
      return *this;
  }
  bool is_last() const { return std::isinf(end); }  ///< whether its rates hold for ever

  M model;               ///< with the rates of this window
  double cells_of_time;  ///< see the constructor
  std::int64_t number;   ///< from 0
  double end;            ///< total time
  bool is_complete;      ///< whether cells without events never have any (window_is_complete())
  /// Length of an epoch: the power of two before whose end a unit in the last place is at most 2^-20 of the smallest
  /// mean waiting time.
  double epoch;
};

/// The change of a replica's waiting times at a boundary: t becomes (t - from) r + to, where r is the ratio of the
/// mean waiting times after and before it.
struct Passage {
  double from = 0, to = 0;     ///< the boundary, relative to the origins before and after it
  bool passes = false;         ///< false: the replica is not at a boundary
  bool changes_rates = false;  ///< the boundary is the end of a window
};

/// A cell's waiting time after the boundary, if its mean changes from `before` to `after`. A cell whose
/// rate was 0 draws its time from its stream, whose state is `stream`.
KOKKOS_INLINE_FUNCTION double passed(const Passage& p, double time, double before, double after,
                                     std::uint64_t& stream) {
  constexpr double largest = Kokkos::Experimental::finite_max_v<double>;
  if (before <= largest && after <= largest) return (time - p.from) * (after / before) + p.to;
  if (after > largest) return Kokkos::Experimental::infinity_v<double>;
  Stream drawn(stream);
  const double next = next_waiting_time(p.to, after, drawn);
  stream = drawn.state();
  return next;
}

/// Origin of a replica's times, a multiple of the epoch, and the number of its window.
struct Origin {
  double time = 0;          ///< total time
  std::int64_t window = 0;  ///< of the rates

  double total(double relative) const { return time + relative; }  ///< total time
  /// Exact as long as total / epoch < 2^53; later rounded such that total(relative(t)) >= t.
  double relative(double total) const {
    const double t = total - time;
    return time + t < total ? std::nextafter(t, HUGE_VAL) : t;
  }
  /// End of the epoch or the window, whichever is first.
  template <Model M>
  double boundary(const RateWindow<M>& its) const {
    return std::min(its.epoch, relative(its.end));
  }
  /// To the epoch of the event at time `next`, over all those without events.
  Passage enter_epoch_of(double next, double epoch) {
    const double passes = floor_to_multiple(next, epoch);
    time += passes;
    return {passes, 0, true, false};
  }
  /// From the end of a window to the following one.
  template <Model M>
  Passage enter_window(const RateWindow<M>& before, const RateWindow<M>& after) {
    const double from = relative(before.end);
    *this = {floor_to_multiple(before.end, after.epoch), after.number};
    return {from, relative(before.end), true, true};
  }
};

/// What a checkpoint has of a sequential method: states [replicas][ny][nx], and numbers of each replica. Times are
/// relative to the origins.
template <Model M>
struct Trajectory {
  std::vector<typename M::State> states = {};
  std::vector<double> times, last_events = {};
  std::vector<Origin> origins;
  std::vector<std::uint64_t> events, counted;  ///< numbers of events, and those of each group [replicas][groups]
};

}  // namespace tessera::kmc
