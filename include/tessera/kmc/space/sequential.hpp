// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <tessera/kmc/sequential/waiting_time_tree.hpp>
#include <tessera/kmc/space/box.hpp>
#include <tessera/kmc/space/models.hpp>
#include <tessera/kmc/space/ticks.hpp>
#include <tessera/kmc/state/displacements.hpp>
#include <utility>
#include <vector>

namespace tessera::kmc::space {

/// Changes the states of a box by an event of a site, and moves the particles.
inline void change_states(const ListedChanges<std::uint8_t>& event, const Box& box, std::uint32_t site,
                          std::span<std::uint8_t> states, std::span<Displacements> tracked) {
  const Offset cell = box.at(site);
  for (int i = 0; i < event.changed; ++i) {
    const Offset by = from_row(event.changes[i].at.dx, event.changes[i].at.dy);
    const std::uint32_t changed = box.site(cell, by);
    const int before = states[changed];
    states[changed] = static_cast<std::uint8_t>(before + event.changes[i].difference);
    for (Displacements& one : tracked) one.change(changed, {by.x, by.y, by.z}, before, states[changed]);
  }
  for (Displacements& one : tracked) one.end_event();
}

/// What has happened in a box since time 0.
struct EventCounts {
  std::uint64_t events = 0;                   ///< their number
  std::uint64_t last_event = 0;               ///< tick; 0: not known
  std::vector<std::uint64_t> of_groups = {};  ///< events of groups (kmc::ListedChanges), of a model that counts them
};

/// A box in which one event happens after the other.
template <Model M>
class System {
 public:
  std::uint64_t events() const { return events_; }                                             ///< since time 0
  std::uint64_t now() const { return std::max(begin_, last_event_ + (events_ > 0 ? 1 : 0)); }  ///< after both
  std::uint64_t begin() const { return begin_; }                                               ///< of the epoch
  const std::vector<std::uint8_t>& states() const { return states_; }                          ///< [nz, ny, nx]
  /// Events of groups, of a model that counts them.
  const std::vector<std::uint64_t>& counted() const { return counted_; }
  std::uint64_t last_event() const { return last_event_; }  ///< tick
  /// Moves particles of some species from now on, of a model that lists its changes.
  void track(std::span<Displacements> species) { tracked_ = species; }
  /// Whether no event is possible any more: known when run() found none.
  bool is_absorbed() const { return is_absorbed_; }

 protected:
  System(const M& model, const Box& box, std::vector<std::uint8_t> states)
      : model_(model), box_(box), clock_(model), states_(std::move(states)) {
    if constexpr (ListsChanges<M>) {
      counted_.resize(static_cast<std::size_t>(groups_of(model)));
      sum_up();
    } else {
      for (int parity = 0; parity < M::Lattice::parities; ++parity)
        for (int direction = 0; direction < Concerned<M>::directions; ++direction)
          concerned_.emplace_back(parity, direction);
    }
  }
  void resume(std::vector<std::uint8_t> states, std::uint64_t begin, const EventCounts& counts) {
    states_ = std::move(states);
    begin_ = begin;
    events_ = counts.events;
    last_event_ = counts.last_event;
    if constexpr (ListsChanges<M>) {
      counted_ = counts.of_groups;
      sum_up();
    }
  }
  /// Mean waiting time of a site in ticks (Clock), negative if it has no event.
  double mean(std::uint32_t site) const {
    if constexpr (ListsChanges<M>)
      return clock_.mean(model_.rate(sums_of(site)));
    else
      return clock_.means[rate(site)];
  }
  /// Kind of a site, or its rate if there are no kinds.
  auto rate(std::uint32_t site) const {
    if constexpr (ListsChanges<M>)
      return model_.rate(sums_of(site));
    else
      return model_.kind(states_[site], Around<M, States>(states_, box_, site));
  }
  /// Changes states by an event of a site at tick `now`, then calls use(other) for all affected sites, the event's
  /// first.
  template <class Use>
  void perform(std::uint32_t site, std::uint64_t now, std::uint64_t random, const Use& use) {
    ++events_;
    last_event_ = now;
    if constexpr (ListsChanges<M>)
      perform_listed(site, random, use);
    else
      perform_near(site, random, use);
  }

  using States = std::vector<std::uint8_t>;
  M model_;
  Box box_;
  Clock<M> clock_;
  States states_;
  std::uint64_t begin_ = 0, events_ = 0, last_event_ = 0;
  bool is_absorbed_ = false;

 private:
  KeptSums sums_of(std::uint32_t site) const { return {&sums_[site * static_cast<std::size_t>(model_.kept_sums())]}; }
  /// Sets what follows from the states.
  void sum_up() {
    const auto count = static_cast<std::size_t>(model_.kept_sums());
    sums_.resize(count * states_.size());
    for (std::uint32_t site = 0; site < states_.size(); ++site)
      model_.sum_up(Around<M, States>(states_, box_, site), &sums_[count * site]);
  }
  template <class Use>
  void perform_listed(std::uint32_t site, std::uint64_t random, const Use& use) {
    Stream stream(random | 1);
    const ListedChanges<std::uint8_t> event = model_.event(sums_of(site), stream);
    const Offset cell = box_.at(site);
    change_states(event, box_, site, states_, tracked_);
    if (event.group >= 0) ++counted_[static_cast<std::size_t>(event.group)];
    const int count = model_.kept_sums();
    for (int i = 0; i < event.count; ++i) {
      const std::uint32_t other = box_.site(cell, from_row(event.concerned[i].dx, event.concerned[i].dy));
      const std::uint64_t* const added = model_.change_of_sums(event, i);
      std::uint64_t* const sums = &sums_[other * static_cast<std::size_t>(count)];
      for (int k = 0; k < count; ++k) sums[k] += added[k];
      use(other);
    }
  }
  template <class Use>
  void perform_near(std::uint32_t site, std::uint64_t random, const Use& use) {
    const Around<M, States> around(states_, box_, site);
    int direction = 0;
    if constexpr (M::moves) {
      direction = model_.direction(around, random);
      const std::uint32_t to = box_.site(around.cell, M::Lattice::offset(direction, around.parity));
      std::swap(states_[site], states_[to]);
    } else {
      states_[site] = static_cast<std::uint8_t>(model_.next(states_[site], random));
    }
    const Concerned<M>& cells =
        concerned_[static_cast<std::size_t>(around.parity * Concerned<M>::directions + direction)];
    for (int i = 0; i < cells.count; ++i) use(box_.site(around.cell, cells.offsets[static_cast<std::size_t>(i)]));
  }

