// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <tessera/kmc/sequential/waiting_time_tree.hpp>
#include <tessera/kmc/space/box.hpp>
#include <tessera/kmc/space/models.hpp>
#include <tessera/kmc/space/ticks.hpp>
#include <utility>
#include <vector>

namespace tessera::kmc::space {

/// The sequential waiting-time method: the same trajectory as by tiles, one event after the other.
template <Model M>
class Sequential {
 public:
  /// A system with states [nz, ny, nx] at time 0. `seed`: a hash.
  Sequential(const M& model, const Box& box, std::uint64_t seed, std::vector<std::uint8_t> states)
      : model_(model), box_(box), clock_(model), seed_(seed), states_(std::move(states)) {
    for (int parity = 0; parity < M::Lattice::parities; ++parity)
      for (int direction = 0; direction < Concerned<M>::directions; ++direction)
        concerned_.emplace_back(parity, direction);
    std::vector<std::uint32_t> times(states_.size());
    for (std::uint32_t site = 0; site < times.size(); ++site) times[site] = drawn(site, 0, random_of(seed_, site, 0));
    set_times(times);
  }

  /// Performs all events before tick `until` and returns true; or ends after event number `most`, or at the begin of
  /// another epoch, and returns false.
  bool run(std::uint64_t until, std::uint64_t most = never) {
    for (const std::uint64_t begin = begin_; events_ < most && begin_ == begin;) {
      const std::uint64_t next = next_event(), end = begin_ + epoch;
      if (std::min(next, end) >= until && end > until) return true;
      if (next >= end)
        begin_epoch();
      else
        perform(site_of(tree_.earliest()), next);
    }
    return false;
  }

  /// Tick of the next known event; `never` if it is after this epoch.
  std::uint64_t next_event() const {
    const double time = tree_.time(tree_.earliest());
    return time < static_cast<double>(far) ? begin_ + static_cast<std::uint64_t>(time) : never;
  }
  std::uint64_t events() const { return events_; }                                             ///< since time 0
  std::uint64_t now() const { return std::max(begin_, last_event_ + (events_ > 0 ? 1 : 0)); }  ///< after both
  std::uint64_t begin() const { return begin_; }                                               ///< of the epoch
  const std::vector<std::uint8_t>& states() const { return states_; }                          ///< [nz, ny, nx]
  /// Ticks after the begin of the epoch, likewise.
  std::vector<std::uint32_t> times() const {
    std::vector<std::uint32_t> all(states_.size());
    for (std::uint32_t site = 0; site < all.size(); ++site) {
      const double time = tree_.time(rank_of(site));
      all[site] = time < static_cast<double>(far) ? static_cast<std::uint32_t>(time) : far;
    }
    return all;
  }
  /// Passes over epochs without events, up to the one of a tick.
  void skip_to(std::uint64_t tick) { begin_ = tick / epoch * epoch; }
  /// Continues from these.
  void resume(std::vector<std::uint8_t> states, const std::vector<std::uint32_t>& times, std::uint64_t begin,
              std::uint64_t events) {
    states_ = std::move(states);
    begin_ = begin;
    events_ = events;
    set_times(times);
  }

 private:
  using States = std::vector<std::uint8_t>;

  /// Rank of a site in the order of events at the same tick.
  std::uint32_t rank_of(std::uint32_t site) const {
    const Offset at = box_.at(site);
    const unsigned class_of = Box::parities(at.x, at.y, at.z);
    const auto half_x = static_cast<std::uint32_t>(box_.sides[0] / 2),
               half_y = static_cast<std::uint32_t>(box_.sides[1] / 2);
    const auto place = (static_cast<std::uint32_t>(at.z / 2) * half_y + static_cast<std::uint32_t>(at.y / 2)) * half_x +
                       static_cast<std::uint32_t>(at.x / 2);
    return class_of * static_cast<std::uint32_t>(states_.size() / 8) + place;
  }
  std::uint32_t site_of(std::uint32_t rank) const {
    const auto of_class = static_cast<std::uint32_t>(states_.size() / 8);
    const std::uint32_t parities = rank / of_class, place = rank % of_class;
    const auto half_x = static_cast<std::uint32_t>(box_.sides[0] / 2),
               half_y = static_cast<std::uint32_t>(box_.sides[1] / 2);
    return box_.site(static_cast<int>(2 * (place % half_x) + (parities & 1u)),
                     static_cast<int>(2 * (place / half_x % half_y) + (parities >> 1 & 1u)),
                     static_cast<int>(2 * (place / half_x / half_y) + (parities >> 2)));
  }
  static double time_in_tree(std::uint32_t tick) {
    return tick == far ? std::numeric_limits<double>::infinity() : static_cast<double>(tick);
  }

  std::uint32_t drawn(std::uint32_t site, std::uint32_t now, std::uint64_t random) const {
    const double mean = clock_.means[model_.kind(states_[site], Around<M, States>(states_, box_, site))];
    return mean < 0 ? far : next_tick(now, random, mean);
  }
  void set_times(const std::vector<std::uint32_t>& times) {
    std::vector<double> ranked(times.size());
    for (std::uint32_t site = 0; site < times.size(); ++site) ranked[rank_of(site)] = time_in_tree(times[site]);
    tree_.assign(ranked, epoch);
  }
  void begin_epoch() {
    std::vector<std::uint32_t> all = times();
    begin_ += epoch;
    for (std::uint32_t site = 0; site < all.size(); ++site)
      all[site] = all[site] == far ? drawn(site, far_from, random_of_far(seed_, site, begin_)) : all[site] - epoch;
    set_times(all);
  }

  void perform(std::uint32_t site, std::uint64_t now) {
    const Around<M, States> around(states_, box_, site);
    const std::uint64_t random = second_random(random_of(seed_, site, now));
    int direction = 0;
    if constexpr (M::moves) {
      direction = model_.direction(around, random);
      const std::uint32_t to = box_.site(around.cell, M::Lattice::offset(direction, around.parity));
      std::swap(states_[site], states_[to]);
    } else {
      states_[site] = static_cast<std::uint8_t>(model_.next(states_[site], random));
    }
    ++events_;
    last_event_ = now;
    const Concerned<M>& cells =
        concerned_[static_cast<std::size_t>(around.parity * Concerned<M>::directions + direction)];
    for (int i = 0; i < cells.count; ++i) {
      const std::uint32_t other = box_.site(around.cell, cells.offsets[static_cast<std::size_t>(i)]);
      tree_.change(rank_of(other),
                   time_in_tree(drawn(other, static_cast<std::uint32_t>(now - begin_), random_of(seed_, other, now))));
    }
  }

  M model_;
  Box box_;
  Clock<M> clock_;
  std::uint64_t seed_, begin_ = 0, events_ = 0, last_event_ = 0;
  States states_;
  std::vector<Concerned<M>> concerned_;  ///< [parity, direction]
  WaitingTimeTree tree_;                 ///< of the times, by rank
};

}  // namespace tessera::kmc::space
