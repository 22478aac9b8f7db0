// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <tessera/core/exponential_variate.hpp>
#include <tessera/core/streams.hpp>
#include <tessera/kmc/space/sequential.hpp>
#include <tessera/kmc/state/loaded.hpp>
#include <utility>
#include <vector>

namespace tessera::kmc::space {

/// The n-fold way of Bortz, Kalos and Lebowitz (1975): the time of the next event follows from the sum of all rates,
/// its site is drawn from those of a kind. All variates are from one stream, and times are not rounded to ticks.
template <Model M>
class Bkl : public System<M> {
  using System<M>::states_, System<M>::begin_, System<M>::events_;

 public:
  /// A system with states [nz, ny, nx] at time 0. `seed`: a hash.
  Bkl(const M& model, const Box& box, std::uint64_t seed, std::vector<std::uint8_t> states)
      : System<M>(model, box, std::move(states)), stream_(hash(seed, 0, Purpose::kmc_bkl) | 1) {
    for (int kind = 0; kind < M::kinds; ++kind) rates_[kind] = model.rate(kind) / this->clock_.ticks;
    std::vector<std::uint32_t> sites(states_.size());
    std::iota(sites.begin(), sites.end(), 0u);
    sort(sites);
    draw_next_event(0);
  }

  /// As Sequential.
  bool run(std::uint64_t until, std::uint64_t most = never) {
    while (events_ < most) {
      if (until == never && next_event_ >= 0x1p62) throw RunError("the next event is too far away; use --until-time");
      if (next_event_ >= static_cast<double>(until - begin_)) {
        skip_to(until);
        return true;
      }
      skip_to(begin_ + static_cast<std::uint64_t>(next_event_));
      this->perform(draw_site(), begin_ + static_cast<std::uint64_t>(next_event_), stream_.draw(),
                    [&](std::uint32_t other) { move(other, this->kind(other)); });
      draw_next_event(next_event_);
    }
    return false;
  }
  void skip_to(std::uint64_t tick) {
    const std::uint64_t before = std::exchange(begin_, tick / epoch * epoch);
    next_event_ -= static_cast<double>(begin_ - before);
  }

  /// All sites, by kind; the state of the stream, and the next event in ticks since the begin of the epoch.
  const std::vector<std::uint32_t>& times() const { return order_; }
  auto generator() const { return std::array{stream_.state(), Kokkos::bit_cast<std::uint64_t>(next_event_)}; }
  /// Continues from these states and the result of times().
  void resume(std::vector<std::uint8_t> states, const std::vector<std::uint32_t>& order, std::uint64_t begin,
              std::uint64_t events) {
    System<M>::resume(std::move(states), begin, events);
    if (!sort(order)) refuse_loaded("order", "it must have each site once");
  }
  /// Continues from generator() at a tick of the epoch; `redraw`: with a new event.
  void resume(std::span<const std::uint64_t> generator, std::uint32_t now, bool redraw) {
    if (generator[0] == 0) refuse_loaded("generator", "it must be a state of the generator");
    stream_ = Stream(generator[0]);
    if (redraw) return draw_next_event(now);
    next_event_ = Kokkos::bit_cast<double>(generator[1]);
    if (!possible_time(now - 1.0, next_event_, 1 / total()))  // it may be before another event of its tick
      refuse_loaded("generator", "the next event must be in the future as the rates allow");
  }

 private:
  double sum(std::size_t kind) const { return rates_[kind] * (begins_[kind + 1] - begins_[kind]); }
  double total() const {
    double total = 0;
    for (std::size_t kind = 0; kind < M::kinds; ++kind) total += sum(kind);
    return total;
  }
  void draw_next_event(double now) { next_event_ = now + exponential_variate(stream_.draw()) / total(); }
  std::uint32_t draw_site() {
    std::size_t kind = M::kinds;
    double point = 0;
    while (kind == M::kinds)  // rounding may place the point beyond all kinds
      for (kind = 0, point = stream_.uniform() * total(); kind < M::kinds && point >= sum(kind); ++kind)
        point -= sum(kind);
    const std::uint32_t place = begins_[kind] + static_cast<std::uint32_t>(point / rates_[kind]);
    return order_[std::min(place, begins_[kind + 1] - 1)];
  }

  void move(std::uint32_t site, int kind) {
    std::uint32_t place = places_[site];
    const auto exchange = [&](std::uint32_t with) {
      std::swap(order_[place], order_[with]);
      places_[order_[place]] = place;
      place = with;
    };
    for (; kinds_[site] < kind; ++kinds_[site]) exchange(--begins_[kinds_[site] + 1u]);
    for (; kinds_[site] > kind; --kinds_[site]) exchange(begins_[kinds_[site]]++);
    places_[site] = place;
  }
  /// Sorts the sites by kind, in the given order. Returns false unless each is there once.
  bool sort(const std::vector<std::uint32_t>& sites) {
    kinds_.assign(states_.size(), M::kinds);
    begins_.fill(0);
    for (const std::uint32_t site : sites) {
      if (site >= kinds_.size() || kinds_[site] != M::kinds) return false;
      kinds_[site] = static_cast<std::uint8_t>(this->kind(site));
      ++begins_[kinds_[site] + 1u];
    }
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    order_ = places_ = sites;
    auto next = begins_;
    for (const std::uint32_t site : sites) order_[places_[site] = next[kinds_[site]]++] = site;
    return true;
  }

  Stream stream_;
  double rates_[M::kinds];                            ///< of a site, per tick
  std::array<std::uint32_t, M::kinds + 1> begins_{};  ///< of the kinds in order_
  std::vector<std::uint32_t> order_, places_;         ///< sites by kind, and their places
  std::vector<std::uint8_t> kinds_;                   ///< of the sites
  double next_event_ = 0;                             ///< ticks since the begin of the epoch
};

}  // namespace tessera::kmc::space
