// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <tessera/core/observable.hpp>
#include <tessera/io/checkpoint.hpp>
#include <tessera/kmc/any_simulation.hpp>
#include <tessera/kmc/model.hpp>
#include <tessera/kmc/observables/observables.hpp>
#include <tessera/kmc/observables/tracked_particles.hpp>
#include <tessera/kmc/observables/waves.hpp>
#include <tessera/kmc/parameters.hpp>
#include <tessera/kmc/state/clock.hpp>
#include <tessera/kmc/state/host_lattice.hpp>
#include <tessera/kmc/state/loaded.hpp>
#include <tessera/kmc/state/waiting_times.hpp>
#include <tessera/kmc/steps/saved_steps.hpp>
#include <type_traits>
#include <vector>

namespace tessera::kmc {

/// Common part of the systems of the sequential methods.
template <Model M>
struct ReplicaState {
  /// At time 0, in the states of the model or in those given, [ny][nx]. `cells`: see RateWindow.
  ReplicaState(const Parameters& p, const M& model, double cells, std::uint64_t seed,
               std::span<const typename M::State> states)
      : window(model, cells), counted(static_cast<std::size_t>(groups_of(model))), lattice(p.nx, p.ny) {
    for (std::uint32_t c = 0; c < lattice.states().size(); ++c) {
      watch(p, c);
      lattice.states()[c] = states.empty() ? start_state(model, seed, c, p.nx, p.ny) : states[c];
    }
    lattice.sum_up(model);
  }

  /// Draws the outcome of an event at the present time, and counts it unless it is rejected.
  OutcomeOf<M> draw(const typename HostLattice<M>::Cell& cell, Stream& stream) {
    const OutcomeOf<M> event =
        draw_event(window.model, lattice.neighbourhood(cell), stream, [&] { return origin.total(time); });
    if (is_rejected(window.model, event)) return event;
    ++events;
    last_event = time;
    if constexpr (counts_events<M>)
      if (event.group >= 0) ++counted[static_cast<std::size_t>(event.group)];
    return event;
  }

  double time = 0, last_event = 0;     ///< times, relative to `origin`
  Origin origin;                       ///< of times
  RateWindow<M> window;                ///< current rates
  std::uint64_t events = 0;            ///< since time 0
  std::vector<std::uint64_t> counted;  ///< events of each group
  HostLattice<M> lattice;              ///< current states
};

/// Common part of the sequential methods, which run the replicas one after the other on the host.
///
/// `Replica` is one system, a ReplicaState constructed from (Parameters, Model, seed) and, optionally, the initial
/// states of all cells, with
///     double next_event() const;       time of the next event; infinite if there is none
///     void perform_event();            performs it, and sets the time to its time
///     void cross(passage, before);     changes all waiting times to the rates of `window`, from those of the model
///                                      `before`
template <class Replica, Model M>
class Sequential : public AnySimulation<M> {
 public:
  using State = typename M::State;  ///< of a cell

  /// Starts all replicas at time 0, replica r with the seed `parameters.seed + r`. The parameters must be valid.
  Sequential(const Parameters& parameters, const M& model)
      : parameters_(parameters),
        model_(model),
        stopping_events_(stopping_events(parameters)),
        lines_(parameters.replicas, parameters.nx, parameters.ny),
        tracked_(parameters, time_unit_of(model)) {
    const auto replicas = static_cast<std::size_t>(parameters.replicas);
    replicas_.reserve(replicas);
    for (std::size_t r = 0; r < replicas; ++r) replicas_.emplace_back(parameters, model_, parameters.seed + r);
  }

  void start_from(const std::function<std::vector<State>()>& read) override {
    const std::vector<State> states = read();
    const std::size_t sites = states.size() / replicas_.size();
    for (std::size_t r = 0; r < replicas_.size(); ++r)
      replicas_[r] = Replica(parameters_, model_, parameters_.seed + r, std::span(states).subspan(r * sites, sites));
    tracked_.clear();
  }

