// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/core/host_array.hpp>
#include <tessera/kmc/observables/order.hpp>
#include <tessera/kmc/observables/tracked_particles.hpp>
#include <tessera/kmc/parameters.hpp>
#include <tessera/kmc/space/measured.hpp>
#include <tessera/kmc/space/start.hpp>
#include <tessera/kmc/space/tile_steps.hpp>
#include <tessera/kmc/state/loaded.hpp>
#include <tessera/kmc/steps/saved_steps.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/rank_zero.hpp>
#include <tessera/parallel/shared_checkpoint.hpp>
#include <tessera/simulation/simulation_interface.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera::kmc::space {

/// Common part of the simulations in three dimensions. Their trajectory is that of all methods except bkl.
template <Model M>
class Simulation : public SimulationInterface {
 public:
  /// `parameters`: nx, ny and nz are the sides of the array of sites, which the ranks share.
  Simulation(const Parameters& parameters, const M& model, const Box& box, const parallel::Communicator& ranks = {})
      : ranks_(ranks),
        parameters_(parameters),
        model_(model),
        box_(box),
        ticks_(Clock<M>(model).ticks),
        progress_(static_cast<std::size_t>(parameters.replicas)),
        tracked_(parameters, Simulation::time_unit()),
        times_(progress_.size()) {
    for (Progress& one : progress_) one.length = first_length();
    if constexpr (ListsChanges<M>) {
      for (Progress& one : progress_) one.counted.resize(static_cast<std::size_t>(groups_of(model)));
      const RateOfCounter rate{static_cast<double>(box.sites()), unit_of_growth("", model.time_unit())};
      for (const CountedEvents& one : counted_events_of(model)) counters_[one.name] = rate;
    }
  }

  /// Reads Parameters::starts.
  bool start(const std::function<bool()>& /*keep_going*/) override {
    if (parameters_.starts.empty()) return true;
    const auto sites = static_cast<std::size_t>(box_.sites());
    std::vector<std::uint8_t> states(progress_.size() * sites);
    parallel::at_rank_zero(ranks_, [&] { states = read_starts(parameters_, model_, states.size()); });
    ranks_.broadcast(std::as_writable_bytes(std::span(states)));
    tracked_.clear();
    for (std::size_t r = 0; r < progress_.size(); ++r)
      begin(static_cast<int>(r), std::span(states).subspan(r * sites, sites));
    return true;
  }

