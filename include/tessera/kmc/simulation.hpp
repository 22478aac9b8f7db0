// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/core/host_array.hpp>
#include <tessera/core/observable.hpp>
#include <tessera/kmc/any_simulation.hpp>
#include <tessera/kmc/observables/observables.hpp>
#include <tessera/kmc/observables/waves.hpp>
#include <tessera/kmc/parameters.hpp>
#include <tessera/kmc/state/clock.hpp>
#include <tessera/kmc/state/host_lattice.hpp>
#include <tessera/kmc/state/initial_state.hpp>
#include <tessera/kmc/state/loaded.hpp>
#include <tessera/kmc/state/subdomains.hpp>
#include <tessera/kmc/steps/batch.hpp>
#include <tessera/kmc/steps/clocks.hpp>
#include <tessera/kmc/steps/last_events.hpp>
#include <tessera/kmc/steps/saved_steps.hpp>
#include <tessera/kmc/steps/tile_steps.hpp>
#include <tessera/parallel/shared_checkpoint.hpp>
#include <utility>
#include <vector>

namespace tessera::kmc {

/// Exact kinetic Monte Carlo by tiles: algorithms 1 and 2 of Darkins, Duffy and Ford, "Exact kinetic Monte Carlo in two
/// dimensions on a GPU" (2024), with a sufficient consistency check and repair of inconsistent tiles.
///
/// The trajectory is that of the sequential waiting-time method (WaitingTimeSimulation), to the last bit, for any tile,
/// halo, step control and execution space. All replicas advance in the same launches, with their own times and step
/// sizes.
///
/// The lattice is divided among the ranks of a communicator; their number affects only step sizes and repairs. All
/// ranks construct a simulation with the same parameters and call the same functions in the same order, including const
/// ones. Observables, times and events are those of the whole lattice, equal at all ranks. Arrays of the size of the
/// lattice are gathered at rank 0: save() and load() use only its archive, and states() is empty at other ranks.
template <class ExecutionSpace, Model M>
class Simulation : public AnyTileMethod<M> {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;    ///< of the state
  using StateType = typename M::State;                          ///< of a cell
  using Steps = TileSteps<ExecutionSpace, M>;                   ///< the steps of all replicas
  static constexpr int lanes = lanes_per_tile<ExecutionSpace>;  ///< of a team: 1 on CPUs

  /// Starts in the initial state of the model at time 0. `grid`: shape of the grid of ranks, by default with the
  /// shortest borders. Throws InputError if the parameters are invalid, or the lattice cannot be divided among the
  /// ranks.
  Simulation(const ExecutionSpace& space, const Parameters& parameters, const M& model,
             const parallel::Communicator& ranks = {}, const std::optional<parallel::GridShape>& grid = {})
      : space_(space),
        parameters_(checked(with_cores(parameters, space, ranks), lanes, reach_of(model), needs_even_sides<M>())),
        sizes_(kmc::tile_sizes(parameters_, lanes, reach_of(model))),
        distribution_(distribute(parameters, sizes_, ranks, grid)),
        state_(block_of(parameters, sizes_, distribution_), model),
        fields_(space, distribution_, layout_of_cells(state_.geometry)),
        lines_(parameters.replicas, static_cast<int>(layout_of_cells(state_.geometry).columns),
               static_cast<int>(layout_of_cells(state_.geometry).rows), distribution_),
        model_(model),
        clocks_(model, parameters.replicas),
        steps_(space, state_, model, sizes_,
               StepRules(parameters, sizes_, state_.geometry.whole_tiles(), stopping_events(parameters)),
               parameters.repair_rounds,
               distribution_.is_serial()
                   ? nullptr
                   : std::make_shared<typename Steps::Borders>(space, ranks, distribution_.grid, parameters.replicas,
                                                               groups_of(model))) {
    in_pieces([&](const CellRange& cells) {
      seed_cells(space_, state_, parameters_.seed, cells);
      start_states(space_, state_, model_, parameters_.seed, cells);
    });
    begin();
  }

  /// Collective. Restarts at time 0 with the states that read() returns at rank 0, [replicas, ny, nx], all valid in the
  /// model. Exceptions of read() are thrown at all ranks.
  void start_from(const std::function<std::vector<StateType>()>& read) override {
    std::vector<StateType> states;
    parallel::at_rank_zero(distribution_.ranks, [&] { states = read(); });
    in_pieces([&](const CellRange& cells) { seed_cells(space_, state_, parameters_.seed, cells); });
    fields_.write(states, state_.states);
    if (!distribution_.is_serial()) steps_.fill_ghosts();
    begin();
  }