  /// Performs all events before time `until`, and sets the time to `until`. A replica that reaches its number of
  /// events, or without a stopping time has no further event, ends at the time of its last event. Calls
  /// keep_going() every 1e3 events and returns false if it does; a later call continues exactly.
  bool advance(
      double until, const std::function<bool()>& keep_going = [] { return true; }) override {
    std::uint64_t performed = 0;
    for (std::size_t r = 0; r < replicas_.size(); ++r) replicas_[r].lattice.track(tracked().of(r));
    for (Replica& replica : replicas_) {
      while (replica.events < stopping_events_) {
        const double stop = replica.origin.relative(until), end = replica.origin.relative(replica.window.end);
        const double first = std::min({stop, end, replica.window.epoch});
        while (replica.events < stopping_events_ && replica.next_event() < first) {
          replica.perform_event();
          if (++performed % 1000 == 0 && !keep_going()) return false;
        }
        if (replica.events >= stopping_events_ || std::min(replica.next_event(), end) >= stop) break;
        if (std::isinf(until) && is_absorbed(replica)) break;
        const bool ends_window = replica.next_event() >= end;
        cross_boundary(replica, ends_window);
        if (ends_window && !keep_going()) return false;
      }
      const bool ends =
          replica.events >= stopping_events_ || (is_absorbed(replica) && ends_without_events(parameters_));
      if (!ends && until < std::numeric_limits<double>::infinity())
        replica.time = std::max(replica.time, replica.origin.relative(until));
    }
    return true;
  }

  std::vector<bool> ended() const override {
    return of_each([&](const Replica& replica) {
      return replica.events >= stopping_events_ || (std::isinf(parameters_.until_time) && is_absorbed(replica));
    });
  }

  std::vector<double> times() const override {
    return of_each([](const Replica& replica) { return replica.origin.total(replica.time); });
  }

  std::vector<double> absorbed() const override {
    return of_each([](const Replica& replica) {
      return is_absorbed(replica) ? replica.origin.total(replica.last_event) : std::numeric_limits<double>::infinity();
    });
  }

  std::vector<std::uint64_t> events() const override { return of_each(&Replica::events); }

  /// Observables of the model, `events`, and the numbers of events that the model counts.
  std::vector<Observable> measure() override {
    const auto first = lattices();
    const HostLattices<M> states{first.data(), parameters_.nx};
    const Kokkos::DefaultHostExecutionSpace space;
    std::vector<Observable> observables =
        kmc::measure(space, model_, states, parameters_.nx, parameters_.ny, parameters_.replicas);
    measure_events(observables, model_, events(), counted());
    measure_waves(space, model_, states, parameters_.nx, lines_, parameters_.structure_factor, observables);
    tracked().measure(observables, times());
    return observables;
  }
  bool steady(const std::string& observable) const override {
    return AnySimulation<M>::steady(observable) && tracked_.rate_of_counter(observable).per == 0;
  }
  SimulationInterface::RateOfCounter rate_of_counter(const std::string& observable) const override {
    const SimulationInterface::RateOfCounter rate = tracked_.rate_of_counter(observable);
    return rate.per > 0 ? rate : AnySimulation<M>::rate_of_counter(observable);
  }
  std::vector<analysis::FunctionOfMeans> functions_of_averages() const override {
    std::vector<analysis::FunctionOfMeans> all = AnySimulation<M>::functions_of_averages();
    tracked_.add_functions(all);
    return all;
  }

  std::vector<std::vector<ClusterSizes>> cluster_sizes() const override {
    return all_cluster_sizes(Kokkos::DefaultHostExecutionSpace(), model_,
                             HostLattices<M>{lattices().data(), parameters_.nx}, parameters_.nx, parameters_.ny,
                             parameters_.replicas);
  }

  /// Empty: a sequential method has no steps.
  History drain_history() override { return {}; }

  std::vector<State> states() const override {
    return of_cells<State>([](const Replica& replica, std::uint32_t c) { return replica.lattice.states()[c]; });
  }
  void read_states(std::size_t first, std::size_t count, std::span<State> to) const override {
    const std::size_t cells = replicas_.front().lattice.states().size();
    for (std::size_t i = 0; i < count; ++i)
      to[i] = replicas_[(first + i) / cells].lattice.states()[(first + i) % cells];
  }

  const Parameters& parameters() const override { return parameters_; }
  const M& model() const override { return model_; }

 protected:
  /// [replicas, ny, nx], of entries of a checkpoint.
  std::vector<std::size_t> lattice_shape() const {
    return {replicas_.size(), static_cast<std::size_t>(parameters_.ny), static_cast<std::size_t>(parameters_.nx)};
  }

  /// cell(replica, c) for all cells of all replicas, [replicas][ny][nx].
  template <class T, class Cell>
  std::vector<T> of_cells(const Cell& cell) const {
    std::vector<T> all;
    all.reserve(replicas_.size() * replicas_.front().lattice.states().size());
    for (const Replica& replica : replicas_)
      for (std::uint32_t c = 0; c < replica.lattice.states().size(); ++c) all.push_back(cell(replica, c));
    return all;
  }

