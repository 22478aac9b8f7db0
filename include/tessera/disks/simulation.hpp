// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <tessera/core/host_array.hpp>
#include <tessera/disks/any_simulation.hpp>
#include <tessera/disks/configuration.hpp>
#include <tessera/disks/observables/correlation_samples.hpp>
#include <tessera/disks/observables/pair_distribution.hpp>
#include <tessera/disks/observables/samples.hpp>
#include <tessera/disks/parameters.hpp>
#include <tessera/disks/state/check.hpp>
#include <tessera/disks/state/points.hpp>
#include <tessera/disks/state/shared_configuration.hpp>
#include <tessera/disks/state/subdomains.hpp>
#include <tessera/disks/steps/initial_configuration.hpp>
#include <tessera/disks/steps/sweeps.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/rank_grid.hpp>
#include <tessera/parallel/shared_checkpoint.hpp>
#include <vector>

namespace tessera::disks {

/// Massively parallel Monte Carlo of hard disks: Anderson, Jankowski, Grubb, Engel and Glotzer, J. Comput. Phys. 254,
/// 27 (2013). All replicas advance in the same launches; replica r equals the single run with seed + r.
///
/// The grid of cells is decomposed among ranks, whose number does not change the results. All functions are collective.
/// Observables are those of the whole system, equal at all ranks. Disks are gathered at rank 0: save() and load() use
/// only its archive, and points() and configuration() are empty at other ranks.
template <class ExecutionSpace>
class Simulation : public AnyParallelSimulation {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;  ///< of the state
  using Points = std::vector<std::vector<Point>>;             ///< [replica][disk]

  /// Initial configuration of the parameters. `grid`: shape of the grid of ranks, by default with the shortest borders.
  /// Throws InputError if the parameters are invalid, the cells cannot be divided among the ranks, or disks overlap.
  Simulation(const ExecutionSpace& space, const Parameters& parameters, const parallel::Communicator& ranks = {},
             const std::optional<parallel::GridShape>& grid = {})
      : Simulation(space, parameters, Points(), ranks, grid) {
    start();
  }

  /// Starts from given points in the box, the same at all ranks. Without points, call start() or load() next.
  Simulation(const ExecutionSpace& space, const Parameters& parameters, const Points& points,
             const parallel::Communicator& ranks = {}, const std::optional<parallel::GridShape>& grid = {})
      : AnyParallelSimulation(parameters, checkerboard(checked(parameters))),
        space_(space),
        distribution_(distribute(geometry_, ranks, grid)),
        sweeps_(space, parameters, part_of(geometry_, distribution_), default_sweep_shape<ExecutionSpace>,
                distribution_),
        sampler_(space, parameters.replicas, PairBins{parameters.pressure_fit}, ranks),
        correlation_sampler_(space, correlations_.plan(), sweeps_.state().geometry(), distribution_),
        with_functions_(!correlations_.empty()) {
    if (!points.empty()) start_from(points);
    count_moves();
  }

  /// Constructs the initial configuration of the parameters, and returns true. Rank 0 calls keep_going() repeatedly; if
  /// it returns false, start() returns false and leaves the box empty. Throws InputError if disks overlap.
  bool start(const std::function<bool()>& keep_going = [] { return true; }) override {
    if (parameters_.start == Start::lattice) {
      place(LatticeStart(parameters_.particles, box_width(parameters_), box_height(parameters_)));
      return true;
    }
    Points points;
    parallel::at_rank_zero(distribution_.ranks, [&] { points = start_points(parameters_, keep_going); });
    if (distribution_.ranks.broadcast(points.empty())) return false;
    // Round to the nearest step: coordinates written by another run may be slightly below a multiple of a step.
    if (parameters_.start == Start::file)
      for (auto& of_replica : points)
        for (Point& point : of_replica) point = {point[0] + step / 2, point[1] + step / 2};
    points.resize(moves_.size());
    for (auto& of_replica : points) {
      of_replica.resize(particles_of_replica());
      distribution_.ranks.broadcast(std::as_writable_bytes(std::span(of_replica)));
    }
    start_from(points);
    return true;
  }