  /// Runs all replicas to time `until`, or to their number of events. Calls `keep_going` between batches of steps, at
  /// all ranks; returns false if it does at any rank, and a later call continues from there. Throws RunError if no step
  /// of a replica separates its events.
  bool advance(
      double until, const std::function<bool()>& keep_going = [] { return true; }) override {
    throw_if_stuck();
    while (aim(until) || any_active()) {
      if (!distribution_.ranks.all(keep_going())) return false;
      if (!any_active()) continue;
      const int count = distribution_.ranks.broadcast(batch_.size(now_));
      const std::vector<StepState> before = now_;
      const auto begin = std::chrono::steady_clock::now();
      // The order of records does not depend on the time.
      steps_.run(count, !parameters_.record_steps && !batch_.is_last());
      find_last_events();
      batch_.record(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), before, now_);
      steps_.set_events_per_site(events_of_a_step(before, now_) /
                                 (static_cast<double>(parameters_.nx) * parameters_.ny));
      if (parameters_.record_steps)
        add_steps(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), steps_.records), count, absorbed(),
                  clocks_.origins, history_);
      throw_if_stuck();
    }
    return true;
  }

  /// Takes replicas at the end of an epoch or a window across it, unless they stop at time `until`. Sets the ends of
  /// the next steps, and the times of replicas without events. Returns whether any time has changed.
  bool aim(double until) {
    bool moves = clocks_.cross(steps_, distribution_, now_, until);
    if (moves) {
      copy_steps_to_device();
      find_last_events();
    }
    for (std::size_t r = 0; r < now_.size(); ++r) {
      const double time = now_[r].time;
      now_[r].stop = clocks_.stop(r, now_[r], until);
      steps_.rules_.aim(now_[r]);
      moves |= now_[r].time != time;
    }
    copy_steps_to_device();
    return moves;
  }

  std::vector<bool> ended() const override {
    return of_each([](const StepState& s, const Origin&) { return s.finished != 0; });
  }
  std::vector<double> times() const override {
    return of_each([](const StepState& s, const Origin& origin) { return origin.total(s.time); });
  }
  std::vector<std::uint64_t> events() const override {
    return of_each([](const StepState& s, const Origin&) { return s.events; });
  }
  std::vector<double> absorbed() const override {
    return of_each([&](const StepState& s, const Origin& origin) {
      return s.absorbed != 0 && clocks_.is_complete(origin) ? origin.total(s.last_event) : StepRules::never;
    });
  }
  const std::vector<StepState>& step_states() const override { return now_; }
  const Parameters& parameters() const override { return parameters_; }
  const M& model() const override { return model_; }
  const TileSizes& tile_sizes() const override { return sizes_; }
  Steps& steps() { return steps_; }  ///< for benchmarks and tests
  void set_first_order(EventOrder order) override { steps_.set_first_order(order); }
  void check_only(unsigned side_mask) override { steps_.check_only(side_mask); }

  /// Observables of the model, numbers of events, and step control; one value per replica.
  std::vector<Observable> measure() override {
    const Geometry& g = state_.geometry;
    const PresentStates<MemorySpace, M> states{state_};
    const int nx = g.nx - 2 * g.ghost_x * g.tile, ny = g.ny - 2 * g.ghost_y * g.tile;
    if (g.is_block()) steps_.fill_ghosts();
    std::vector<Observable> result = kmc::measure(
        space_, model_, states, nx, ny, g.replicas,
        OverRanks{distribution_.ranks, g.ghost_x > 0, g.ghost_y > 0, std::int64_t{g.whole_nx} * g.whole_ny});
    if constexpr (has_clusters<M>)
      if (!distribution_.is_serial()) {
        std::vector<std::uint64_t> counts = counts_of_clusters(model_, cluster_sizes());
        counts.resize(model_.clusters().size() * static_cast<std::size_t>(g.replicas));
        distribution_.ranks.sum(std::span(counts));
        measure_clusters(result, model_, counts, std::int64_t{g.whole_nx} * g.whole_ny);
      }
    measure_events(result, model_, events(), counted());
    const auto add = [&](const char* name, const char* unit, auto member) {
      result.push_back(
          {name, unit, of_each([&](const StepState& s, const Origin&) { return static_cast<double>(s.*member); })});
      result.back().is_diagnostic = true;
    };
    add("accepted_steps", "", &StepState::accepted);
    add("rejected_steps", "", &StepState::rejected);
    add("repaired_tiles", "", &StepState::repaired);
    add("step_size", time_unit_of(model_), &StepState::step);
    measure_waves(space_, model_, states, nx, lines_, parameters_.structure_factor, result);
    return result;
  }

  std::vector<std::vector<ClusterSizes>> cluster_sizes() const override {
    const Geometry& g = state_.geometry;
    if (distribution_.is_serial())
      return all_cluster_sizes(space_, model_, PresentStates<MemorySpace, M>{state_}, g.nx, g.ny, g.replicas);
    const std::vector<StateType> all = states();
    std::vector<const StateType*> first;
    const std::size_t cells = all.size() / static_cast<std::size_t>(g.replicas);
    for (std::size_t r = 0; cells > 0 && r < static_cast<std::size_t>(g.replicas); ++r)
      first.push_back(all.data() + r * cells);
    return all_cluster_sizes(Kokkos::DefaultHostExecutionSpace(), model_, HostLattices<M>{first.data(), g.whole_nx},
                             g.whole_nx, g.whole_ny, static_cast<int>(first.size()));
  }

  /// Steps since the last call, with Parameters::record_steps: start, length, repaired fraction, events, acceptance.
  History drain_history() override { return std::exchange(history_, history_of_steps(time_unit_of(model_))); }

  std::vector<StateType> states() const override { return fields_.gather(state_.states); }
  void read_states(std::size_t first, std::size_t count, std::span<StateType> to) const override {
    fields_.read(state_.states, first, count, to);
  }
  std::vector<double> waiting_times() const override { return fields_.gather(state_.times); }
  std::vector<std::uint64_t> streams() const override { return fields_.gather(state_.streams); }

  void save(io::CheckpointWriter& archive) const override {
    parallel::SharedWriter shared(archive, distribution_.ranks);
    fields_.save(archive, "state", state_.states);
    fields_.save(archive, "waiting_time", state_.times, time_unit_of(model_));
    fields_.save(archive, "stream", state_.streams);
    const auto time = [](const StepState& s, const Origin&) { return s.time; };
    save_progress<M>(shared, model_,
                     {.times = of_each(time), .origins = clocks_.origins, .events = events(), .counted = counted()},
                     absorbed());
    save_steps(shared, now_, time_unit_of(model_), stopping_events(parameters_));
  }

  /// Continues from a checkpoint of this or the sequential waiting-time method with the same sizes and seeds. Draws all
  /// waiting times anew if Parameters::redraw: they have no memory. Throws InputError if a value is impossible.
  void load(const io::CheckpointReader& archive) override {
    const std::uint64_t last_event = stopping_events(parameters_);
    const parallel::SharedReader shared(archive, distribution_.ranks);
    const Trajectory<M> read =
        load_progress(shared, RateWindow<M>(model_), now_.size(), counted().size(), parameters_.redraw);
    for (std::size_t r = 0; r < now_.size(); ++r)
      // The type is named: nvcc takes the designators of a list that is assigned for an order.
      now_[r] = StepState{.time = read.times[r], .last_event = read.last_events[r], .events = read.events[r]};
    clocks_.origins = read.origins;
    const bool stepped = load_steps(shared, now_, last_event);
    if (parameters_.redraw)
      for (StepState& s : now_) {  // these depend on the rates
        s.overshot = 0;
        s.ceiling = StepState{}.ceiling;
      }
    copy_and_wait(space_, counted_on_device(), host_array(read.counted));
    fields_.load(archive, "state", state_.states);
    fields_.load(archive, "waiting_time", state_.times);
    fields_.load(archive, "stream", state_.streams);
    Kokkos::deep_copy(space_, state_.same, 0);
    if (!distribution_.is_serial()) steps_.fill_ghosts();
    set_sums(space_, state_, model_);
    clocks_.in_each_window(steps_, now_, [&] {
      using Cells = LoadedCells<State<MemorySpace, M>, M, decltype(steps_.steps)>;
      check_cells(space_, Cells{state_, clocks_.window.model, steps_.steps, parameters_.redraw},
                  state_.geometry.replicas * state_.geometry.sites(), distribution_.ranks);
    });
    if (parameters_.redraw) draw_times();
    if (parameters_.redraw || !stepped) guess_steps(steps_, distribution_, now_);
    for (StepState& s : now_) s.finished = s.events >= last_event;
    copy_steps_to_device();
    find_last_events();
  }

 private:
  static Parameters with_cores(Parameters p, const ExecutionSpace& space, const parallel::Communicator& ranks) {
    if (p.cores == 0) p.cores = p.record_steps || ranks.size() > 1 ? Parameters::any_cores : space.concurrency();
    return p;
  }
  template <class Value>
  auto of_each(const Value& value) const {
    std::vector<decltype(value(now_[0], clocks_.origins[0]))> values;
    for (std::size_t r = 0; r < now_.size(); ++r) values.push_back(value(now_[r], clocks_.origins[r]));
    return values;
  }
  bool any_active() const {
    return std::any_of(now_.begin(), now_.end(), [](const StepState& s) { return s.active != 0; });
  }

  void find_last_events() {
    const auto ends = [&](std::size_t r) {
      return std::isinf(parameters_.until_time) && clocks_.is_complete(clocks_.origins[r]);
    };
    kmc::find_last_events(steps_, distribution_, ends, now_);
  }

  void throw_if_stuck() const {
    for (std::size_t r = 0; r < now_.size(); ++r)
      if (now_[r].stuck)
        throw RunError("replica " + std::to_string(r) + ": so many cells have their next event at the same time, to " +
                       "the last digit, that no tile has all of them; use --method waiting-time");
  }

  /// Events of each group in accepted steps, [replicas][groups].
  auto counted_on_device() const {
    return Kokkos::View<std::uint64_t*, MemorySpace>(steps_.counted.data(), steps_.counted.span());
  }
  std::vector<std::uint64_t> counted() const { return to_host(space_, counted_on_device()); }

  /// Copies the step states to the device.
  void copy_steps_to_device() {
    copy_and_wait(space_, steps_.steps, host_array(now_));
    if constexpr (RejectsEvents<M>)
      if (clocks_.window.model.rejects()) {
        auto origins = of_each([](const StepState&, const Origin& origin) { return origin.time; });
        copy_and_wait(space_, state_.origins, host_array(origins));
      }
  }

  /// Starts at time 0, from seeded streams and states.
  void begin() {
    now_.assign(static_cast<std::size_t>(parameters_.replicas), StepState{});
    clocks_.origins.assign(now_.size(), Origin{});
    draw_times(true);
    guess_steps(steps_, distribution_, now_);
    copy_steps_to_device();
    find_last_events();
  }

  /// Collective. Calls act(range) for pieces of all cells, and Parameters::keep_going between them.
  template <class Act>
  void in_pieces(const Act& act) {
    const parallel::Communicator& ranks = distribution_.ranks;
    const std::int64_t end = ranks.max(state_.geometry.replicas * state_.geometry.sites());
    for (std::int64_t first = 0; first < end; first += cells_at_once) {
      const bool is_asked = first > 0 && ranks.rank() == 0 && parameters_.keep_going;
      if (first > 0 && ranks.broadcast(is_asked && !parameters_.keep_going())) throw Interrupted();
      act(CellRange{first, first + cells_at_once});
    }
  }

  /// Draws all waiting times at the present times of the replicas.
  void draw_times(bool at_start = false) {
    clocks_.in_each_window(steps_, now_, [&] {
      const auto draw = [&](const CellRange& cells) {
        start_times(space_, state_, clocks_.window.model, TimesOf<decltype(steps_.steps)>{steps_.steps}, cells);
      };
      at_start ? in_pieces(draw) : draw(CellRange());
    });
    if (!distribution_.is_serial()) steps_.fill_ghosts();
  }

  ExecutionSpace space_;
  Parameters parameters_;
  TileSizes sizes_;
  parallel::Distribution distribution_;
  State<MemorySpace, M> state_;
  parallel::ArrayTransfer<ExecutionSpace> fields_;
  LineSums<ExecutionSpace> lines_;  ///< of measurements
  M model_;                         ///< of window 0
  Clocks<ExecutionSpace, M> clocks_;
  Steps steps_;
  std::vector<StepState> now_;
  Batch batch_;
  History history_ = history_of_steps(time_unit_of(model_));
};

}  // namespace tessera::kmc