  /// Reads an entry of this shape.
  template <class T>
  std::vector<T> load_cells(const io::CheckpointReader& archive, const char* name) const {
    std::vector<T> all(replicas_.size() * replicas_.front().lattice.states().size());
    archive.array(name, all, lattice_shape());
    return all;
  }
  /// The part of a replica of a vector [replicas][cells].
  template <class T>
  std::span<const T> of_replica(const std::vector<T>& all, std::size_t r) const {
    const std::size_t cells = all.size() / replicas_.size();
    return std::span<const T>(all).subspan(r * cells, cells);
  }

  /// Writes states, times and numbers of events, and tracked particles.
  void save_common(io::CheckpointWriter& archive) const {
    archive.array("state", states(), lattice_shape(), "");
    save_progress<M>(archive, model_,
                     {.times = of_each(&Replica::time),
                      .origins = of_each(&Replica::origin),
                      .events = events(),
                      .counted = counted()},
                     absorbed());
    tracked().save(archive);
  }

  /// Continues from what save_common() writes, except for waiting times and streams.
  void load_common(const io::CheckpointReader& archive) {
    const RateWindow<M> first(model_, replicas_.front().window.cells_of_time);  // the rates at time 0
    Trajectory<M> read = load_progress(archive, first, replicas_.size(), counted().size(), parameters_.redraw);
    read.states = load_cells<State>(archive, "state");
    for (std::size_t c = 0; c < read.states.size(); ++c)
      if (!valid_state(model_, read.states[c])) refuse_cell(CellFault::state, static_cast<std::int64_t>(c));
    for (std::size_t r = 0; r < replicas_.size(); ++r) {
      Replica& replica = replicas_[r];
      std::ranges::copy(of_replica(read.states, r), replica.lattice.states().begin());
      replica.lattice.sum_up(model_);
      replica.origin = read.origins[r];
      if (replica.window.number != replica.origin.window) replica.window = replica.window.at(replica.origin.window);
      replica.time = read.times[r];
      replica.last_event = read.last_events[r];
      replica.events = read.events[r];
      std::ranges::copy(of_replica(read.counted, r), replica.counted.begin());
    }
    tracked_.clear();
    tracked().load(archive);
  }

  /// A member of each replica, or value(replica).
  template <class Value>
  auto of_each(const Value& value) const {
    std::vector<std::remove_cvref_t<std::invoke_result_t<const Value&, const Replica&>>> values;
    for (const Replica& replica : replicas_) values.push_back(std::invoke(value, replica));
    return values;
  }

  /// Events of each group, [replicas][groups].
  std::vector<std::uint64_t> counted() const {
    std::vector<std::uint64_t> all;
    for (const Replica& replica : replicas_) all.insert(all.end(), replica.counted.begin(), replica.counted.end());
    return all;
  }

  Parameters parameters_;                              ///< as given
  M model_;                                            ///< with the rates at time 0
  std::uint64_t stopping_events_;                      ///< of a replica: stopping_events()
  std::vector<Replica> replicas_;                      ///< each with its state
  LineSums<Kokkos::DefaultHostExecutionSpace> lines_;  ///< of measurements

 private:
  /// Of Parameters::tracked, which begin at the first call.
  TrackedParticles& tracked() const {
    tracked_.begin([this](std::size_t r) -> const auto& { return replicas_[r].lattice.states(); });
    return tracked_;
  }
  /// First states of the replicas.
  std::vector<const State*> lattices() const {
    return of_each([](const Replica& replica) { return replica.lattice.states().data(); });
  }
  static bool is_absorbed(const Replica& replica) {
    return std::isinf(replica.next_event()) && replica.window.is_complete;
  }

  /// To the end of the window, or to the epoch of the next event.
  static void cross_boundary(Replica& replica, bool ends_window) {
    Passage passage;
    const bool absorbed = is_absorbed(replica);
    const double last = replica.origin.total(replica.last_event);
    if (ends_window) {
      const RateWindow<M> before = replica.window;
      replica.window = before.at(before.number + 1);
      passage = replica.origin.enter_window(before, replica.window);
      replica.cross(passage, before.model);
    } else {
      passage = replica.origin.enter_epoch_of(replica.next_event(), replica.window.epoch);
      replica.cross(passage, replica.window.model);
    }
    replica.time = passage.to;
    replica.last_event = absorbed ? replica.origin.relative(last) : passage.to;
  }

  mutable TrackedParticles tracked_;
};

}  // namespace tessera::kmc
