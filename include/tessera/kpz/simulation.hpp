// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <tessera/core/host_array.hpp>
#include <tessera/core/observable.hpp>
#include <tessera/kpz/any_simulation.hpp>
#include <tessera/kpz/observables/consistency.hpp>
#include <tessera/kpz/observables/heights.hpp>
#include <tessera/kpz/observables/loaded.hpp>
#include <tessera/kpz/observables/observer.hpp>
#include <tessera/kpz/state/subdomains.hpp>
#include <tessera/kpz/steps/device_layer.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/rank_grid.hpp>
#include <tessera/parallel/shared_checkpoint.hpp>
#include <vector>

namespace tessera::kpz {

/// The octahedron model by domain decomposition in two layers (Kelling, Odor and Gemming, "Suppressing correlations in
/// massively parallel simulations of lattice models"), all replicas in the same launches.
///
/// Parameters and seed determine the trajectory bit for bit, on any execution space and any number of threads. Replica
/// r equals the single run with seed + r. Time advances by whole asynchronous intervals: one Monte Carlo step with
/// double tiling, less with dead borders (equation 9).
///
/// The lattice is decomposed among the ranks of a communicator; their number does not change the results. All ranks
/// construct a simulation with the same parameters and call the same functions in the same order. Observables are those
/// of the whole lattice, equal at all ranks. Arrays of the size of the lattice go to rank 0 in parts: save() and load()
/// use the archive of rank 0 only, and words() and heights() are empty at the other ranks.
template <class ExecutionSpace, class Probe = NoProbe>
class Simulation : public AnySimulation {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;

  /// Starts from a flat surface at time 0. The lattice is decomposed among `ranks` on a grid of the given shape, or on
  /// the grid with the shortest borders. Throws InputError if the parameters are invalid, or the lattice cannot be
  /// divided among the ranks.
  Simulation(const ExecutionSpace& space, const Parameters& parameters, Probe probe = {},
             const parallel::Communicator& ranks = {}, const std::optional<parallel::GridShape>& grid = {})
      : space_(space),
        parameters_(checked(parameters)),
        distribution_(distribute(parameters, ranks, grid)),
        decomposition_(lattice_of(parameters), parameters),
        state_(state_of_block()),
        device_layer_(space, state_, parameters, probe, distribution_),
        observer_(space, state_.lattice, parameters.waiting_times, distribution_),
        time_an_interval_(decomposition_.attempts_an_interval() / static_cast<double>(lattice_of(parameters).sites())) {
    flatten(space_, state_.lattice, state_.words);
    seed_streams();
    observer_.keep(0, state_.words);
    space_.fence("tessera::kpz::start");
  }

  /// Runs all replicas to the first end of an interval at or after time `until`. Calls `keep_going` between batches of
  /// intervals, at all ranks; returns false if it does at any rank, and a later call continues from there.
  bool advance(
      double until, const std::function<bool()>& keep_going = [] { return true; }) override {
    double seconds_an_interval = 0;
    while (time() < until) {
      if (!distribution_.ranks.all(keep_going())) return false;
      const int count = distribution_.ranks.broadcast(
          batch_size(std::min(until, observer_.next_waiting_time()), seconds_an_interval));
      const auto begin = std::chrono::steady_clock::now();
      for (int i = 0; i < count; ++i) device_layer_.interval(intervals_++);
      device_layer_.shifted().align_to_blocks(state_.words);
      observer_.keep(time(), state_.words);
      space_.fence("tessera::kpz::advance");
      seconds_an_interval = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / count;
    }
    return true;
  }

  /// Time in Monte Carlo steps: attempts on sites outside dead borders, divided by the number of sites.
  double time() const override { return static_cast<double>(intervals_) * time_an_interval_; }
  /// Attempts of all replicas, dead borders included.
  double attempts() const override {
    return static_cast<double>(intervals_) * decomposition_.all_attempts_an_interval() * parameters_.replicas;
  }
  const Parameters& parameters() const override { return parameters_; }
  const Decomposition& decomposition() const { return decomposition_; }
  /// The grid of ranks.
  const parallel::GridShape& rank_grid() const { return distribution_.grid.shape(); }
  /// State of this rank's block of the lattice.
  const State<MemorySpace>& state() const { return state_; }
  const ExecutionSpace& space() const { return space_; }
  std::size_t bytes() const override { return state_.bytes() + device_layer_.shifted().bytes() + observer_.bytes(); }

  /// Observables of docs/kpz.md: those of analysis::height_observables(); velocity and acceptance since the previous
  /// measurement; height_autocorrelation_S and slope_autocorrelation_S for each waiting time S that has been reached.
  /// Throws RunError if a height differs by more than `largest_difference` from that of site (0, ny - 1).
  std::vector<Observable> measure() override { return observer_.measure(time(), state_.words, accepted()); }
  std::vector<QuantityChange> drain_changes() override { return observer_.drain_changes(); }

  std::uint64_t inconsistencies() const override {
    return count_inconsistencies(space_, state_.lattice, state_.words, distribution_);
  }

