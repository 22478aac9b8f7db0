// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <span>
#include <tessera/core/host_array.hpp>
#include <tessera/kmc/parameters.hpp>
#include <tessera/kmc/space/bkl.hpp>
#include <tessera/kmc/space/measured.hpp>
#include <tessera/kmc/space/sequential.hpp>
#include <tessera/kmc/space/simulation.hpp>
#include <tessera/kmc/space/tile_steps.hpp>
#include <tessera/parallel/distribution.hpp>
#include <utility>
#include <vector>

/// The simulations in three dimensions, by tiles and one event after the other.
namespace tessera::kmc::space {

/// By tiles.
template <class ExecutionSpace, Model M>
class TileSimulation : public Simulation<M> {
  using Base = Simulation<M>;
  using Base::progress_, Base::parameters_, Base::box_, Base::model_;
  using Steps = TileSteps<ExecutionSpace, M>;

 public:
  /// `distribution`: of pairs of planes among ranks . Arrays of the whole are those of all ranks.
  TileSimulation(const ExecutionSpace& space, const Parameters& p, const M& model,
                 const parallel::Distribution& distribution = {})
      : Base(p, model, Steps::Launches::divided(p.nx, p.ny, p.nz, Steps::Launches::tile), distribution.ranks),
        space_(space),
        steps_(space, model, box_, p.replicas, p.seed, !p.tracked.empty(), distribution),
        followed_(p.tracked.empty() ? 0 : progress_.size()) {
    steps_.start();
  }

 protected:
  bool run(std::uint64_t until, const std::function<bool()>& keep_going) override {
    steps_.fit_tiles(progress_);
    for (std::size_t r = 0; r < followed_.size(); ++r)
      if (followed_[r].empty())
        followed_[r] = states_of(static_cast<int>(r), 0, static_cast<std::size_t>(box_.sites()));
    this->tracked();  // begin with these states
    for (;;) {
      steps_.begin_epochs(progress_);
      bool any = false;
      for (Progress& one : progress_) {
        if (ListsChanges<M> && one.is_over) {
          this->set_absorbed(static_cast<std::size_t>(&one - progress_.data()), one.last_event);
          this->set_time(one.step, until != never ? until : one.events > 0 ? one.last_event + 1 : 0);
        }
        const bool ends = this->has_ended(one) || one.now() >= until;
        one.step.length = ends ? 0 : steps_.next_length(one, until);
        any |= !ends;
      }
      if (!any) return true;
      if (!this->ranks_.all(keep_going())) return false;
      std::vector<std::uint64_t> before;
      for (std::size_t r = 0; r < followed_.size(); ++r) before.push_back(progress_[r].events);
      steps_.run(progress_, this->last_event());
      if constexpr (ListsChanges<M>)
        for (std::size_t r = 0; r < followed_.size(); ++r)
          if (progress_[r].events > before[r]) follow(r);
    }
  }
  Sums sums_of_replica(int replica) override {
    Sums sums = sums_of(space_, model_, steps_.box(), steps_.cells().states.data() + first(replica));
    sums.bonds = this->ranks_.sum(sums.bonds);
    this->ranks_.sum(std::span(sums.sites));
    return sums;
  }
  std::vector<std::uint8_t> states_of(int replica, std::size_t from, std::size_t count) const override {
    return of_whole(steps_.cells().states, replica, from, count);
  }
  std::vector<std::uint32_t> ticks_of(int replica) const override {
    const auto sites = static_cast<std::size_t>(box_.sites());
    std::vector<std::uint32_t> ticks = of_whole(steps_.cells().times, replica, 0, sites);
    if constexpr (ListsChanges<M>) {
      const std::vector<std::uint8_t> states = states_of(replica, 0, sites);
      for (std::size_t site = 0; site < sites; ++site)
        if (!model_.acts(states[site])) ticks[site] = far;
    }
    return ticks;
  }
  void set(int replica, std::span<const std::uint8_t> states, std::span<const std::uint32_t> ticks) override {
    set_whole(steps_.cells().states, replica, states);
    set_whole(steps_.cells().times, replica, ticks);
    if (!followed_.empty()) followed_[static_cast<std::size_t>(replica)].clear();
  }
  bool has_steps() const override { return true; }

 private:
  std::int64_t first(int replica) const {
    return steps_.cells().first(progress_[static_cast<std::size_t>(replica)].step.front, replica, steps_.box());
  }
  template <class View>
  auto part(const View& all, int replica, std::size_t from, std::size_t count) const {
    const std::size_t begin = static_cast<std::size_t>(first(replica)) + from;
    return Kokkos::subview(all, std::pair(begin, begin + count));
  }
  /// Sites number `from` on of the whole, of which each rank has some.
  template <class View>
  auto of_whole(const View& all, int replica, std::size_t from, std::size_t count) const {
    const Box& box = steps_.box();
    const auto ghosts = static_cast<std::size_t>(box.first_own()), own = static_cast<std::size_t>(box.own_sites()),
               number = std::size_t{box.number(static_cast<std::uint32_t>(ghosts))};
    const auto within = [&](std::size_t i) { return std::clamp(i, number, number + own) - number; };
    const std::size_t begin = within(from);
    return steps_.borders().joined(to_host(space_, part(all, replica, ghosts + begin, within(from + count) - begin)));
  }
  /// Copies this rank's planes, with ghosts.
  template <class View, class T>
  void set_whole(const View& all, int replica, std::span<const T> whole) {
    const Box& box = steps_.box();
    const auto size = static_cast<std::size_t>(box.sites()), before_end = std::min(size, whole.size() - box.first);
    copy_and_wait(space_, part(all, replica, 0, before_end), host_array(whole.subspan(box.first, before_end)));
    if (const std::size_t rest = size - before_end; rest > 0)
      copy_and_wait(space_, part(all, replica, before_end, rest), host_array(whole.first(rest)));
  }
  /// Moves the tracked particles of a replica by its events in the last step.
  void follow(std::size_t r) {
    const std::span<Displacements> tracked = this->tracked().of(r);
    for (const EventRecord& one : steps_.recorded(r))
      change_states(model_.listed(one.what), box_, one.site, followed_[r], tracked);
  }