  /// Runs to `until` sweeps. All ranks call keep_going() about ten times per second, also during a sample. If it
  /// returns false at any rank, advance() returns false, and the next call continues.
  bool advance(
      double until, const std::function<bool()>& keep_going = [] { return true; }) override {
    const auto last = static_cast<std::int64_t>(std::ceil(std::min(until, parameters_.sweeps)));
    while (time() < static_cast<double>(last)) {
      if (!distribution_.ranks.all(keep_going())) return false;
      if (sample_due_) {
        sample_some();
        continue;
      }
      const Kokkos::Timer timer;
      const std::int64_t first = done_;
      // Launches sweeps for about 0.1 s between two readings of the clock.
      double left = seconds_a_sweep_ > 0 ? std::max(1.0, 0.1 / seconds_a_sweep_) : 1;
      for (left = distribution_.ranks.broadcast(left); left >= 1 && done_ < last && !sample_due_;)
        left -= static_cast<double>(some_sweeps(last, left));
      count_moves();
      seconds_a_sweep_ = timer.seconds() / static_cast<double>(done_ - first);
    }
    return true;
  }

  double leave_out_functions() override {
    with_functions_ = false;
    const auto last = static_cast<std::int64_t>(std::min(parameters_.sweeps, 0x1p53));
    return static_cast<double>(sample_times_.count(last) - sample_times_.count(done_)) *
           correlation_sampler_.seconds_of_sample(sweeps_.state());
  }
  std::vector<Sample> sample() const override { return sampler_.take(sweeps_.state(), parameters_.particles); }
  std::vector<double> pair_distribution() const override {
    return disks::pair_distribution(space_, sweeps_.state().cells, parameters_.particles, distribution_.ranks);
  }

  Points points() const override {
    const Configuration c = configuration();
    return distribution_.is_first() ? points_of(c, geometry_) : Points();
  }
  Configuration configuration() const override {
    Configuration c = configuration_of(space_, sweeps_.state());
    if (distribution_.is_serial()) return c;
    distribution_.ranks.sum(std::span(c.moves));
    return gather_configuration(std::move(c), geometry_, distribution_);
  }

  /// Throws RunError if disks overlap or are missing.
  void save(io::CheckpointWriter& archive) const override {
    require_intact(space_, sweeps_.state().cells, all_disks(), distribution_.ranks);
    const Configuration c = configuration();
    const auto [r, rows, columns, disks] = shape();
    parallel::SharedWriter shared(archive, distribution_.ranks);
    shared.array("count", c.counts, {r, rows, columns});
    shared.array("position", c.positions, {disks, 2}, "sigma");
    shared.array("origin", c.origins, {r, 2}, "2^-22 sigma");
    save_progress(shared);
  }

  /// Continues from a checkpoint with the same parameters except the final time. Throws InputError if it is invalid.
  void load(const io::CheckpointReader& archive) override {
    const auto [r, rows, columns, disks] = shape();
    const std::int64_t particles = parameters_.particles, moves = parameters_.moves_per_cell;
    const parallel::SharedReader shared(archive, distribution_.ranks);
    load_progress(shared, moves * ((particles + most_in_a_cell - 1) / most_in_a_cell),
                  moves * std::min(particles, geometry_.grid_cells()));
    const auto moved = viewed_as<std::uint64_t>(moves_);
    Configuration c{{}, {}, std::vector<std::int64_t>(2 * r), {moved.begin(), moved.end()}};
    shared.array("origin", c.origins, {r, 2});
    parallel::at_rank_zero(distribution_.ranks, [&] {
      c.counts.resize(r * rows * columns);
      c.positions.resize(2 * disks);
      archive.array("count", c.counts, {r, rows, columns});
      archive.array("position", c.positions, {disks, 2});
      require_contents(c, geometry_, particles);
    });
    samples_.clear();
    sweeps_.set_radii(tuning_.radii());
    if (!distribution_.is_serial()) c = scatter_configuration(std::move(c), geometry_, distribution_);
    const std::int64_t strays = distribution_.ranks.sum(put_configuration(space_, c, sweeps_.state()));
    require_of_entry(strays == 0, "position", "disks outside their cells");
    sweeps_.exchange_ghosts();
    require_of_entry(census().overlaps == 0, "position", "disks overlap");
    count_moves();
  }

