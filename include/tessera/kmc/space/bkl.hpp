// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <tessera/core/error.hpp>
#include <tessera/core/exponential_variate.hpp>
#include <tessera/core/streams.hpp>
#include <tessera/kmc/sequential/rate_classes.hpp>
#include <tessera/kmc/space/sequential.hpp>
#include <tessera/kmc/state/loaded.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera::kmc::space {

/// The n-fold way of Bortz, Kalos and Lebowitz (1975): the time of the next event follows from the sum of all rates,
/// its site is drawn from those of a kind, or with similar rates (RateClassesOf). All variates are from one stream, and
/// times are not rounded to ticks.
template <Model M>
class Bkl : public System<M> {
  using System<M>::states_, System<M>::begin_, System<M>::events_;
  using Keys = std::conditional_t<HasKinds<M>, KindsOfRates, PowersOfTwo>;

 public:
  /// A system with states [nz, ny, nx] at time 0. `seed`: a hash.
  Bkl(const M& model, const Box& box, std::uint64_t seed, std::vector<std::uint8_t> states)
      : System<M>(model, box, std::move(states)), stream_(hash(seed, 0, Purpose::kmc_bkl) | 1), classes_(0) {
    if constexpr (HasKinds<M>)
      for (int kind = 0; kind < M::kinds; ++kind) keys_.rates[kind] = model.rate(kind);
    sort();
    draw_next_event(0);
  }

  /// As Sequential.
  bool run(std::uint64_t until, std::uint64_t most = never) {
    while (events_ < most) {
      this->is_absorbed_ = std::isinf(next_event_);
      if (until == never && this->is_absorbed_) return true;
      if (until == never && next_event_ >= 0x1p62) throw RunError("the next event is too far away; use --until-time");
      if (next_event_ >= static_cast<double>(until - begin_)) {
        skip_to(until);
        return true;
      }
      skip_to(begin_ + static_cast<std::uint64_t>(next_event_));
      const auto drawn = classes_.draw(total_, stream_);
      if (HasKinds<M> || drawn.height < this->rate(drawn.cell))
        this->perform(drawn.cell, begin_ + static_cast<std::uint64_t>(next_event_), stream_.draw(),
                      [&](std::uint32_t other) { classes_.set(other, this->rate(other)); });
      draw_next_event(next_event_);
    }
    return false;
  }
  void skip_to(std::uint64_t tick) {
    const std::uint64_t before = std::exchange(begin_, tick / epoch * epoch);
    next_event_ -= static_cast<double>(begin_ - before);
  }

  /// All sites, by their rates; the state of the stream, and the next event in ticks since the begin of the epoch.
  const std::vector<std::uint32_t>& times() const { return classes_.order(); }
  auto generator() const { return std::array{stream_.state(), Kokkos::bit_cast<std::uint64_t>(next_event_)}; }
  /// Continues from these states and the result of times().
  void resume(std::vector<std::uint8_t> states, const std::vector<std::uint32_t>& order, std::uint64_t begin,
              const EventCounts& counts) {
    System<M>::resume(std::move(states), begin, counts);
    sort();
    has_order_ = classes_.set_order(order);
  }
  /// Continues from generator() at a tick of the epoch; `redraw`: with a new event, and other rates.
  void resume(std::span<const std::uint64_t> generator, std::uint32_t now, bool redraw) {
    if (generator[0] == 0) refuse_loaded("generator", "it must be a state of the generator");
    stream_ = Stream(generator[0]);
    if (redraw) return draw_next_event(now);
    if (!has_order_) refuse_loaded("order", "it must have each site once, by the rates");
    total_ = classes_.total();
    next_event_ = Kokkos::bit_cast<double>(generator[1]);
    if (!possible_time(now - 1.0, next_event_, mean()))  // it may be before another event of its tick
      refuse_loaded("generator", "the next event must be in the future as the rates allow");
  }

 private:
  /// Of the time until the next event, or rejected event, in ticks; infinite if none is possible.
  double mean() const { return this->clock_.ticks / total_; }
  void draw_next_event(double now) {
    const double variate = exponential_variate(stream_.draw());
    total_ = classes_.total();
    next_event_ = total_ > 0 ? now + variate * mean() : std::numeric_limits<double>::infinity();
  }
  void sort() {
    classes_ = RateClassesOf(static_cast<std::uint32_t>(states_.size()), keys_);
    for (std::uint32_t site = 0; site < states_.size(); ++site) classes_.set(site, this->rate(site));
  }

  Stream stream_;
  Keys keys_;
  bool has_order_ = true;        ///< of the checkpoint
  RateClassesOf<Keys> classes_;  ///< of the rates of the sites
  double total_ = 0;             ///< rate of the next event, or rejected event
  double next_event_ = 0;        ///< ticks since the begin of the epoch
};

}  // namespace tessera::kmc::space