  std::vector<std::uint32_t> words() const override {
    return transfer_of_words(space_, state_.lattice, distribution_).gather(state_.words);
  }

  std::vector<std::int32_t> heights() const override {
    const std::size_t count = static_cast<std::size_t>(parameters_.nx) * static_cast<std::size_t>(parameters_.ny) *
                              static_cast<std::size_t>(parameters_.replicas);
    std::vector<std::int32_t> all(distribution_.ranks.rank() == 0 ? count : 0);
    height_parts()(0, count, all);
    return all;
  }
  parallel::Gather<std::int32_t> height_parts() const override {
    return shared_heights(space_, state_.lattice, state_.words, accepted(), distribution_);
  }

  void save(io::CheckpointWriter& archive) const override {
    const auto replicas = static_cast<std::size_t>(parameters_.replicas);
    parallel::SharedWriter shared(archive, distribution_.ranks);
    transfer_of_words(space_, state_.lattice, distribution_).save(archive, "surface", state_.words);
    transfer_of_streams().save(archive, "streams", state_.streams.states());
    shared.array("accepted", accepted(), {replicas, 2}, "");
    shared.array("intervals", std::span(&intervals_, 1), {1}, "");
    observer_.save(archive);
  }

  /// Continues from a checkpoint that save() wrote with the same parameters. Throws InputError if an entry is invalid;
  /// the simulation must not be used then.
  void load(const io::CheckpointReader& archive) override {
    const auto replicas = static_cast<std::size_t>(parameters_.replicas);
    transfer_of_streams().load(archive, "streams", state_.streams.states());
    const parallel::SharedReader shared(archive, distribution_.ranks);
    std::vector<std::uint64_t> accepted(2 * replicas);
    shared.array("accepted", accepted, {replicas, 2});
    keep_accepted(accepted);
    shared.array("intervals", std::span(&intervals_, 1), {1});
    if (!(time() < most_steps(parameters_) + 2 * time_an_interval_))
      refuse_loaded("intervals", "it exceeds the largest possible number");
    check_loaded_streams(space_, state_.streams.states(), distribution_);
    const auto fill_halo = [this](const Words<ExecutionSpace>& words) { device_layer_.shifted().fill_halo(words); };
    load_surface<ExecutionSpace>(space_, archive, "surface", state_.lattice, state_.words, distribution_, fill_halo);
    check_loaded_counts(space_, state_.lattice, state_.words, accepted, attempts() / parameters_.replicas,
                        distribution_);
    observer_.load(archive, time(), accepted, fill_halo);
  }

 private:
  State<MemorySpace> state_of_block() const {
    const Lattice block = block_of(parameters_, distribution_);
    return {block, streams_of_replica(Decomposition(block, parameters_))};
  }

  parallel::ArrayTransfer<ExecutionSpace> transfer_of_streams() const {
    return {space_, distribution_, static_cast<std::size_t>(parameters_.replicas),
            extents_of_streams(device_layer_.decomposition())};
  }

  void seed_streams() const {
    const Decomposition& d = device_layer_.decomposition();
    const std::size_t streams = streams_of_replica(d);
    for (int r = 0; r < parameters_.replicas; ++r) {
      const std::uint64_t seed = parameters_.seed + static_cast<std::uint64_t>(r);
      const std::size_t first = static_cast<std::size_t>(r) * streams;
      if (distribution_.is_serial())
        state_.streams.seed(space_, seed, first, streams);
      else
        seed_part(space_, state_.streams.states(), seed, first, streams,
                  StreamNumbers(distribution_.cut(extents_of_streams(d)[1], distribution_.grid.rank()), d.cells));
    }
  }

  /// Depositions and removals in the whole lattice, [replicas, 2].
  std::vector<std::uint64_t> accepted() const {
    auto accepted = to_host(space_, state_.accepted);
    distribution_.ranks.sum(accepted);
    return accepted;
  }
  /// Sets the counts of a checkpoint: the total at rank 0, 0 at the other ranks.
  void keep_accepted(std::vector<std::uint64_t> accepted) const {
    if (distribution_.ranks.rank() != 0) std::fill(accepted.begin(), accepted.end(), 0);
    copy_and_wait(space_, state_.accepted, host_array(accepted));
  }

  /// Intervals per batch between two checks on the host: about 50 ms of work.
  int batch_size(double until, double seconds_an_interval) const {
    const double needed = std::ceil((until - time()) / time_an_interval_);
    const double affordable = seconds_an_interval > 0 ? 0.05 / seconds_an_interval : 1;
    return static_cast<int>(std::clamp(std::min(needed, affordable), 1.0, 256.0));
  }

  ExecutionSpace space_;
  Parameters parameters_;
  parallel::Distribution distribution_;
  Decomposition decomposition_;  ///< of the whole
  State<MemorySpace> state_;
  DeviceLayerUpdate<ExecutionSpace, Probe> device_layer_;
  Observer<ExecutionSpace> observer_;
  double time_an_interval_;
  std::uint64_t intervals_ = 0;
};

}  // namespace tessera::kpz