 private:
  void start_from(const Points& points) { place(ListedPoints<MemorySpace>(points)); }
  template <class PointOf>
  void place(const PointOf& point_of) {
    const Point sides{box_width(parameters_), box_height(parameters_)};
    place_points(space_, point_of, parameters_.particles, sides, sweeps_.state(), distribution_.ranks);
    sweeps_.exchange_ghosts();
    const std::uint64_t overlaps = census().overlaps;
    if (overlaps > 0)
      throw InputError("--start: " + std::to_string(overlaps) + " pairs of disks overlap" +
                       (parameters_.start == Start::file
                            ? " after rounding to 2^-22 diameters; use a --packing-fraction smaller by 1e-4"
                            : ""));
  }
  Census census() const { return take_census(space_, sweeps_.state().cells, distribution_.ranks); }

  std::uint64_t all_disks() const { return particles_of_replica() * moves_.size(); }
  /// Replicas, rows and columns of cells, disks.
  std::array<std::size_t, 4> shape() const {
    const auto size = [](int n) { return static_cast<std::size_t>(n); };
    return {size(geometry_.replicas), size(geometry_.rows), size(geometry_.columns), all_disks()};
  }

  /// Makes at most `affordable` sweeps, up to the next sample, the next change of the radius or `last`; then takes the
  /// sample or changes the radius. Returns the number of sweeps.
  std::int64_t some_sweeps(std::int64_t last, double affordable) {
    const auto stop = std::min({last, sample_times_.next(done_), tuning_.next(done_)});
    const auto count = std::min(stop - done_, static_cast<std::int64_t>(affordable));
    sweeps_.run(done_, static_cast<int>(count));
    done_ += count;
    if (tuning_.due(done_)) {
      count_moves();
      tuning_.tune(moves_);
      sweeps_.set_radii(tuning_.radii());
    }
    sample_due_ = sample_times_.due(done_);
    if (sample_due_) sample_some();
    return count;
  }

  /// Computes the next part of the current sample.
  void sample_some() {
    const auto& state = sweeps_.state();
    if (samples_.empty()) {
      samples_ = sampler_.take(state, parameters_.particles, correlation_sampler_.orders());
      if (with_functions_) correlation_sampler_.begin(state);
    }
    if (with_functions_) {
      const auto functions = correlation_sampler_.go_on(state, parameters_.particles);
      if (!functions) return;
      for (std::size_t r = 0; r < functions->size(); ++r) correlations_.add(r, (*functions)[r]);
    }
    for (std::size_t r = 0; r < samples_.size(); ++r) statistics_.add(r, static_cast<double>(done_), samples_[r]);
    samples_.clear();
    sample_due_ = false;
  }

  /// Copies the counts of moves, summed over all ranks, to the host.
  void count_moves() {
    copy_and_wait(space_, host_array(moves_), sweeps_.state().moves);
    distribution_.ranks.sum(viewed_as<std::uint64_t>(moves_));
  }

  ExecutionSpace space_;
  parallel::Distribution distribution_;
  Sweeps<ExecutionSpace> sweeps_;
  Sampler<ExecutionSpace> sampler_;
  CorrelationSampler<ExecutionSpace> correlation_sampler_;
  bool with_functions_;
  std::vector<Sample> samples_;  ///< pressure and order of the current sample, whose functions are incomplete
  double seconds_a_sweep_ = 0;
};

}  // namespace tessera::disks
