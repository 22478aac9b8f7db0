// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <span>
#include <string>
#include <tessera/core/host_array.hpp>
#include <tessera/core/observable.hpp>
#include <tessera/kpz/any_simulation.hpp>
#include <tessera/kpz/observables/heights.hpp>
#include <tessera/kpz/observables/loaded.hpp>
#include <tessera/kpz/observables/observer.hpp>
#include <tessera/kpz/state/state.hpp>
#include <tessera/kpz/state/subdomains.hpp>
#include <tessera/parallel/shared_checkpoint.hpp>
#include <vector>

namespace tessera::kpz {

/// State, observables and checkpoints of the simulations of all methods.
template <class ExecutionSpace>
class SurfaceSimulation : public AnySimulation {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;  ///< of the state

  /// The observables of docs/kpz.md: those of analysis::height_observables(); velocity and acceptance since the
  /// previous measurement; height_autocorrelation_S and slope_autocorrelation_S for each waiting time S so far. Throws
  /// RunError if a height differs by more than `largest_difference` from that of site (0, ny - 1).
  std::vector<Observable> measure() override { return observer_.measure(time(), state_.words, accepted()); }
  std::vector<History> drain_histories() override { return observer_.drain_changes(); }

  std::vector<std::uint32_t> words() const override {
    return transfer_of_words(space_, state_.lattice, distribution_).gather(state_.words);
  }
  std::vector<std::int32_t> heights() const override {
    const auto count = static_cast<std::size_t>(lattice_of(parameters_).sites() * parameters_.replicas);
    std::vector<std::int32_t> all(distribution_.is_first() ? count : 0);
    height_parts()(0, count, all);
    return all;
  }
  std::vector<Field> fields() override {
    const auto size = [](int n) { return static_cast<std::size_t>(n); };
    return {{"height", "layers", {size(parameters_.ny), size(parameters_.nx)}, height_parts()}};
  }

  void save(io::CheckpointWriter& archive) const override {
    parallel::SharedWriter shared(archive, distribution_.ranks);
    transfer_of_words(space_, state_.lattice, distribution_).save(archive, "surface", state_.words);
    transfer_of_streams().save(archive, "streams", state_.streams);
    shared.array("accepted", accepted(), {replicas(), 2}, "");
    shared.array(unit_.name, std::vector{units_}, {1}, "");
    observer_.save(archive);
  }

  /// Continues from a checkpoint with the same parameters. After an InputError the simulation must not be used.
  void load(const io::CheckpointReader& archive) override {
    transfer_of_streams().load(archive, "streams", state_.streams);
    const parallel::SharedReader shared(archive, distribution_.ranks);
    std::vector<std::uint64_t> accepted(2 * replicas());
    shared.array("accepted", accepted, {replicas(), 2});
    // The total at rank 0, 0 at the other ranks.
    const auto here = distribution_.is_first() ? accepted : std::vector<std::uint64_t>(accepted.size());
    copy_and_wait(space_, state_.accepted, host_array(here));
    shared.array(unit_.name, std::span(&units_, 1), {1});
    if (!(time() < most_steps(parameters_) + 2 * unit_.time))
      refuse_loaded(unit_.name, "it exceeds the largest possible number");
    check_loaded_streams(space_, state_.streams, distribution_);
    const auto fill_halo_of = [this](const Words<ExecutionSpace>& words) { fill_halo(words); };
    load_surface<ExecutionSpace>(space_, archive, "surface", state_.lattice, state_.words, distribution_, fill_halo_of);
    check_loaded_counts(space_, lattice_of(parameters_), state_.lattice, state_.words, accepted, attempts_of_replica(),
                        distribution_);
    observer_.load(archive, time(), accepted, fill_halo_of);
  }

 protected:
  /// Starts from a flat surface at time 0. The parameters must be valid. `streams`: see extents_of_streams().
  SurfaceSimulation(const ExecutionSpace& space, const Parameters& p, const parallel::Distribution& distribution,
                    const TimeUnit& unit, const std::vector<parallel::Extent>& streams)
      : AnySimulation(p, unit),
        space_(space),
        distribution_(distribution),
        streams_(streams),
        state_(block_of(p, distribution), streams_of_replica(streams)),
        observer_(space, state_.lattice, p.waiting_times, distribution, p.structure_factor) {
    flatten(space_, state_.lattice, state_.words);
    const std::size_t count = streams_of_replica(streams);
    const auto pieces = distribution.pieces(replicas(), streams);
    const StreamNumbers numbers(pieces[static_cast<std::size_t>(distribution.grid.rank())].tables);
    for (std::size_t r = 0; r < replicas(); ++r)
      seed_streams(space_, state_.streams, p.seed + r, r * count, count, numbers);
    observer_.keep(0, state_.words);
    space_.fence("tessera::kpz::start");
  }

  /// See ShiftedSubdomains::fill_halo().
  virtual void fill_halo(const Words<ExecutionSpace>&) {}

  ExecutionSpace space_;                   ///< of all kernels
  parallel::Distribution distribution_;    ///< of the lattice among the ranks
  std::vector<parallel::Extent> streams_;  ///< their arrangement
  State<MemorySpace> state_;               ///< of this rank's block
  Observer<ExecutionSpace> observer_;      ///< of the heights

 private:
  /// heights() in parts.
  parallel::Gather<std::int32_t> height_parts() const {
    return shared_heights(space_, state_.lattice, state_.words, accepted(), distribution_);
  }
  parallel::ArrayTransfer<ExecutionSpace> transfer_of_streams() const {
    return {space_, distribution_, replicas(), streams_};
  }

  /// Depositions and removals in the whole lattice, [replicas, 2].
  std::vector<std::uint64_t> accepted() const {
    auto accepted = to_host(space_, state_.accepted);
    distribution_.ranks.sum(accepted);
    return accepted;
  }
};

}  // namespace tessera::kpz