  std::vector<Concerned<M>> concerned_;  ///< [parity, direction]
  std::vector<std::uint64_t> sums_;      ///< [sites, kept sums]
  std::span<Displacements> tracked_;     ///< by species
  std::vector<std::uint64_t> counted_;   ///< of the groups
};

/// The sequential waiting-time method: the same trajectory as by tiles, one event after the other.
template <Model M>
class Sequential : public System<M> {
  using System<M>::box_, System<M>::states_, System<M>::begin_, System<M>::events_;

 public:
  /// A system with states [nz, ny, nx] at time 0. `seed`: a hash.
  Sequential(const M& model, const Box& box, std::uint64_t seed, std::vector<std::uint8_t> states)
      : System<M>(model, box, std::move(states)),
        half_(box.sides[0] / 2, box.sides[1] / 2, box.sides[2] / 2, 1),
        seed_(seed) {
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
      if (next == never && far_.empty()) {
        this->is_absorbed_ = true;
        if (until != never) skip_to(until);
        return true;
      }
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
  /// Ticks after the begin of the epoch, likewise.
  std::vector<std::uint32_t> times() const {
    std::vector<std::uint32_t> all(states_.size());
    for (std::uint32_t site = 0; site < all.size(); ++site) {
      const double time = tree_.time(rank_of(site));
      all[site] = time < static_cast<double>(far) ? static_cast<std::uint32_t>(time) : far;
    }
    return all;
  }
  /// Passes over epochs without events, up to the one of a tick; no time is known.
  void skip_to(std::uint64_t tick) { begin_ = tick / epoch * epoch; }
  /// Continues from these.
  void resume(std::vector<std::uint8_t> states, const std::vector<std::uint32_t>& times, std::uint64_t begin,
              const EventCounts& counts) {
    System<M>::resume(std::move(states), begin, counts);
    far_.clear();
    for (std::uint32_t site = 0; site < times.size(); ++site)
      if (times[site] == far && this->mean(site) >= 0) far_.push_back(site);
    set_times(times);
  }

 private:
  /// Rank of a site in the order of events at the same tick.
  std::uint32_t rank_of(std::uint32_t site) const {
    const Offset at = box_.at(site);
    return Box::parities(at.x, at.y, at.z) * eighth() + half_.site(at.x / 2, at.y / 2, at.z / 2);
  }
  std::uint32_t site_of(std::uint32_t rank) const {
    const auto parities = static_cast<int>(rank / eighth());
    const Offset at = half_.at(rank % eighth());
    return box_.site(2 * at.x + (parities & 1), 2 * at.y + (parities >> 1 & 1), 2 * at.z + (parities >> 2));
  }
  std::uint32_t eighth() const { return static_cast<std::uint32_t>(states_.size() / 8); }  ///< sites of a class
  static double time_in_tree(std::uint32_t tick) {
    return tick == far ? std::numeric_limits<double>::infinity() : static_cast<double>(tick);
  }

  std::uint32_t drawn(std::uint32_t site, std::uint32_t now, std::uint64_t random) {
    const double mean = this->mean(site);
    const std::uint32_t next = mean < 0 ? far : next_tick(now, random, mean);
    if (mean >= 0 && next == far) far_.push_back(site);
    return next;
  }
  void set_times(const std::vector<std::uint32_t>& times) {
    std::vector<double> ranked(times.size());
    for (std::uint32_t site = 0; site < times.size(); ++site) ranked[rank_of(site)] = time_in_tree(times[site]);
    tree_.assign(ranked, epoch);
  }
  void begin_epoch() {
    begin_ += epoch;
    tree_.move_origin(epoch);
    std::vector<std::uint32_t> sites = std::exchange(far_, {});
    std::ranges::sort(sites);
    const auto repeated = std::ranges::unique(sites);
    sites.erase(repeated.begin(), repeated.end());
    for (const std::uint32_t site : sites)
      if (std::isinf(tree_.time(rank_of(site))))
        tree_.change(rank_of(site), time_in_tree(drawn(site, far_from, random_of_far(seed_, site, begin_))));
  }

  void perform(std::uint32_t site, std::uint64_t now) {
    System<M>::perform(site, now, second_random(random_of(seed_, site, now)), [&](std::uint32_t other) {
      const std::uint32_t next = drawn(other, static_cast<std::uint32_t>(now - begin_), random_of(seed_, other, now));
      tree_.change(rank_of(other), time_in_tree(next));
    });
  }

  Box half_;  ///< the sites with the same parities
  std::uint64_t seed_;
  std::vector<std::uint32_t> far_;  ///< the sites with an event beyond the epoch, and others
  WaitingTimeTree tree_;            ///< of the times, by rank
};

}  // namespace tessera::kmc::space