  ExecutionSpace space_;
  Steps steps_;
  std::vector<std::vector<std::uint8_t>> followed_;  ///< states of the replicas, for follow()
};

/// One event after the other, on the host.
template <Model M, class Replica = Sequential<M>>
class SequentialSimulation : public Simulation<M> {
  using Base = Simulation<M>;

 public:
  SequentialSimulation(const Parameters& p, const M& model) : Base(p, model, Box(p.nx, p.ny, p.nz, 1)) {
    std::vector<std::uint8_t> states(static_cast<std::size_t>(box_.sites()));
    for (int r = 0; r < p.replicas; ++r) {
      const std::uint64_t seed = p.seed + static_cast<std::uint64_t>(r);
      for (std::size_t site = 0; site < states.size(); ++site)
        states[site] = static_cast<std::uint8_t>(initial_state(model_, seed, site, states.size()));
      replicas_.emplace_back(model_, box_, seed_of(p.seed, r), states);
    }
  }

 protected:
  using Base::progress_, Base::parameters_, Base::box_, Base::model_;
  bool run(std::uint64_t until, const std::function<bool()>& keep_going) override {
    for (std::size_t r = 0; r < replicas_.size(); ++r) {
      Replica& one = replicas_[r];
      one.track(this->tracked().of(r));
      Progress& at = progress_[r];
      bool reached = at.now() >= until || this->has_ended(at);
      while (!reached) {
        if (!keep_going()) return false;
        const std::uint64_t most = std::min(this->last_event(), one.events() + 1000);
        reached = one.run(until, most);
        at.events = one.events();
        at.last_event = one.last_event();
        at.counted = one.counted();
        if (one.is_absorbed()) this->set_absorbed(r, at.last_event);
        const std::uint64_t now = reached && until != never ? until : one.now();
        at.step.begin = one.begin();
        at.step.now = static_cast<std::uint32_t>(now - at.step.begin);
        reached |= this->has_ended(at);
      }
    }
    return true;
  }
  void skip(int replica) override {
    const auto r = static_cast<std::size_t>(replica);
    replicas_[r].skip_to(progress_[r].now());
  }
  Sums sums_of_replica(int replica) override {
    return sums_of(Kokkos::DefaultHostExecutionSpace(), model_, box_, at(replica).states().data());
  }
  std::vector<std::uint8_t> states_of(int replica, std::size_t from, std::size_t count) const override {
    const auto begin = at(replica).states().begin() + static_cast<std::ptrdiff_t>(from);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
  }
  std::vector<std::uint32_t> ticks_of(int replica) const override { return at(replica).times(); }
  void set(int replica, std::span<const std::uint8_t> states, std::span<const std::uint32_t> ticks) override {
    const Progress& of = progress_[static_cast<std::size_t>(replica)];
    replicas_[static_cast<std::size_t>(replica)].resume({states.begin(), states.end()}, {ticks.begin(), ticks.end()},
                                                        of.step.begin, {of.events, of.last_event, of.counted});
  }

 private:
  const Replica& at(int replica) const { return replicas_[static_cast<std::size_t>(replica)]; }

 protected:
  std::vector<Replica> replicas_;
};

/// By the n-fold way, with a trajectory of its own.
template <Model M>
class BklSimulation : public SequentialSimulation<M, Bkl<M>> {
  using Base = SequentialSimulation<M, Bkl<M>>;
  using Base::progress_, Base::parameters_, Base::box_, Base::model_, Base::replicas_;

 public:
  using Base::Base;

  /// Writes `order` [replicas, nz, ny, nx] instead of waiting times, and `generator` [replicas, 2].
  void save(io::CheckpointWriter& archive) const override {
    Base::save(archive);
    std::vector<std::uint64_t> all;
    for (const Bkl<M>& one : replicas_) std::ranges::copy(one.generator(), std::back_inserter(all));
    archive.array("generator", all, {replicas_.size(), 2}, "");
  }
  void load(const io::CheckpointReader& archive) override {
    Base::load(archive);
    std::vector<std::uint64_t> all(2 * replicas_.size());
    archive.array("generator", all, {replicas_.size(), 2});
    for (std::size_t r = 0; r < replicas_.size(); ++r)
      replicas_[r].resume(std::span(all).subspan(2 * r, 2), progress_[r].step.now, parameters_.redraw);
  }

 protected:
  bool has_ticks() const override { return false; }
  void begin(int replica, std::span<const std::uint8_t> states) override {
    const std::uint64_t seed = seed_of(parameters_.seed, replica);
    replicas_[static_cast<std::size_t>(replica)] = {model_, box_, seed, {states.begin(), states.end()}};
  }
};

}  // namespace tessera::kmc::space