  bool advance(
      double until, const std::function<bool()>& keep_going = [] { return true; }) override {
    const double ticks = std::ceil(until * ticks_);
    const std::uint64_t target = ticks < 0x1p63 ? static_cast<std::uint64_t>(ticks) : never;
    if (absorbed_.empty()) find_frozen();
    for (std::size_t r = 0; r < progress_.size(); ++r)
      if (!std::isinf(absorbed_[r]) && target != never && progress_[r].now() < target) {
        set_time(progress_[r].step, target);
        skip(static_cast<int>(r));
      }
    const bool reached = run(target, keep_going);
    for (std::size_t r = 0; r < progress_.size(); ++r)
      times_[r] = progress_[r].now() == target ? until : static_cast<double>(progress_[r].now()) / ticks_;
    return reached;
  }
  bool finished() const override {
    return std::ranges::all_of(progress_, [&](const Progress& one) { return has_ended(one); }) ||
           time() >= stopping_time();
  }
  double time() const override {
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t r = 0; r < times_.size(); ++r)
      if (!has_ended(progress_[r])) smallest = std::min(smallest, times_[r]);
    return std::isinf(smallest) ? std::ranges::min(times_) : smallest;
  }
  std::vector<double> times() const override { return times_; }
  std::vector<double> absorbed() const override {
    if (absorbed_.empty()) return std::vector<double>(progress_.size(), std::numeric_limits<double>::infinity());
    return absorbed_;
  }
  std::string time_unit() const override {
    if constexpr (ListsChanges<M>)
      return model_.time_unit();
    else
      return "1/k_0";
  }
  double stopping_time() const override { return parameters_.until_time; }
  double work() const override {
    return std::accumulate(progress_.begin(), progress_.end(), 0.0,
                           [](double sum, const Progress& one) { return sum + static_cast<double>(one.events); });
  }
  double stopping_work() const override {
    if (last_event() == never) return std::numeric_limits<double>::infinity();
    return static_cast<double>(last_event()) * parameters_.replicas;
  }
  std::string rate_unit() const override { return "events/s"; }
  const std::vector<Progress>& progress() const { return progress_; }  ///< of the replicas
  const Box& box() const { return box_; }                              ///< with its tiles

  /// Observables of the model, `events`, and the control of the steps.
  std::vector<Observable> measure() override {
    std::vector<Sums> sums;
    for (int r = 0; r < parameters_.replicas; ++r) sums.push_back(sums_of_replica(r));
    std::vector<Observable> all = observables_of(model_, sums, static_cast<double>(box_.sites()));
    if constexpr (ListsChanges<M>) {
      std::vector<std::uint64_t> events, counted;
      for (const Progress& of : progress_) {
        events.push_back(of.events);
        counted.insert(counted.end(), of.counted.begin(), of.counted.end());
      }
      measure_events(all, model_, events, counted);
      tracked().measure(all, times_);
    }
    const auto add = [&](const std::string& name, const std::string& unit, const auto& value) {
      Observable& one = all.emplace_back(Observable{name, unit, {}});
      one.is_diagnostic = name != "events";
      for (const Progress& of : progress_) one.values.push_back(value(of));
    };
    const auto count = [&](const char* name, std::uint64_t Progress::*member) {
      add(name, "", [member](const Progress& of) { return static_cast<double>(of.*member); });
    };
    if constexpr (!ListsChanges<M>) count("events", &Progress::events);
    if (!has_steps()) return all;
    count("accepted_steps", &Progress::accepted);
    count("rejected_steps", &Progress::rejected);
    count("repaired_tiles", &Progress::repaired);
    add("step_size", time_unit(), [this](const Progress& of) { return of.length / ticks_; });
    return all;
  }
  bool steady(const std::string& observable) const override {
    return observable != "events" && rate_of_counter(observable).per == 0;
  }
  RateOfCounter rate_of_counter(const std::string& observable) const override {
    const auto found = counters_.find(observable);
    return found == counters_.end() ? tracked_.rate_of_counter(observable) : found->second;
  }
  std::vector<analysis::FunctionOfMeans> functions_of_averages() const override {
    std::vector<analysis::FunctionOfMeans> all;
    if constexpr (requires { model_.coupling(); })
      all = functions_of_order(model_, "energy", static_cast<double>(box_.sites()));
    tracked_.add_functions(all);
    return all;
  }
  std::vector<Field> fields() override {
    using Shown = std::conditional_t<(M::state_bits > 2), std::uint8_t, std::int8_t>;
    const parallel::Gather<Shown> states = [this](std::size_t first, std::size_t count, std::span<Shown> to) {
      const auto sites = static_cast<std::size_t>(box_.sites());
      for (std::size_t done = 0; done < count;) {
        const std::size_t replica = (first + done) / sites, at = (first + done) % sites;
        const std::vector<std::uint8_t> some =
            states_of(static_cast<int>(replica), at, std::min(count - done, sites - at));
        if (!to.empty())  // at rank 0
          std::ranges::transform(some, to.begin() + static_cast<std::ptrdiff_t>(done),
                                 [](int state) { return static_cast<Shown>(M::shown(state)); });
        done += some.size();
      }
    };
    return {{M::state_name, "", shape(), states}};
  }
  std::vector<History> drain_histories() override { return {}; }

  /// Writes states and ticks of the next events [replicas, nz, ny, nx], and the progress of the replicas.
  void save(io::CheckpointWriter& of_rank_zero) const override {
    parallel::SharedWriter archive(of_rank_zero, ranks_);
    const std::vector<std::size_t> cells = shape_of_all();
    std::vector<std::uint8_t> states;
    std::vector<std::uint32_t> ticks;
    for (int r = 0; r < parameters_.replicas; ++r) {
      const auto some = states_of(r, 0, static_cast<std::size_t>(box_.sites()));
      const auto its = ticks_of(r);
      states.insert(states.end(), some.begin(), some.end());
      ticks.insert(ticks.end(), its.begin(), its.end());
    }
    archive.array("state", states, cells, "");
    archive.array(name_of_ticks(), ticks, cells, has_ticks() ? "ticks" : "");
    each_entry([&](const char* name, const auto& member) {
      std::vector<std::remove_cvref_t<decltype(member(progress_[0]))>> values;
      for (const Progress& one : progress_) values.push_back(member(one));
      archive.array(name, values, {values.size()}, "");
    });
    archive.array("time", times_, {times_.size()}, time_unit());
    std::vector<std::uint64_t> counted;
    for (const Progress& one : progress_) counted.insert(counted.end(), one.counted.begin(), one.counted.end());
    if (!counted.empty()) archive.array("counted_events", counted, shape_of_counted(), "");
    tracked().save(archive);
  }

  /// Continues from what any method has saved, bkl only from its own; with Parameters::redraw, which has other rates,
  /// all waiting times are drawn anew: they have no memory. Throws InputError if a value is impossible.
  void load(const io::CheckpointReader& of_rank_zero) override {
    const parallel::SharedReader archive(of_rank_zero, ranks_);
    const auto sites = static_cast<std::size_t>(box_.sites());
    std::vector<std::uint8_t> states(sites * progress_.size());
    std::vector<std::uint32_t> ticks(states.size());
    archive.array("state", states, shape_of_all());
    archive.array(name_of_ticks(), ticks, shape_of_all());
    each_entry([&](const char* name, const auto& member) {
      std::vector<std::remove_cvref_t<decltype(member(progress_[0]))>> values(progress_.size());
      archive.array(name, values, {values.size()});
      if constexpr (std::is_same_v<decltype(values), std::vector<std::uint64_t>>) check_loaded_counts(name, values);
      for (std::size_t r = 0; r < values.size(); ++r) member(progress_[r]) = values[r];
    });
    archive.array("time", times_, {times_.size()});
    check_each("time", times_, "it must be finite, not negative, and less than 2^62 ticks",
               [&](double time) { return time >= 0 && time * ticks_ < 0x1p62; });
    std::vector<std::uint64_t> counted(progress_.size() * progress_[0].counted.size());
    if (!counted.empty()) archive.array("counted_events", counted, shape_of_counted());
    check_loaded_counts("counted_events", counted);
    absorbed_.clear();
    for (std::size_t r = 0; r < progress_.size(); ++r) {
      Progress& one = progress_[r];
      std::ranges::copy(std::span(counted).subspan(r * one.counted.size(), one.counted.size()), one.counted.begin());
      one.step.front = 0;
      if (!(one.length >= 1 && one.step.begin % epoch == 0 && one.step.now <= epoch))
        refuse_loaded("epoch", "it must be a multiple of 2^31 ticks");
      const auto part = [&](auto& all) { return std::span(all).subspan(r * sites, sites); };
      const auto of_replica = part(states);
      for (std::size_t i = 0; i < sites; ++i)
        if (!is_valid(of_replica[i]))
          refuse_loaded("state", "site " + std::to_string(i) + " must have a state of the model");
      if (parameters_.redraw) set_clock(one, times_[r]);
      if (parameters_.redraw && has_ticks()) draw_ticks(r, of_replica, part(ticks));
      for (std::size_t i = 0; has_ticks() && i < sites; ++i)
        if (part(ticks)[i] < one.step.now)
          refuse_loaded("waiting_time", "site " + std::to_string(i) + " must have a time in the future");
      set(static_cast<int>(r), of_replica, part(ticks));
    }
    tracked_.clear();
    tracked().load(archive);
  }

 protected:
  /// Runs all replicas to this tick, or to their end; false if keep_going() is, in a consistent state.
  virtual bool run(std::uint64_t until, const std::function<bool()>& keep_going) = 0;
  virtual Sums sums_of_replica(int replica) = 0;
  /// Some states and all ticks of the next events in the epoch.
  virtual std::vector<std::uint8_t> states_of(int replica, std::size_t first, std::size_t count) const = 0;
  virtual std::vector<std::uint32_t> ticks_of(int replica) const = 0;
  virtual void set(int replica, std::span<const std::uint8_t> states, std::span<const std::uint32_t> ticks) = 0;
  virtual bool has_steps() const { return false; }
  virtual bool has_ticks() const { return true; }  ///< or, of bkl, the order of the sites instead
  /// Begins at time 0 with these states.
  virtual void begin(int replica, std::span<const std::uint8_t> states) {
    std::vector<std::uint32_t> ticks(states.size());
    draw_ticks(static_cast<std::size_t>(replica), states, ticks);
    set(replica, states, ticks);
  }
  /// To the time of a replica without events.
  virtual void skip(int /*replica*/) {}

  std::uint64_t last_event() const { return stopping_events(parameters_); }
  bool has_ended(const Progress& one) const {
    const auto r = static_cast<std::size_t>(&one - progress_.data());
    return one.events >= last_event() ||
           (r < absorbed_.size() && !std::isinf(absorbed_[r]) && std::isinf(parameters_.until_time));
  }
  static void set_time(Step& step, std::uint64_t tick) {
    step.begin = tick / epoch * epoch;
    step.now = static_cast<std::uint32_t>(tick % epoch);
  }
  /// No event of a replica is possible after this tick.
  void set_absorbed(std::size_t replica, std::uint64_t tick) {
    absorbed_[replica] = static_cast<double>(tick) / ticks_;
  }

  /// Of Parameters::tracked, which begin at the first call.
  TrackedParticles& tracked() const {
    const auto states = [this](std::size_t r) {
      return states_of(static_cast<int>(r), 0, static_cast<std::size_t>(box_.sites()));
    };
    tracked_.begin(states);
    return tracked_;
  }

  parallel::Communicator ranks_;
  Parameters parameters_;
  M model_;
  Box box_;       ///< the whole
  double ticks_;  ///< in a unit of time
  std::vector<Progress> progress_;
  std::map<std::string, typename SimulationInterface::RateOfCounter> counters_;  ///< by name of the observable

 private:
  double first_length() const { return 1e-3 * ticks_ / largest_rate(model_); }  ///< of a step, in ticks
  const char* name_of_ticks() const { return has_ticks() ? "waiting_time" : "order"; }
  /// To a time whose ticks were those of other rates.
  void set_clock(Progress& one, double time) const {
    set_time(one.step, static_cast<std::uint64_t>(std::ceil(time * ticks_)));
    one.length = first_length();
  }
  /// Draws all ticks of a replica at its time.
  void draw_ticks(std::size_t r, std::span<const std::uint8_t> states, std::span<std::uint32_t> ticks) const {
    const Clock<M> clock(model_);
    const std::uint32_t tick = progress_[r].step.now;
    const std::uint64_t now = progress_[r].now();
    const std::uint64_t seed = seed_of(parameters_.seed, static_cast<int>(r));
    std::vector<std::uint64_t> sums;
    if constexpr (ListsChanges<M>) sums.resize(static_cast<std::size_t>(model_.kept_sums()));
    for (std::uint32_t site = 0; site < states.size(); ++site) {
      const double mean =
          clock.mean(model_, states[site], Around<M, std::span<const std::uint8_t>>(states, box_, site), sums.data());
      const std::uint64_t random = now == 0 ? random_of(seed, site, 0) : random_of_far(seed, site, now);
      ticks[site] = mean < 0 ? far : next_tick(tick, random, mean);
    }
  }
  /// Replicas of particles that no event can move, since all sites are in the same state.
  void find_frozen() {
    absorbed_.assign(progress_.size(), std::numeric_limits<double>::infinity());
    for (std::size_t r = 0; M::moves && r < progress_.size(); ++r)
      if (std::ranges::count(sums_of_replica(static_cast<int>(r)).sites, box_.sites()) > 0) absorbed_[r] = 0;
  }
  bool is_valid(std::uint8_t state) const {
    if constexpr (ListsChanges<M>)
      return model_.valid(state);
    else
      return state < model_.states();
  }
  std::vector<std::size_t> shape_of_counted() const { return {progress_.size(), progress_[0].counted.size()}; }
  std::vector<std::size_t> shape() const {
    return {static_cast<std::size_t>(box_.sides[2]), static_cast<std::size_t>(box_.sides[1]),
            static_cast<std::size_t>(box_.sides[0])};
  }
  std::vector<std::size_t> shape_of_all() const {
    std::vector<std::size_t> all = shape();
    all.insert(all.begin(), progress_.size());
    return all;
  }
  /// Calls each(name, member) for the entries of Progress.
  template <class Each>
  static void each_entry(const Each& each) {
    each(
        "epoch", [](auto& one) -> auto& { return one.step.begin; });
    each(
        "tick", [](auto& one) -> auto& { return one.step.now; });
    each(
        "events", [](auto& one) -> auto& { return one.events; });
    if constexpr (ListsChanges<M>)
      each(
          "last_event", [](auto& one) -> auto& { return one.last_event; });
    each(
        "step", [](auto& one) -> auto& { return one.length; });
    each(
        "accepted", [](auto& one) -> auto& { return one.accepted; });
    each(
        "rejected", [](auto& one) -> auto& { return one.rejected; });
    each(
        "repaired", [](auto& one) -> auto& { return one.repaired; });
  }

  mutable TrackedParticles tracked_;
  std::vector<double> times_;     ///< of the replicas
  std::vector<double> absorbed_;  ///< time of the last event if no other one is possible, or infinity; empty: not known
};

}  // namespace tessera::kmc::space
